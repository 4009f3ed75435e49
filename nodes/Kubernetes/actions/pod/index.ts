import { defineResource, type RunsOf } from '../../../shared/operation';
import * as remove from './delete.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getLogs from './getLogs.operation';

export const description = defineResource({
  name: 'Pod',
  value: 'pod',
  operations: [remove.description, get.description, getLogs.description, getAll.description],
});

export const runs: RunsOf<typeof description> = {
  delete: remove.run,
  get: get.run,
  getLogs: getLogs.run,
  getAll: getAll.run,
};
