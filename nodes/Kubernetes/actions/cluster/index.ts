import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getVersion from './getVersion.operation';

export const description = defineResource({
  name: 'Cluster',
  value: 'cluster',
  operations: [getVersion.description],
});

export const runs: RunsOf<typeof description> = { getVersion: getVersion.run };
