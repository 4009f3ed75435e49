import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { load } from 'js-yaml';
import { exampleWorkflow, triggerOf, withFields } from '../exampleFiles';
import type { Execution, Workflow } from '../n8n';
import { SHOP, type World } from '../world';

/** The node that is drained, and what runs on it alone. */
const NODE = 'worker-1';
const GUEST = { 'app.kubernetes.io/name': 'guest' };
/** Keeps the pods of other tests off it. */
const TAINT = { key: 'navin.test/own', value: 'yes', effect: 'NoSchedule' };

/** The example workflows that somebody starts by hand, imported and run exactly as they stand in examples/. */
export function examplesByHand(world: () => World): void {
  const run = async (workflow: Workflow): Promise<Execution> => world().n8n.runOnce(workflow, triggerOf(workflow));
  const resultOf = (execution: Execution, node: string): readonly Readonly<Record<string, unknown>>[] => {
    expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
    return execution.items(node).map(({ json }) => json);
  };

  describe('an example workflow that is started by hand', () => {
    beforeAll(async () => {
      const { api } = world().cluster;
      await api.create('/api/v1/nodes', NODE_OBJECT);
      await api.until(`/api/v1/nodes/${NODE}`, isReady);
      await api.create(`/apis/apps/v1/namespaces/${SHOP}/deployments`, GUEST_DEPLOYMENT);
      await api.create(`/apis/batch/v1/namespaces/${SHOP}/cronjobs`, CRON_JOB);
    }, 120_000);

    it('rolls out a new image', async () => {
      const execution = await run(exampleWorkflow('rollout-with-undo.json'));

      expect(resultOf(execution, 'Rolled Out')).toEqual([
        {
          summary: expect.stringMatching(
            /^shop\/web runs docker\.io\/library\/nginx:1\.29\.2: 3 of 3 pods ready after \d+ s$/,
          ) as unknown,
          rolledOut: true,
        },
      ]);
      expect(execution.nodes).not.toContain('Go Back');
    });

    it('goes back to the revision from before when the new image does not come up', async () => {
      const image = async (): Promise<string> => {
        const { spec } = await world().cluster.api.get(`/apis/apps/v1/namespaces/${SHOP}/deployments/web`);
        const { template } = spec as { template: { spec: { containers: readonly { image: string }[] } } };
        return template.spec.containers[0]?.image ?? '';
      };
      const before = await image();
      const broken = { image: 'docker.io/library/nginx:image-pull-error', timeoutSeconds: 3 };

      const execution = await run(withFields(exampleWorkflow('rollout-with-undo.json'), 'What to Roll Out', broken));

      expect(resultOf(execution, 'Went Back')).toEqual([
        {
          summary: expect.stringMatching(
            /^shop\/web went back from docker\.io\/library\/nginx:image-pull-error to revision \d+: complete, 3 of 3 pods ready$/,
          ) as unknown,
          reason: expect.stringContaining('The rollout of web is not complete after 3 s') as unknown,
          rolledOut: false,
        },
      ]);
      expect(await image()).toBe(before);
    });

    it('drains a node, and takes it back after the maintenance', async () => {
      const { api } = world().cluster;
      const pods = `/api/v1/namespaces/${SHOP}/pods?labelSelector=app.kubernetes.io/name=guest`;
      const [before] = await api.items(pods);

      const execution = await run(
        withFields(exampleWorkflow('drain-for-maintenance.json'), 'What to Drain', { timeoutSeconds: 60 }),
      );

      expect(resultOf(execution, 'Back in Service')).toEqual([
        {
          summary: expect.stringMatching(/^worker-1 is back in service; pods evicted: 1, in \d+ s$/) as unknown,
          drained: true,
        },
      ]);
      expect((await api.get(`/api/v1/nodes/${NODE}`)).spec).not.toHaveProperty('unschedulable');
      expect((await api.items(pods)).map(({ metadata }) => metadata.uid)).not.toContain(before?.metadata.uid);
    });

    it('names what must not be evicted, and changes nothing', async () => {
      const { api } = world().cluster;
      const path = `/api/v1/namespaces/${SHOP}/pods`;
      await api.create(path, { metadata: { name: 'alone' }, spec: { ...ON_NODE, containers: [CONTAINER] } });
      await api.until(`${path}/alone`, (pod) => JSON.stringify(pod ?? {}).includes('"Running"'));

      const execution = await run(exampleWorkflow('drain-for-maintenance.json'));
      await api.delete(`${path}/alone`);

      expect(resultOf(execution, 'Not Drained')).toMatchObject([
        { summary: expect.stringContaining('shop/alone') as unknown, drained: false },
      ]);
      expect((await api.get(`/api/v1/nodes/${NODE}`)).spec).not.toHaveProperty('unschedulable');
    });

    it('applies a manifest when somebody approves what it would change', async () => {
      const { n8n, cluster } = world();
      const path = `/api/v1/namespaces/${SHOP}/configmaps/opening-hours`;
      const stored = await n8n.addWorkflow(exampleWorkflow('apply-after-approval.json'));

      const id = await n8n.begin(stored, triggerOf(stored));
      const asked = (await n8n.waiting(id)).items('Ask for Approval')[0]?.json;
      expect(asked?.summary).toMatch(/^ConfigMap opening-hours: create\n/);
      expect(asked?.summary).toContain('data: nothing → {"monday":"8-18","sunday":"closed"}');
      expect((await cluster.api.request('GET', path)).status).toBe(404);
      await decide(String(asked?.approveAt), 'Apply');

      const applied = resultOf(await n8n.finished(id), 'Applied');
      expect(applied).toEqual([{ summary: 'ConfigMap shop/opening-hours: created', applied: true }]);
      expect((await cluster.api.get(path)).data).toEqual({ monday: '8-18', sunday: 'closed' });

      const again = await n8n.run(stored, triggerOf(stored));
      expect(resultOf(again, 'Nothing to Change')).toEqual([
        { summary: 'Everything is as the manifest says', applied: false },
      ]);
    });

    it('changes nothing when somebody refuses', async () => {
      const { n8n, cluster } = world();
      const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: refused }\ndata: { a: b }\n';
      const workflow = withFields(exampleWorkflow('apply-after-approval.json'), 'What to Apply', { manifest });
      const stored = await n8n.addWorkflow(workflow);

      const id = await n8n.begin(stored, triggerOf(stored));
      await decide(String((await n8n.waiting(id)).items('Ask for Approval')[0]?.json.approveAt), 'Refuse');

      expect(resultOf(await n8n.finished(id), 'Refused')).toMatchObject([{ applied: false }]);
      expect((await cluster.api.request('GET', `/api/v1/namespaces/${SHOP}/configmaps/refused`)).status).toBe(404);
    });

    it('runs a CronJob now and reports its logs', async () => {
      const execution = await run(exampleWorkflow('run-cronjob-now.json'));

      expect(resultOf(execution, 'Report')).toEqual([
        {
          succeeded: true,
          summary: expect.stringMatching(
            /^CronJob shop\/nightly-report, run by hand as nightly-report-manual-\w+: complete after \d+ s$/,
          ) as unknown,
          logs: expect.stringMatching(/^nightly-report-manual-\S+\/report\n[^]*GET \/items\//) as unknown,
        },
      ]);
    });

    it('says which rights are missing, and gives the Role that adds them', async () => {
      const groups = { groups: '["read", "secrets"]' };
      const execution = await run(withFields(exampleWorkflow('audit-rights.json'), 'What to Check', groups));

      const [report] = resultOf(execution, 'Report');
      expect(report).toMatchObject({ account: `system:serviceaccount:${SHOP}:n8n`, complete: false });
      expect(report?.missing).toContain('get secrets in shop');
      const [rule] = (load(String(report?.roleToAdd)) as { rules: readonly object[] }).rules;
      expect(rule).toMatchObject({ apiGroups: [''], resources: ['secrets'] });
    });

    it('fetches a file from a pod', async () => {
      const path = resolve(__dirname, '../../../examples/README.md');
      const execution = await run(withFields(exampleWorkflow('fetch-file-from-pod.json'), 'Which File', { path }));

      expect(resultOf(execution, 'File')).toEqual([
        {
          summary: expect.stringMatching(/^web-\S+:\S+\/examples\/README\.md, \d+ bytes, changed \d{4}-/) as unknown,
          text: readFileSync(path, 'utf8'),
        },
      ]);
    });
  });
}

