import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { BEHAVIOUR_LABEL, eventually } from '../../cluster';
import { exampleWorkflow, exampleWorkflows, triggerOf, withFields } from '../exampleFiles';
import type { Execution, StoredWorkflow, Workflow } from '../n8n';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, PACKAGE } from '../package';
import { SHOP, type World } from '../world';

/** The example workflows, imported and run exactly as they stand in examples/. */
export function examples(world: () => World): void {
  const run = async (workflow: Workflow): Promise<Execution> => world().n8n.runOnce(workflow, triggerOf(workflow));
  const jsonOf = (execution: Execution, node: string): readonly Readonly<Record<string, unknown>>[] =>
    execution.items(node).map(({ json }) => json);

  /** Publishes a workflow, does something to the cluster, and gives the execution that this starts. */
  const executionOf = async (workflow: StoredWorkflow, count: number): Promise<Execution> => {
    const { n8n } = world();
    const look = async (): Promise<boolean> => (await n8n.executionsOf(workflow)).length >= count;
    await eventually(look, `execution ${String(count)} of "${workflow.name}"`, TRIGGER_TIMEOUT_MS);
    const row = (await n8n.executionsOf(workflow))[count - 1];
    return n8n.finished(row?.id ?? '');
  };
  const publish = async (workflow: Workflow): Promise<StoredWorkflow> => {
    const stored = await world().n8n.addWorkflow(workflow);
    await world().n8n.publish(stored);
    return stored;
  };

  describe('an example workflow', () => {
    it('is explained on its canvas and in examples/README.md, and names the credential by its usual name', () => {
      const readme = readFileSync(resolve(__dirname, '../../../examples/README.md'), 'utf8');

      expect(exampleWorkflows().size).toBeGreaterThanOrEqual(18);
      for (const [file, { nodes }] of exampleWorkflows()) {
        expect(readme).toContain(`](${file})`);
        expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')).toHaveLength(1);
        for (const { type, credentials } of nodes) {
          const expected = type.startsWith(PACKAGE)
            ? { [CREDENTIAL_TYPE]: { id: null, name: CREDENTIAL_NAME } }
            : undefined;
          expect(credentials).toEqual(expected);
        }
      }
    });

    it('restarts a Deployment and waits for the rollout', async () => {
      const path = `/apis/apps/v1/namespaces/${SHOP}/deployments/web`;
      const before = (await world().cluster.api.get(path)).metadata.generation ?? 0;

      const execution = await run(exampleWorkflow('restart-and-wait.json'));

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(jsonOf(execution, 'Rolled Out')).toEqual([
        {
          summary: expect.stringMatching(/^shop\/web is restarted: 3 of 3 pods ready after \d+ s$/) as unknown,
          rolledOut: true,
        },
      ]);
      expect(execution.nodes).not.toContain('List Its Pods');
      const after = await world().cluster.api.get(path);
      expect(after.metadata.generation).toBe(before + 1);
    });

    it('reads the logs of the pods when the rollout does not end', async () => {
      const { cluster } = world();
      const selector = 'app.kubernetes.io/name=search';
      const workflow = withFields(exampleWorkflow('restart-and-wait.json'), 'What to Restart', {
        deployment: 'search',
        podSelector: selector,
        timeoutSeconds: 3,
      });

      const execution = await run(workflow);

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(execution.nodes).not.toContain('Rolled Out');
      const items = jsonOf(execution, 'Not Rolled Out');
      const pods = await cluster.api.items(`/api/v1/namespaces/${SHOP}/pods?labelSelector=${selector}`);
      expect(items.length).toBeGreaterThan(0);
      expect(items[0]).toMatchObject({
        rolledOut: false,
        summary: expect.stringContaining(`${SHOP}/search-`) as unknown,
        logs: expect.stringContaining('GET /items/') as unknown,
      });
      expect(pods.length).toBeGreaterThan(0);
    });

    it('reports what is not healthy', async () => {
      const execution = await run(exampleWorkflow('nightly-health-report.json'));

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const report = jsonOf(execution, 'Report');
      const about = (what: string): readonly unknown[] =>
        report.filter((item) => item.what === what).map(({ object }) => object);
      expect(about('pod')).toContain(`${SHOP}/search-index`);
      expect(about('pod')).toContainEqual(expect.stringMatching(/^shop\/payments-/));
      expect(about('pod')).not.toContainEqual(expect.stringMatching(/^shop\/(web|api|seed)-/));
      expect(report).toContainEqual({
        what: 'event',
        object: `${SHOP}/Pod/search-index`,
        summary: expect.stringMatching(
          /^FailedScheduling of Pod\/search-index in shop, seen \d+×: 0\/3 nodes/,
        ) as unknown,
      });
    });

    it('runs a Job and gets its logs', async () => {
      const execution = await run(exampleWorkflow('run-job-with-logs.json'));

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const [result] = jsonOf(execution, 'Result');
      expect(result).toMatchObject({
        succeeded: true,
        summary: expect.stringMatching(/^Job shop\/report-\w{5}: complete after \d+ s$/) as unknown,
        logs: expect.stringContaining('GET /items/') as unknown,
      });
      const [created] = jsonOf(execution, 'Create the Job');
      const job = await world().cluster.api.get(`/apis/batch/v1/namespaces/${SHOP}/jobs/${String(created?.name)}`);
      expect(job.spec).toMatchObject({
        ttlSecondsAfterFinished: 3600,
        template: { spec: { containers: [{ command: ['sh', '-c', 'echo counting; seq 1 5; echo done'] }] } },
      });
    });

    it('tells when a pod crash-loops', async () => {
      const { cluster } = world();
      const pods = `/api/v1/namespaces/${SHOP}/pods?labelSelector=app.kubernetes.io/name=payments`;
      const looping = async (): Promise<boolean> =>
        JSON.stringify(await cluster.api.items(pods)).includes('"CrashLoop');
      await eventually(looping, 'the crash loop of payments', TRIGGER_TIMEOUT_MS);

      const execution = await run(exampleWorkflow('crash-loop-alert.json'));

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(jsonOf(execution, 'Message')).toEqual([
        {
          summary: expect.stringMatching(
            /^shop\/payments-.*: the container payments crashes again and again \(\d+ restarts, exit code 1\)$/,
          ) as unknown,
          over: false,
          logs: expect.any(String) as unknown,
        },
      ]);
    });

    it('restarts a Deployment when a ConfigMap changes, once', async () => {
      const { api } = world().cluster;
      const deployment = `/apis/apps/v1/namespaces/${SHOP}/deployments/api`;
      const before = (await api.get(deployment)).metadata.generation ?? 0;
      const stored = await publish(exampleWorkflow('restart-on-config-change.json'));
      const changed = await api.patch(`/api/v1/namespaces/${SHOP}/configmaps/settings`, {
        data: { 'log.level': 'debug' },
      });

      const execution = await executionOf(stored, 1);

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(jsonOf(execution, 'Restarted')).toEqual([
        {
          summary: expect.stringMatching(
            /^settings changed, so shop\/api was restarted: complete, 2 of 2 pods ready after \d+ s$/,
          ) as unknown,
          version: changed.metadata.resourceVersion,
        },
      ]);
      expect((await api.get(deployment)).metadata.generation).toBe(before + 1);
      await world().n8n.unpublish(stored);
    });

    it('opens a ticket when a rollout is stuck, and closes it when it is over', async () => {
      const { cluster, n8n } = world();
      const tickets = await TicketSystem.start();
      const example = withFields(exampleWorkflow('stuck-rollout-ticket.json'), 'Ticket', { ticketUrl: tickets.url });
      const stored = await publish(example);
      const deployments = `/apis/apps/v1/namespaces/${SHOP}/deployments`;
      await cluster.api.create(deployments, STUCK);

      await executionOf(stored, 1);
      await cluster.api.delete(`${deployments}/stuck`);
      await executionOf(stored, 2);

      const [opened, closed] = tickets.received;
      expect(opened).toMatchObject({
        state: 'open',
        title: `${SHOP}/stuck: the rollout is stuck`,
        text: expect.stringContaining('progress') as unknown,
      });
      expect(closed).toEqual({
        number: opened?.number,
        state: 'closed',
        title: `${SHOP}/stuck: the rollout is no longer stuck`,
        text: '',
      });
      expect(tickets.received).toHaveLength(2);
      await n8n.unpublish(stored);
      await tickets.stop();
    });
  });
}

/** Longest that an event may take: the trigger looks every 30 seconds. */
const TRIGGER_TIMEOUT_MS = 120_000;

const STUCK_LABELS = { 'app.kubernetes.io/name': 'stuck' };

/** A Deployment whose pods never get ready, and which says so soon. */
const STUCK = {
  metadata: { name: 'stuck' },
  spec: {
    replicas: 1,
    progressDeadlineSeconds: 3,
    selector: { matchLabels: STUCK_LABELS },
    template: {
      metadata: { labels: { ...STUCK_LABELS, [BEHAVIOUR_LABEL]: 'never-ready' } },
      spec: { containers: [{ name: 'stuck', image: 'registry.example/shop/stuck:1.0.0' }] },
    },
  },
};

/** Takes tickets as a ticket system does. */
class TicketSystem {
  readonly received: Readonly<Record<string, unknown>>[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TicketSystem> {
    const server = createServer();
    const tickets = new TicketSystem(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        tickets.received.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return tickets;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/api/tickets`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
