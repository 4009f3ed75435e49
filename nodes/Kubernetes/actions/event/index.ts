import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getAll from './getAll.operation';

export const description = defineResource({
  name: 'Event',
  value: 'event',
  operations: [getAll.description],
});

export const runs: RunsOf<typeof description> = { getAll: getAll.run };