/** Whether a node takes pods. */
function isReady(node: object | undefined): boolean {
  const { conditions = [] } = ((node as { status?: object } | undefined)?.status ?? {}) as {
    conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Answers n8n's form as a browser does. */
async function decide(address: string, decision: string): Promise<void> {
  const body = new FormData();
  body.set('field-0', decision);
  const answer = await fetch(address, { method: 'POST', body });
  if (!answer.ok) throw new Error(`the form answered ${String(answer.status)}: ${(await answer.text()).slice(0, 500)}`);
}

const CONTAINER = { name: 'main', image: 'registry.example/shop/guest:1.0.0' };
const ON_NODE = {
  nodeSelector: { 'kubernetes.io/hostname': NODE },
  tolerations: [{ key: TAINT.key, operator: 'Exists' }],
};
const ROOM = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110' };
const NODE_OBJECT = {
  metadata: { name: NODE, labels: { 'kubernetes.io/hostname': NODE } },
  spec: { taints: [TAINT] },
  status: { capacity: ROOM, allocatable: ROOM },
};
const GUEST_DEPLOYMENT = {
  metadata: { name: 'guest' },
  spec: {
    replicas: 1,
    selector: { matchLabels: GUEST },
    template: { metadata: { labels: GUEST }, spec: { ...ON_NODE, containers: [CONTAINER] } },
  },
};
const CRON_JOB = {
  metadata: { name: 'nightly-report' },
  spec: {
    schedule: '0 3 * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'report', image: 'registry.example/shop/report:1.0.0' }],
          },
        },
      },
    },
  },
};
