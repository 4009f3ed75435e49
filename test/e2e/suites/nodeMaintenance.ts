import { beforeAll, describe, expect, it } from '@jest/globals';
import { exampleWorkflow, triggerOf, withFields } from '../exampleFiles';
import type { Execution, Workflow } from '../n8n';
import { NODE_TYPE } from '../package';
import { PLATFORM, type Platform } from '../platform';

const COMPONENTS = `/apis/platform.navin.ai/v1alpha1/namespaces/${PLATFORM}/managedcomponents`;

const HEAD = { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent' };

/** The example that maintains a node: everything is put back, whatever happens. */
export function nodeMaintenance(platform: () => Platform): void {
  let node = '';
  const run = async (workflow: Workflow): Promise<Execution> => platform().n8n.runOnce(workflow, triggerOf(workflow));
  const example = (): Workflow =>
    withFields(exampleWorkflow('node-maintenance.json'), 'What to Maintain', {
      node,
      deleteEmptyDirData: true,
      timeoutSeconds: 60,
    });
  const summaryOf = (execution: Execution, at = 'Summary'): unknown => {
    expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
    return execution.items(at).map(({ json }) => json);
  };
  /** Which components are in maintenance, and whether the node takes Pods. */
  const left = async (): Promise<unknown> => {
    const { api } = platform().cluster;
    const components = await api.items(COMPONENTS);
    const { spec } = await api.get(`/api/v1/nodes/${node}`);
    return {
      inMaintenance: components
        .filter((one) => (one.spec as { maintenance?: boolean }).maintenance)
        .map((one) => one.metadata.name),
      cordoned: (spec as { unschedulable?: boolean }).unschedulable === true,
    };
  };
  const pods = async (): Promise<readonly { readonly name: string; readonly at: unknown }[]> => {
    const items = await platform().cluster.api.items(`/api/v1/namespaces/${PLATFORM}/pods`);
    return items.map(({ metadata, spec }) => ({ name: metadata.name, at: (spec as { nodeName?: string }).nodeName }));
  };
  const podsThere = async (): Promise<readonly string[]> =>
    (await pods()).filter(({ at }) => at === node).map(({ name }) => name);

  describe('the maintenance of a node', () => {
    beforeAll(async () => {
      node = String((await pods()).find(({ name }) => name.startsWith('storefront-'))?.at);
      const { api } = platform().cluster;
      const spec = { source: { chart: { path: 'web' } }, maintenance: true };
      await api.create(COMPONENTS, { ...HEAD, metadata: { name: 'orders' }, spec });
      await api.until(`${COMPONENTS}/orders`, (orders) => {
        const { health } = (orders?.status ?? {}) as { health?: string };
        return health === 'ok';
      });
    });

    it('holds the components, drains the node, and puts everything back as it was', async () => {
      const before = await podsThere();
      const execution = await run(example());

      expect(summaryOf(execution)).toEqual([
        {
          summary: `${node} is back in service; pods evicted: ${String(before.length)}`,
          done: true,
        },
      ]);
      const held = execution.items('Put in Maintenance').map(({ json }) => [json.name, json.confirmed]);
      expect(held).toEqual([
        ['shop', true],
        ['storefront', true],
      ]);
      expect(execution.items('Healthy Elsewhere').map(({ json }) => [json.name, json.health])).toEqual(
        ['orders', 'shop', 'storefront'].map((name) => [name, 'ok']),
      );
      expect((await podsThere()).filter((name) => before.includes(name) && !name.startsWith('orders-'))).toEqual([]);
      expect(await left()).toEqual({ inMaintenance: ['orders'], cordoned: false });
    });

    it('puts everything back when the node cannot be drained', async () => {
      const { api } = platform().cluster;
      const containers = [{ name: 'alone', image: 'registry.example/alone:1.0.0' }];
      await api.create(`/api/v1/namespaces/${PLATFORM}/pods`, {
        metadata: { name: 'alone' },
        spec: { nodeName: node, containers },
      });

      expect(summaryOf(await run(example()))).toEqual([
        {
          summary: expect.stringMatching(
            new RegExp(`^${node} was not maintained, and everything is put back: .*${PLATFORM}/alone`),
          ) as unknown,
          done: false,
        },
      ]);
      expect(await left()).toEqual({ inMaintenance: ['orders'], cordoned: false });
      await api.delete(`/api/v1/namespaces/${PLATFORM}/pods/alone`);
    });

    it('puts everything back when the maintenance itself fails, and ends no maintenance of others', async () => {
      const { api } = platform().cluster;
      const hold = async (maintenance: boolean): Promise<void> => {
        for (const name of ['shop', 'storefront']) await api.patch(`${COMPONENTS}/${name}`, { spec: { maintenance } });
      };
      await hold(true);
      const workflow = example();
      const nodes = workflow.nodes.map((one) =>
        one.name === 'Do the Maintenance' ? { ...one, ...failing(one.id) } : one,
      );

      const execution = await run({ ...workflow, nodes });

      expect(execution.nodes).toContain('Do the Maintenance');
      expect(summaryOf(execution)).toEqual([
        {
          summary: expect.stringMatching(
            new RegExp(`^${node} was not maintained, and everything is put back: .*no-such-node`),
          ) as unknown,
          done: false,
        },
      ]);
      expect(await left()).toEqual({ inMaintenance: ['orders', 'shop', 'storefront'], cordoned: false });
      await hold(false);
    });

    it('touches nothing when somebody else works on the node', async () => {
      const { api } = platform().cluster;
      await api.patch(`/api/v1/nodes/${node}`, { spec: { unschedulable: true } });

      const execution = await run(example());

      expect(summaryOf(execution, 'Not Begun')).toEqual([
        { summary: `${node}: not begun, ${node} is cordoned already: somebody else works on it`, done: false },
      ]);
      expect(execution.nodes).not.toContain('Uncordon');
      expect(await left()).toEqual({ inMaintenance: ['orders'], cordoned: true });
      await api.patch(`/api/v1/nodes/${node}`, { spec: { unschedulable: null } });
    });
  });

  /** A node in the place of the maintenance that ends with an error. */
  function failing(id: string | undefined): object {
    const parameters = {
      resource: 'node',
      operation: 'get',
      name: { __rl: true, mode: 'name', value: 'no-such-node' },
      simplify: true,
      options: {},
    };
    const credentials = exampleWorkflow('node-maintenance.json').nodes.find(
      ({ name }) => name === 'Drain',
    )?.credentials;
    return { id, type: NODE_TYPE, typeVersion: 1, parameters, credentials, onError: 'continueErrorOutput' };
  }
}
