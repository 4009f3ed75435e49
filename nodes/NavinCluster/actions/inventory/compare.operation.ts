import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { changeItems, changesSince, givenInventory, inventoryOf } from './changes';

export const description = defineOperation({
  name: 'Compare',
  value: 'compare',
  action: 'Compare inventory with another one',
  description: 'See what changed between two inventories, of one cluster or of two',
  rightsGroup: 'inventory',
  rights: [],
  properties: [
    {
      displayName: 'Earlier Inventory',
      name: 'before',
      type: 'string',
      required: true,
      typeOptions: { rows: 4 },
      default: '',
      placeholder: 'e.g. {{ $json.inventory }}',
      description: 'The whole item of an earlier Discover, as JSON or by an expression; 1 MiB at most',
    },
    {
      displayName: 'Later Inventory',
      name: 'after',
      type: 'string',
      typeOptions: { rows: 4 },
      default: '',
      description: 'The whole item of another Discover; the input item when empty',
    },
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'all',
      description: 'What to return',
      options: [
        { name: 'All Changes', value: 'all', description: 'One item with all that changed' },
        {
          name: 'Single Changes',
          value: 'changes',
          description: 'One item for each change; none where nothing changed',
        },
      ],
    },
  ],
});

/** No cluster is asked. */
export function run(
  _client: KubeClient,
  { before, after, output }: ParametersOf<typeof description>,
  { input }: OperationContext,
): Promise<object | readonly object[]> {
  const earlier = givenInventory(before, 'before', 'Earlier Inventory');
  const [parameter, label] = ['after', 'Later Inventory'] as const;
  const later = after.trim() === '' ? inventoryOf(input, parameter, label) : givenInventory(after, parameter, label);
  const changes = changesSince(earlier, later.comparable);
  return Promise.resolve(output === 'changes' ? changeItems(later.server, changes) : changes);
}
