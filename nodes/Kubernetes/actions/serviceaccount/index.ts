import { defineResource, type RunsOf } from '../../../shared/operation';
import * as createToken from './createToken.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';

export const description = defineResource({
  name: 'ServiceAccount',
  value: 'serviceaccount',
  operations: [createToken.description, get.description, getAll.description],
});

export const runs: RunsOf<typeof description> = { createToken: createToken.run, get: get.run, getAll: getAll.run };
