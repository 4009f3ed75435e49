import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getStatus from './getStatus.operation';

export const description = defineResource({
  name: 'Operator',
  value: 'operator',
  operations: [getStatus.description],
});

export const runs: RunsOf<typeof description> = { getStatus: getStatus.run };
