import { defineResource, type RunsOf } from '../../../shared/operation';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as wait from './wait.operation';

export const description = defineResource({
  name: 'Job',
  value: 'job',
  operations: [create.description, get.description, getAll.description, wait.description],
});

export const runs: RunsOf<typeof description> = {
  create: create.run,
  get: get.run,
  getAll: getAll.run,
  wait: wait.run,
};
