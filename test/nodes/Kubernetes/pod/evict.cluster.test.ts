import { describe, expect, it } from '@jest/globals';
import { podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-evict');

async function createPod(name: string): Promise<string> {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest(name, {}, { app: name }));
  await cluster.api.until<{ status?: { conditions?: readonly { type: string; status: string }[] } }>(
    `${pods}/${name}`,
    (pod) => pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
  );
  return `${pods}/${name}`;
}

function parametersFor(name: string, options: object = {}): Readonly<Record<string, unknown>> {
  return { resource: 'pod', operation: 'evict', name: named(name), options };
}

describe('Pod: Evict', () => {
  it('evicts the pod, and only asks when told so', async () => {
    const { cluster, credential, namespace } = test();
    const path = await createPod('web');
    expect(await outputOf({ credential, parameters: parametersFor('web', { dryRun: true }) })).toEqual([
      { evicted: false, dryRun: true, name: 'web', namespace },
    ]);
    expect((await cluster.request('GET', path)).status).toBe(200);
    expect(await outputOf({ credential, parameters: parametersFor('web') })).toEqual([
      { evicted: true, dryRun: false, name: 'web', namespace },
    ]);
    await cluster.api.until(path, (pod) => pod === undefined);
  });

  it('names the budget that has no room', async () => {
    const { cluster, credential, namespace } = test();
    const path = await createPod('tight');
    const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    await cluster.api.create(budgets, {
      metadata: { name: 'tight-budget' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'tight' } } },
    });
    await cluster.api.until<{ status?: { currentHealthy?: number } }>(
      `${budgets}/tight-budget`,
      (budget) => budget?.status?.currentHealthy === 1,
    );
    await expect(execute({ credential, parameters: parametersFor('tight') })).rejects.toMatchObject({
      message: expect.stringContaining('The disruption budget tight-budget needs 1 healthy pods and has 1 currently'),
      context: {
        code: 'k8s_operation_refused',
        details: { refusedBy: 'DisruptionBudget', budget: 'tight-budget' },
      },
    });
    expect((await cluster.request('GET', path)).status).toBe(200);
  });

  it('spares a pod of the same name with another UID', async () => {
    const { cluster, credential } = test();
    const path = await createPod('spared');
    const options = { uid: '00000000-0000-0000-0000-000000000000' };
    await expect(execute({ credential, parameters: parametersFor('spared', options) })).rejects.toMatchObject({
      context: { code: 'k8s_conflict' },
    });
    expect((await cluster.request('GET', path)).status).toBe(200);
  });

  it('says that the pod is not there', async () => {
    const { credential } = test();
    await expect(execute({ credential, parameters: parametersFor('nobody') })).rejects.toMatchObject({
      context: { code: 'k8s_not_found' },
    });
  });
});
