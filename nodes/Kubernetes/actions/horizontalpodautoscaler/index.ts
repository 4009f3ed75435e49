import { defineResource, type RunsOf } from '../../../shared/operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';

export const description = defineResource({
  name: 'HorizontalPodAutoscaler',
  value: 'horizontalpodautoscaler',
  operations: [get.description, getAll.description],
});

export const runs: RunsOf<typeof description> = { get: get.run, getAll: getAll.run };
