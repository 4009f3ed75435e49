import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-list');
const PODS = 55;

beforeAll(async () => {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await Promise.all(
    Array.from({ length: PODS }, async (_, index) => {
      const number = String(index).padStart(2, '0');
      await cluster.api.create(pods, podManifest(`web-${number}`, {}, { app: index % 2 === 0 ? 'even' : 'odd' }));
    }),
  );
});

const PARAMETERS = { resource: 'pod', operation: 'getAll' };

describe('Pod: Get Many', () => {
  it('gives one item for each pod, 50 at most', async () => {
    const { credential, namespace } = test();
    const items = await execute({ credential, parameters: PARAMETERS });
    expect(items).toHaveLength(50);
    expect(items[0]).toMatchObject({
      json: { name: 'web-00', namespace, images: ['nginx:1'] },
      pairedItem: { item: 0 },
    });
  });

  it('gives all of them', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, returnAll: true } })).toHaveLength(PODS);
  });

  it('gives as many as the limit says', async () => {
    const { credential } = test();
    const pods = await outputOf({ credential, parameters: { ...PARAMETERS, limit: 3 } });
    expect(pods.map(({ name }) => name)).toEqual(['web-00', 'web-01', 'web-02']);
  });

  it('selects by label and by field', async () => {
    const { credential } = test();
    const options = { labelSelector: ' app=even ', fieldSelector: 'metadata.name!=web-00' };
    const pods = await outputOf({ credential, parameters: { ...PARAMETERS, returnAll: true, options } });
    expect(pods).toHaveLength(27);
    expect(pods.every(({ labels }) => (labels as { app: string }).app === 'even')).toBe(true);
  });

  it('gives whole pods when Simplify is off', async () => {
    const { credential } = test();
    const [pod] = await outputOf({ credential, parameters: { ...PARAMETERS, limit: 1, simplify: false } });
    expect(pod).toMatchObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-00' },
      spec: { containers: [{ image: 'nginx:1' }] },
    });
    expect(pod?.metadata).not.toHaveProperty('managedFields');
  });

  it('lists all namespaces', async () => {
    const { credential, namespace } = test();
    const parameters = { ...PARAMETERS, namespace: named('*'), returnAll: true };
    const pods = await outputOf({ credential, parameters });
    expect(pods.filter((pod) => pod.namespace === namespace)).toHaveLength(PODS);
  });

  it('gives no item when there is no pod', async () => {
    const { credential } = test();
    expect(
      await outputOf({ credential, parameters: { ...PARAMETERS, options: { labelSelector: 'app=none' } } }),
    ).toEqual([]);
  });

  it('names the selector that cannot be read', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { labelSelector: 'app in (' } };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      httpCode: '400',
      context: { itemIndex: 0 },
    });
  });

  it('shows the rule to add when the right is missing, and goes on with the other items', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const items = await execute({
      credential,
      onError: 'continueRegularOutput',
      items: [{}, {}],
      parameters: { ...PARAMETERS, limit: 1, namespace: named('={{ ns }}') },
      expressions: { '={{ ns }}': (item) => ['kube-system', namespace][item] },
    });
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      json: {
        error: expect.stringContaining('pods'),
        details: {
          code: 'k8s_forbidden',
          httpCode: 403,
          verb: 'list',
          resource: 'pods',
          namespace: 'kube-system',
          description: expect.stringContaining('resources: [pods]'),
        },
      },
      pairedItem: { item: 0 },
    });
    expect(items[0]?.error).toBeUndefined();
    expect(items[1]).toMatchObject({ json: { name: 'web-00' }, pairedItem: { item: 1 } });
  });
});
