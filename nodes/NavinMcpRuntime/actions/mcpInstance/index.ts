import { defineResource, type RunsOf } from '../../../shared/operation';
import * as remove from './delete.operation';
import * as getAll from './getAll.operation';
import * as restart from './restart.operation';

export const description = defineResource({
  name: 'MCP Instance',
  value: 'mcpInstance',
  operations: [remove.description, getAll.description, restart.description],
});

export const runs: RunsOf<typeof description> = { delete: remove.run, getAll: getAll.run, restart: restart.run };
