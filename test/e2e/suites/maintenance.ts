import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../cluster';
import { exampleWorkflow, triggerOf, withFields } from '../exampleFiles';
import type { Execution, N8n, StoredWorkflow, Workflow } from '../n8n';
import { PLATFORM, type Platform } from '../platform';

const COMPONENTS = `/apis/platform.navin.ai/v1alpha1/namespaces/${PLATFORM}/managedcomponents`;
/** The whole day, and none of it. */
const ALWAYS = { windowStart: '00:00', windowEnd: '24:00' };
const NEVER = { windowStart: '00:00', windowEnd: '00:00' };

/** The examples of scheduled maintenance, imported and run exactly as they stand in examples/. */
export function maintenance(platform: () => Platform): void {
  const run = async (workflow: Workflow, trigger = triggerOf(workflow)): Promise<Execution> =>
    platform().n8n.runOnce(workflow, trigger);
  const spec = async (name: string, change: object): Promise<void> => {
    await platform().cluster.api.patch(`${COMPONENTS}/${name}`, { spec: change });
  };
  const label = async (name: string, labels: Readonly<Record<string, string | null>>): Promise<void> => {
    await platform().cluster.api.patch(`${COMPONENTS}/${name}`, { metadata: { labels } });
  };
  const status = async (name: string): Promise<unknown> => {
    const { status: seen, metadata } = await platform().cluster.api.get(`${COMPONENTS}/${name}`);
    const { state, health, converged, observedGeneration } = seen as Record<string, unknown>;
    return { state, health, converged: converged === true && observedGeneration === metadata.generation };
  };
  const podsOf = async (deployment: string): Promise<readonly string[]> => {
    const pods = await platform().cluster.api.items(`/api/v1/namespaces/${PLATFORM}/pods`);
    return pods.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(`${deployment}-`));
  };

  describe('the nightly restart', () => {
    const example = exampleWorkflow('nightly-rolling-restart.json');
    const at = async (fields: object): Promise<readonly unknown[]> =>
      resultOf(await run(withFields(example, 'What to Restart', { ...fields })), 'Report');

    beforeAll(async () => {
      for (const name of ['storefront', 'shop']) await label(name, { restart: 'nightly' });
    });

    it('restarts what is healthy, every Pod of it, and leaves alone what is in maintenance', async () => {
      const before = await podsOf('storefront');
      await spec('shop', { maintenance: true });

      const report = await at(ALWAYS);

      expect(report).toEqual([
        { summary: 'shop: left alone, it is in maintenance', outcome: 'left alone' },
        {
          summary: expect.stringMatching(/^navin-platform\/storefront: restarted in \d+ s, ok$/) as unknown,
          outcome: 'restarted',
        },
      ]);
      const after = await podsOf('storefront');
      expect([before.length, after.filter((name) => before.includes(name))]).toEqual([3, []]);
      await spec('shop', { maintenance: false });
    });

    it('restarts nothing outside of its window', async () => {
      const before = await podsOf('storefront');

      expect(await at(NEVER)).toEqual(
        ['shop', 'storefront'].map((name) => ({
          summary: expect.stringMatching(
            new RegExp(`^${name}: left alone, it is \\d\\d:\\d\\d, outside of the window from 00:00 to 00:00$`),
          ) as unknown,
          outcome: 'left alone',
        })),
      );
      expect(await podsOf('storefront')).toEqual(before);
    });

    it('goes on with no other component when one does not come back', async () => {
      await untilConverged('shop');
      await cordonAll(true);

      expect(await at({ ...ALWAYS, timeoutSeconds: 2 })).toEqual([
        {
          summary: expect.stringMatching(/^shop: The component shop is not as wanted after \d+ s/) as unknown,
          outcome: 'failed',
        },
        { summary: 'storefront: left alone, another component did not come back before', outcome: 'left alone' },
      ]);
      await cordonAll(false);
      await untilConverged('shop');
    });
  });

  describe('development components', () => {
    const example = exampleWorkflow('stop-development-at-night.json');
    const labelsOf = async (name: string): Promise<unknown> =>
      (await platform().cluster.api.get(`${COMPONENTS}/${name}`)).metadata.labels;

    beforeAll(async () => {
      await label('shop', { environment: 'development' });
      await untilConverged('shop');
    });

    it('are left running when they are in maintenance', async () => {
      await spec('shop', { maintenance: true });

      expect(resultOf(await run(example, 'In the Evening'), 'Left Running')).toEqual([
        { summary: expect.stringContaining('in maintenance') as unknown, stopped: false },
      ]);
      expect(await labelsOf('shop')).not.toHaveProperty('stopped-until-morning');
      expect(await status('shop')).toMatchObject({ state: 'started' });
      await spec('shop', { maintenance: false });
      await untilConverged('shop');
    });

    it('stop in the evening and start in the morning', async () => {
      expect(resultOf(await run(example, 'In the Evening'), 'Stopped')).toEqual([
        { summary: 'navin-platform/shop: stopped until the morning', stopped: true },
      ]);
      expect(await status('shop')).toEqual({ state: 'stopped', health: 'ok', converged: true });
      expect(await podsOf('shop')).toEqual([]);
      expect(await labelsOf('shop')).toMatchObject({ 'stopped-until-morning': 'yes' });

      expect(resultOf(await run(example, 'In the Morning'), 'Started')).toEqual([
        { summary: 'navin-platform/shop: started', started: true },
      ]);
      expect(await status('shop')).toEqual({ state: 'started', health: 'ok', converged: true });
      expect(await labelsOf('shop')).not.toHaveProperty('stopped-until-morning');
    });

    it('stay stopped in the morning when somebody stopped them', async () => {
      await spec('shop', { desiredState: 'Stopped' });
      await untilConverged('shop');

      await run(example, 'In the Evening');
      const morning = await run(example, 'In the Morning');

      expect(morning.status).toBe('success');
      expect(morning.nodes).not.toContain('Start');
      expect(await status('shop')).toMatchObject({ state: 'stopped' });
      await spec('shop', { desiredState: 'Running' });
      await untilConverged('shop');
    });
  });

  describe('the calendar', () => {
    const example = exampleWorkflow('scale-by-calendar.json');
    const scale = async (calendar: readonly object[], usualReplicas: number): Promise<Execution> =>
      run(withFields(example, 'Calendar', { calendar: JSON.stringify(calendar), usualReplicas }));

    it('gives a component as many Pods as its entry says, and writes nothing when that is so already', async () => {
      const today = [
        { what: 'never', days: [], replicas: 9 },
        { what: 'today', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', replicas: 4 },
      ];

      expect(resultOf(await scale(today, 3), 'Scaled')).toEqual([
        { summary: 'navin-platform/storefront: 4 replicas for today', scaled: true },
      ]);
      expect(await podsOf('storefront')).toHaveLength(4);
      expect(resultOf(await scale(today, 3), 'Scaled')).toEqual([
        { summary: 'navin-platform/storefront: 4 replicas for today, as before', scaled: false },
      ]);
      expect(resultOf(await scale([], 3), 'Scaled')).toEqual([
        { summary: 'navin-platform/storefront: 3 replicas for all other times', scaled: true },
      ]);
    });

    it('says why it does not go below the disruption budget', async () => {
      expect(resultOf(await scale([], 1), 'Not Scaled')).toEqual([
        { summary: expect.stringContaining('minAvailable') as unknown, scaled: false },
      ]);
      expect(await podsOf('storefront')).toHaveLength(3);
    });
  });

  it('the alert tells when a component is blocked and why, and when it goes on', async () => {
    const { n8n } = platform();
    const stored = await n8n.addWorkflow(exampleWorkflow('component-alert.json'));
    await n8n.publish(stored);

    await spec('shop', { maintenance: true, desiredState: 'Stopped' });
    const blocked = await executionOf(n8n, stored, 'Message');
    await spec('shop', { maintenance: false, desiredState: 'Running' });
    const over = await executionOf(n8n, stored, 'All Clear');

    expect(resultOf(blocked, 'Message')).toEqual([
      {
        summary: expect.stringMatching(/^navin-platform\/shop is blocked: stop, MaintenanceActive: ./) as unknown,
        over: false,
      },
    ]);
    expect(resultOf(over, 'All Clear')).toEqual([
      { summary: expect.stringMatching(/^navin-platform\/shop goes on: started, /) as unknown, over: true },
    ]);
    await n8n.unpublish(stored);
  });

  it('the form installs what somebody orders, and says on its last page what runs', async () => {
    const { n8n } = platform();
    const [user, password] = ['orders', 'Only-for-tests-1'];
    const door = await n8n.addCredential('Form account', 'httpBasicAuth', { user, password });
    const example = exampleWorkflow('install-by-form.json');
    const nodes = example.nodes.map((node) =>
      node.type === 'n8n-nodes-base.formTrigger' ? { ...node, credentials: { httpBasicAuth: door } } : node,
    );
    const stored = await n8n.addWorkflow({ ...example, nodes });
    await n8n.publish(stored);
    const form = new Form(n8n, stored, `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);

    expect(await form.statusWithout()).toBe(401);
    const page = await form.order({ name: 'kiosk', chart: 'web', replicas: '2' });
    expect(page).toContain('kiosk runs');
    expect(page).toMatch(/navin-platform\/kiosk: started, ok, Deployment kiosk with 2 of 2 Pods after \d+ s/);
    expect(await status('kiosk')).toEqual({ state: 'started', health: 'ok', converged: true });

    const taken = await form.order({ name: 'kiosk', chart: 'shop', replicas: '1' });
    expect(taken).toContain('kiosk does not run');
    expect(taken).toMatch(/kiosk.+ it exists already\./);
    await n8n.unpublish(stored);
    const { api } = platform().cluster;
    await api.delete(`${COMPONENTS}/kiosk`);
    await api.until(`${COMPONENTS}/kiosk`, (kiosk) => kiosk === undefined);
  });

  /** Where no node takes Pods, no restart comes to its end. */
  async function cordonAll(unschedulable: boolean): Promise<void> {
    const { api } = platform().cluster;
    for (const { metadata } of await api.items('/api/v1/nodes')) {
      await api.patch(`/api/v1/nodes/${metadata.name}`, { spec: { unschedulable } });
    }
  }

  async function untilConverged(name: string): Promise<void> {
    const converged = async (): Promise<boolean> => ((await status(name)) as { converged: boolean }).converged;
    await eventually(converged, name, 60_000);
  }
}

function resultOf(execution: Execution, node: string): readonly Readonly<Record<string, unknown>>[] {
  expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
  return execution.items(node).map(({ json }) => json);
}

/** The first execution of a workflow that came to a node. */
async function executionOf(n8n: N8n, workflow: StoredWorkflow, node: string): Promise<Execution> {
  const seen = new Set<string>();
  let found: Execution | undefined;
  const look = async (): Promise<boolean> => {
    for (const { id } of await n8n.executionsOf(workflow)) {
      if (seen.has(id) || found !== undefined) continue;
      const execution = await n8n.finished(id);
      seen.add(id);
      if (execution.nodes.includes(node)) found = execution;
    }
    return found !== undefined;
  };
  await eventually(look, `an execution of "${workflow.name}" that comes to ${node}`, 60_000);
  if (found === undefined) throw new Error('there is none');
  return found;
}

/** A form of n8n, filled in as a browser does. */
class Form {
  private readonly address: string;
  private orders = 0;

  constructor(
    private readonly n8n: N8n,
    private readonly workflow: StoredWorkflow,
    private readonly authorization: string,
  ) {
    const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
    this.address = `${n8n.url}/form/${String(trigger?.webhookId)}`;
  }

  /** The status for somebody who does not say who it is. */
  async statusWithout(): Promise<number> {
    return (await fetch(this.address)).status;
  }

  /** Sends the form. @returns the last page */
  async order({ name, chart, replicas }: Readonly<Record<'name' | 'chart' | 'replicas', string>>): Promise<string> {
    const body = new FormData();
    for (const [index, value] of [name, chart, replicas].entries()) body.set(`field-${String(index)}`, value);
    const { authorization } = this;
    const sent = await fetch(this.address, { method: 'POST', headers: { authorization }, body });
    if (!sent.ok) throw new Error(`the form answered ${String(sent.status)}: ${await sent.text()}`);
    const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
    this.orders += 1;
    const ids = async (): Promise<readonly string[]> =>
      (await this.n8n.executionsOf(this.workflow)).map(({ id }) => id);
    await eventually(async () => (await ids()).length === this.orders, 'the order', 30_000);
    await this.n8n.waiting((await ids()).at(-1) ?? '');
    return (await fetch(formWaitingUrl, { headers: { authorization } })).text();
  }
}
