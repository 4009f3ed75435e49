import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../cluster';
import { chain, START, type Workflow } from '../n8n';
import { CLUSTER_NODE_TYPE, CREDENTIAL_TYPE } from '../package';
import type { World } from '../world';

/** The node that keeps an inventory, after a trigger. */
function discovering({ credential }: World, name: string): Workflow {
  const discover = {
    name: 'Discover',
    type: CLUSTER_NODE_TYPE,
    parameters: { resource: 'inventory', operation: 'discover', compare: 'last' },
    credentials: { [CREDENTIAL_TYPE]: credential },
  };
  return chain(name, [discover]);
}

/** What n8n keeps for the node Navin Cluster between executions. */
export function inventory(world: () => World): void {
  describe('an inventory that is kept', () => {
    it('is that of the last execution of the active workflow', async () => {
      const { n8n } = world();
      const { nodes, ...rest } = discovering(world(), 'nightly inventory');
      const [start, ...after] = nodes;
      const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
      const schedule = {
        ...start,
        name: START,
        type: 'n8n-nodes-base.scheduleTrigger',
        typeVersion: 1.2,
        parameters: everySecond,
      };
      const workflow = await n8n.addWorkflow({ ...rest, nodes: [schedule, ...after] });
      await n8n.publish(workflow);
      const succeeded = async (): Promise<readonly { readonly id: string }[]> =>
        (await n8n.executionsOf(workflow)).filter(({ status }) => status === 'success');
      await eventually(async () => (await succeeded()).length >= 4, 'four executions', 60_000);
      await n8n.unpublish(workflow);

      const rows = await succeeded();
      const texts = await Promise.all(rows.map(async ({ id }) => JSON.stringify(await n8n.storedExecution(id))));
      const times = texts.map((text) => ({
        made: /"discoveredAt":"([^"]+)"/.exec(text)?.[1],
        since: /"since":(?:"([^"]+)"|null)/.exec(text)?.[1],
      }));
      expect(times[0]?.since).toBeUndefined();
      expect(times.slice(0, -1).map(({ made }) => made)).toContain(times.at(-1)?.since ?? 'none');
    });

    it('is not kept by a run in the editor', async () => {
      const execution = await world().n8n.runOnce(discovering(world(), 'inventory by hand'));
      const [item] = execution.items('Discover');
      expect(item?.json).toMatchObject({ distribution: 'kubernetes', changes: { since: null, changed: false } });
    });
  });
}
