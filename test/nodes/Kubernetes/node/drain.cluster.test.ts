import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { deploymentManifest, podManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';
import { onNode, useOwnNodes } from '../../testing/nodes';

const test = useTestCluster('node-drain');
const ownNode = useOwnNodes(() => test().cluster);

interface PodList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
}

async function drain(name: string, more: object = {}): Promise<IDataObject> {
  const parameters = {
    resource: 'node',
    operation: 'drain',
    name: named(name),
    timeoutSeconds: 60,
    ...more,
    options: { intervalSeconds: 1, ...(more as { options?: object }).options },
  };
  const [output] = await outputOf({ credential: test().credential, parameters });
  return output ?? {};
}

async function podsOf(name: string): Promise<PodList['items']> {
  const list = await test().cluster.api.get<PodList>(`/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`);
  return list.items;
}

async function isCordoned(name: string): Promise<boolean> {
  const node = await test().cluster.api.get<{ spec: { unschedulable?: boolean } }>(`/api/v1/nodes/${name}`);
  return node.spec.unschedulable === true;
}

/** Objects of the test's namespace; waits until so many pods are ready on the node. */
async function create(name: string, pods: number, ...objects: readonly object[]): Promise<void> {
  const { cluster, namespace } = test();
  const items = objects.map((object) => ({ ...object }));
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await cluster.kubectl(['create', '-n', namespace, '-f', '-'], { stdin });
  await cluster.api.until<{ items: readonly { status?: { phase?: string } }[] }>(
    `/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`,
    (list) => (list?.items.filter(({ status }) => status?.phase === 'Running').length ?? 0) >= pods,
  );
}

function budget(name: string, minAvailable: number): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable, selector: { matchLabels: { app: name } } },
  };
}

async function untilAllowed(name: string, disruptions: number): Promise<void> {
  const { cluster, namespace } = test();
  await cluster.api.until<{ status?: { disruptionsAllowed?: number; currentHealthy?: number; expectedPods?: number } }>(
    `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}`,
    (object) =>
      object?.status?.disruptionsAllowed === disruptions && object.status.currentHealthy === object.status.expectedPods,
  );
}

describe('Node: Drain', () => {
  it('evicts what is replaced elsewhere, leaves pods of DaemonSets, and has nothing to do the second time', async () => {
    const name = await ownNode();
    const labels = { app: 'agent' };
    const daemonSet = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'app', image: 'nginx:1' }], ...onNode(name) },
        },
      },
    };
    await create(name, 3, daemonSet, deploymentManifest('web', 2, {}, onNode(name)));
    const before = await podsOf(name);
    const agent = before.find(({ metadata }) => metadata.name.startsWith('agent-'));
    const web = before.filter((pod) => pod !== agent);
    const drained = await drain(name);
    expect(drained).toMatchObject({
      name,
      dryRun: false,
      drained: true,
      cordoned: true,
      changed: true,
      skipped: [{ name: agent?.metadata.name, uid: agent?.metadata.uid, reason: 'daemon-set' }],
    });
    expect((drained.pods as IDataObject[]).map(({ uid, state }) => [uid, state]).sort()).toEqual(
      web.map(({ metadata }) => [metadata.uid, 'gone']).sort(),
    );
    expect((await podsOf(name)).map(({ metadata }) => metadata.uid)).toEqual([agent?.metadata.uid]);
    expect(await drain(name)).toMatchObject({ drained: true, changed: false, pods: [] });
  });

  it('changes nothing when a pod would be lost, and evicts it when that is allowed', async () => {
    const name = await ownNode();
    const emptyDir = { volumes: [{ name: 'cache', emptyDir: {} }] };
    await create(
      name,
      2,
      podManifest('alone', onNode(name)),
      deploymentManifest('cache', 1, {}, { ...emptyDir, ...onNode(name) }),
    );
    await expect(drain(name)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The Node .* is not drained: pods on it have no controller that starts them again or have data in emptyDir volumes that would be lost: /,
      ),
      context: {
        code: 'k8s_operation_refused',
        details: {
          refused: expect.arrayContaining([
            expect.objectContaining({ name: 'alone', reason: 'unmanaged' }),
            expect.objectContaining({ reason: 'empty-dir-data' }),
          ]),
        },
      },
    });
    expect([await isCordoned(name), (await podsOf(name)).length]).toEqual([false, 2]);
    expect(await drain(name, { options: { podSelector: 'app=nobody' } })).toMatchObject({ pods: [], drained: true });
    expect((await podsOf(name)).length).toBe(2);
    const options = { evictUnmanaged: true, deleteEmptyDirData: true, gracePeriodSeconds: 0 };
    expect(await drain(name, { options })).toMatchObject({ drained: true, skipped: [] });
    expect(await podsOf(name)).toEqual([]);
  });

  describe('with a disruption budget', () => {
    let node = '';
    beforeAll(async () => {
      node = await ownNode();
      await create(node, 2, deploymentManifest('tight', 2, {}, onNode(node)), budget('tight', 2));
      await untilAllowed('tight', 0);
    });

    it('plans without acting, and says which budget has no room', async () => {
      const before = (await podsOf(node)).map(({ metadata }) => metadata.uid).sort();
      const planned = await drain(node, { dryRun: true });
      expect(planned).toMatchObject({ dryRun: true, drained: false, cordoned: false, changed: false, refused: [] });
      expect((planned.pods as IDataObject[]).map(({ state, budget: by }) => [state, by])).toEqual([
        ['blocked', 'tight'],
        ['blocked', 'tight'],
      ]);
      expect((await podsOf(node)).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
      expect(await isCordoned(node)).toBe(false);
    });

    // kubernetes.core#593, #769, #792
    it('waits for the budget until the deadline, and says what is left and why', async () => {
      await expect(drain(node, { timeoutSeconds: 2 })).rejects.toMatchObject({
        message: `The Node ${node} is not drained after 2 s: 2 pods are left, held by the disruption budget tight`,
        context: {
          code: 'k8s_wait_failed',
          details: { drained: false, pods: [{ state: 'blocked', budget: 'tight' }, { state: 'blocked' }] },
        },
      });
      expect([(await podsOf(node)).length, await isCordoned(node)]).toEqual([2, true]);
      expect(await drain(node, { timeoutSeconds: 1, onFailure: 'output' })).toMatchObject({
        drained: false,
        waitedSeconds: 1,
      });
    });

    it('goes on as soon as the budget has room', async () => {
      const { cluster, namespace } = test();
      const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/tight`;
      const draining = drain(node);
      await cluster.api.patch(path, { spec: { minAvailable: 0 } });
      expect(await draining).toMatchObject({ drained: true });
      expect(await podsOf(node)).toEqual([]);
    });
  });

  it('says that there is no such node', async () => {
    await expect(drain('nobody')).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
