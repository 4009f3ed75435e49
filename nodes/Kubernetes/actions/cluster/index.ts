import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getApiResources from './getApiResources.operation';
import * as getHealth from './getHealth.operation';
import * as getVersion from './getVersion.operation';

export const description = defineResource({
  name: 'Cluster',
  value: 'cluster',
  operations: [getApiResources.description, getHealth.description, getVersion.description],
});

export const runs: RunsOf<typeof description> = {
  getApiResources: getApiResources.run,
  getHealth: getHealth.run,
  getVersion: getVersion.run,
};
