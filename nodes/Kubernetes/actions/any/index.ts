import { defineResource, type RunsOf } from '../../../shared/operation';
import * as get from './get.operation';

export const description = defineResource({
  name: 'Any Resource',
  value: 'any',
  operations: [get.description],
});

export const runs: RunsOf<typeof description> = { get: get.run };
