import { defineResource, type RunsOf } from '../../../shared/operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as removeKeys from './removeKeys.operation';
import * as setKeys from './setKeys.operation';

export const description = defineResource({
  name: 'Secret',
  value: 'secret',
  operations: [get.description, getAll.description, removeKeys.description, setKeys.description],
});

export const runs: RunsOf<typeof description> = {
  get: get.run,
  getAll: getAll.run,
  removeKeys: removeKeys.run,
  setKeys: setKeys.run,
};
