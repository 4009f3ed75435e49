import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getStatus from './getStatus.operation';

export const description = defineResource({
  name: 'Agent',
  value: 'agent',
  operations: [getStatus.description],
});

export const runs: RunsOf<typeof description> = { getStatus: getStatus.run };
