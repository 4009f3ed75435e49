import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../cluster';
import type { StoredWorkflow, WorkflowNode } from '../n8n';
import { CREDENTIAL_TYPE, TRIGGER_TYPE } from '../package';
import { byName, SHOP, type World } from '../world';

/** A bound against hanging: the machine may be busy. */
const TIMEOUT_MS = 120_000;

/** Two triggers in one workflow: n8n registers a trigger again only where it was changed, and stores both as one. */
export function twoTriggers(world: () => World): void {
  const trigger = (name: string, part: string): WorkflowNode => ({
    id: randomUUID(),
    name,
    type: TRIGGER_TYPE,
    typeVersion: 1,
    position: [0, part.length * 100],
    parameters: {
      triggerOn: 'resource',
      resource: byName('configmaps'),
      changes: ['added'],
      options: { interval: 15, window: 15, labelSelector: `pair=${part}` },
    },
    credentials: { [CREDENTIAL_TYPE]: world().credential },
  });

  /** One change for each trigger. */
  const change = async (number: number): Promise<void> => {
    for (const part of ['left', 'right']) {
      const metadata = { name: `${part}-${String(number)}`, labels: { pair: part } };
      await world().cluster.api.create(`/api/v1/namespaces/${SHOP}/configmaps`, { metadata });
    }
  };

  const save = async (workflow: StoredWorkflow, nodes: readonly WorkflowNode[]): Promise<StoredWorkflow> => {
    const { versionId } = workflow;
    const saved = await world().n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, { ...workflow, versionId, nodes });
    return saved as StoredWorkflow;
  };

  /** Waits for its end: a kill in the middle of it would keep n8n from publishing the workflow again for minutes. */
  const unpublished = async (workflow: StoredWorkflow): Promise<void> => {
    const { n8n } = world();
    await n8n.unpublish(workflow);
    const look = async (): Promise<boolean> => {
      const status = await n8n.rest('GET', `/rest/workflows/${workflow.id}/publication-status`);
      return (status as { liveVersionId: string | null }).liveVersionId === null;
    };
    await eventually(look, 'the end of both triggers', TIMEOUT_MS);
  };

  /** Every execution by its trigger and the object, when there are so many. */
  const executions = async (workflow: StoredWorkflow, count: number): Promise<readonly string[]> => {
    const { n8n } = world();
    const look = async (): Promise<boolean> => (await n8n.executionsOf(workflow)).length >= count;
    await eventually(look, `${String(count)} executions`, TIMEOUT_MS);
    const rows = await n8n.executionsOf(workflow);
    const all = await Promise.all(rows.map(async ({ id }) => await n8n.finished(id)));
    return all
      .flatMap(({ status, nodes, items }) =>
        nodes.map((node) => [status, node, ...items(node).map(({ json }) => String(json.name))].join(' ')),
      )
      .sort();
  };

  describe('two triggers in one workflow', () => {
    it('tell each change once, also after one was changed, one got a new name, and n8n was killed', async () => {
      const { n8n } = world();
      const [left, right] = [trigger('Left', 'left'), trigger('Right', 'right')];
      const settings = { executionOrder: 'v1' };
      const first = await n8n.addWorkflow({ name: 'pair', nodes: [left, right], connections: {}, settings });
      await n8n.publish(first);
      await change(1);
      const told = ['success Left left-1', 'success Right right-1'];
      expect(await executions(first, 2)).toEqual(told);

      const simplified = { ...right, parameters: { ...right.parameters, simplify: false } };
      const second = await save(first, [left, simplified]);
      await n8n.publish(second);
      await change(2);
      told.push('success Left left-2', 'success Right right-2');
      expect(await executions(first, 4)).toEqual(told.sort());

      await unpublished(second);
      const third = await save(second, [{ ...left, name: 'Renamed' }, simplified]);
      await n8n.kill();
      await change(3);
      await n8n.startAgain();
      await n8n.publish(third);
      await change(4);
      told.push('success Renamed left-3', 'success Right right-3', 'success Renamed left-4', 'success Right right-4');
      expect(await executions(first, 8)).toEqual(told.sort());
      await n8n.unpublish(third);
    });
  });
}
