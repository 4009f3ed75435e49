import { comparableOf, type NotRead, readInventory } from '../../../../core/inventory';
import { type KubeClient, rolesYaml } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { accessText } from '../../../shared/rights';
import { changeItems, changesSince, givenInventory } from './changes';
import { keepInventory, lastInventory } from './last';

export const description = defineOperation({
  name: 'Discover',
  value: 'discover',
  action: 'Discover inventory of cluster',
  description: 'See what the cluster consists of: distribution, nodes, classes, CoreDNS and add-ons',
  rightsGroup: 'inventory',
  partial: true,
  rights: [
    { verb: 'list', group: '', resource: 'nodes', clusterWide: true },
    { verb: 'list', group: 'storage.k8s.io', resource: 'storageclasses', clusterWide: true },
    { verb: 'list', group: 'networking.k8s.io', resource: 'ingressclasses', clusterWide: true },
    {
      verb: 'get',
      group: 'apps',
      resource: 'deployments',
      namespace: 'kube-system',
      names: ['coredns', 'rke2-coredns-rke2-coredns'],
    },
  ],
  properties: [
    {
      displayName: 'Include Nodes',
      name: 'includeNodes',
      type: 'boolean',
      default: true,
      description: 'Whether to list each node, about 1 KB; totals and changes come in any case',
    },
    {
      displayName: 'Compare With',
      name: 'compare',
      type: 'options',
      default: 'nothing',
      description: 'What to find changes against',
      options: [
        { name: 'Given Inventory', value: 'given', description: 'One that Discover gave before' },
        {
          name: 'Last Inventory',
          value: 'last',
          description: 'The one this node made in the last run of the active workflow; runs in the editor keep none',
        },
        { name: 'Nothing', value: 'nothing' },
      ],
    },
    {
      displayName: 'Earlier Inventory',
      name: 'before',
      type: 'string',
      required: true,
      typeOptions: { rows: 4 },
      default: '',
      placeholder: 'e.g. {{ $json.inventory }}',
      description: 'The whole item of an earlier Discover, as JSON or by an expression; 1 MiB at most',
      displayOptions: { show: { compare: ['given'] } },
    },
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'inventory',
      description: 'What to return',
      displayOptions: { show: { compare: ['given', 'last'] } },
      options: [
        { name: 'Inventory', value: 'inventory', description: 'One item, with what changed in its field changes' },
        {
          name: 'Single Changes',
          value: 'changes',
          description: 'One item for each change; none where nothing changed',
        },
      ],
    },
  ],
});

/** Everything is read before anything is kept, so that a run that fails changes nothing. */
export async function run(
  client: KubeClient,
  { includeNodes, compare, before, output }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object | readonly object[]> {
  const given = compare === 'given' ? givenInventory(before, 'before', 'Earlier Inventory') : undefined;
  const memory = compare === 'last' ? context.memory() : undefined;
  const inventory = await readInventory(client, context.clock.now(), context.signal);
  const { notRead = [], nodes, ...rest } = inventory;
  const shown = { ...rest, ...(includeNodes && { nodes }), ...(notRead.length > 0 && notReadOutput(notRead)) };
  if (compare === 'nothing') return shown;
  const { server, discoveredAt } = inventory;
  const comparable = comparableOf(inventory) ?? new Map();
  const earlier = memory === undefined ? given : lastInventory(memory, server);
  const changes = changesSince(earlier, comparable);
  if (memory !== undefined && !keepInventory(memory, server, { discoveredAt, comparable })) {
    context.note('The inventory is too large to be kept: the next run has nothing to compare with');
  }
  return output === 'changes' ? changeItems(server, changes) : { ...shown, changes };
}

/** What is hidden, and the roles that would show it. */
function notReadOutput(notRead: readonly NotRead[]): object {
  const rights = notRead.flatMap(({ right = [] }) => right);
  return {
    notRead: notRead.map(({ part, right }) => ({ part, right: right === undefined ? null : accessText(right) })),
    ...(rights.length === 0 ? {} : { roleToAdd: rolesYaml(rights) }),
  };
}
