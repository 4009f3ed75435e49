import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getRequiredRights from './getRequiredRights.operation';
import * as getStatus from './getStatus.operation';
import * as install from './install.operation';

export const description = defineResource({
  name: 'MCP Runtime',
  value: 'mcpRuntime',
  operations: [getStatus.description, getRequiredRights.description, install.description],
});

export const runs: RunsOf<typeof description> = {
  getRequiredRights: getRequiredRights.run,
  getStatus: getStatus.run,
  install: install.run,
};
