import { defineResource, type RunsOf } from '../../../shared/operation';
import * as compare from './compare.operation';
import * as discover from './discover.operation';

export const description = defineResource({
  name: 'Inventory',
  value: 'inventory',
  operations: [discover.description, compare.description],
});

export const runs: RunsOf<typeof description> = { compare: compare.run, discover: discover.run };
