import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exampleWorkflow, exampleWorkflows, triggerOf, withFields } from '../exampleFiles';
import type { Execution, Workflow } from '../n8n';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, NODE_TYPE } from '../package';
import { SHOP, type World } from '../world';

/** The example workflows, imported and run exactly as they stand in examples/. */
export function examples(world: () => World): void {
  const run = async (workflow: Workflow): Promise<Execution> => world().n8n.runOnce(workflow, triggerOf(workflow));
  const jsonOf = (execution: Execution, node: string): readonly Readonly<Record<string, unknown>>[] =>
    execution.items(node).map(({ json }) => json);

  describe('an example workflow', () => {
    it('is explained on its canvas and in examples/README.md, and names the credential by its usual name', () => {
      const readme = readFileSync(resolve(__dirname, '../../../examples/README.md'), 'utf8');

      expect(exampleWorkflows().size).toBeGreaterThanOrEqual(3);
      for (const [file, { nodes }] of exampleWorkflows()) {
        expect(readme).toContain(`](${file})`);
        expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')).toHaveLength(1);
        for (const { type, credentials } of nodes) {
          const expected = type === NODE_TYPE ? { [CREDENTIAL_TYPE]: { id: null, name: CREDENTIAL_NAME } } : undefined;
          expect(credentials).toEqual(expected);
        }
      }
    });

    it('restarts a Deployment and waits for the rollout', async () => {
      const path = `/apis/apps/v1/namespaces/${SHOP}/deployments/web`;
      const before = (await world().cluster.api.get(path)).metadata.generation ?? 0;

      const execution = await run(exampleWorkflow('restart-and-wait.json'));

      expect(execution.status).toBe('success');
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

      expect(execution.status).toBe('success');
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

      expect(execution.status).toBe('success');
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

      expect(execution.status).toBe('success');
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
  });
}
