import { describe, expect, it, jest } from '@jest/globals';
import { load } from 'js-yaml';
import { sharedCluster } from './jest';
import { createShop } from './workloads';

jest.setTimeout(120_000);

const cluster = sharedCluster();

describe('a ServiceAccount', () => {
  it('may do exactly what its rules say', async () => {
    const [namespace, other] = [await cluster().freshNamespace('mine'), await cluster().freshNamespace('theirs')];
    const { token, kubeconfig } = await cluster().serviceAccount({
      namespace,
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
      clusterRules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
    });
    const status = async (method: string, path: string): Promise<number> =>
      (await cluster().request(method, path, { token })).status;
    expect(await status('GET', `/api/v1/namespaces/${namespace}/pods`)).toBe(200);
    expect(await status('GET', `/api/v1/namespaces/${namespace}/services`)).toBe(403);
    expect(await status('DELETE', `/api/v1/namespaces/${namespace}/pods/x`)).toBe(403);
    expect(await status('GET', `/api/v1/namespaces/${other}/pods`)).toBe(403);
    expect(await status('GET', '/api/v1/nodes')).toBe(200);
    expect(await status('GET', '/api/v1/nodes/node-1')).toBe(403);
    expect(await cluster().kubectl(['auth', 'can-i', 'list', 'pods'], { kubeconfig })).toBe('yes\n');
    await expect(cluster().kubectl(['get', 'secrets'], { kubeconfig })).rejects.toThrow(/Forbidden.*cannot list/s);
  });

  it('gets a kubeconfig that holds all it needs and names no file', async () => {
    const namespace = await cluster().freshNamespace('self');
    const { name, token, kubeconfig } = await cluster().serviceAccount({ namespace, name: 'reader', rules: [] });
    expect(name).toBe('reader');
    expect(load(kubeconfig)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'navin-test',
          cluster: {
            server: cluster().server,
            'certificate-authority-data': Buffer.from(cluster().caPem).toString('base64'),
          },
        },
      ],
      users: [{ name: 'user', user: { token } }],
      contexts: [{ name: 'navin-test', context: { cluster: 'navin-test', user: 'user', namespace } }],
      'current-context': 'navin-test',
    });
  });
});

describe('the shop', () => {
  it('opens with everything up, and with trouble where asked for', async () => {
    const namespace = await createShop(cluster(), {
      namespace: `shop-${Date.now().toString(36)}`,
      trouble: true,
    });
    const names = await cluster().kubectl(['get', 'deploy,svc,job,cm', '-n', namespace, '-o', 'name']);
    expect(names.trim().split('\n').sort()).toEqual([
      'configmap/kube-root-ca.crt',
      'configmap/settings',
      'deployment.apps/api',
      'deployment.apps/payments',
      'deployment.apps/web',
      'job.batch/seed-catalogue',
      'service/api',
      'service/web',
    ]);
    expect((await cluster().api.items(`/api/v1/namespaces/${namespace}/events`)).length).toBeGreaterThan(5);
    await cluster().api.until<{ items: readonly { subsets?: readonly { addresses?: readonly object[] }[] }[] }>(
      `/api/v1/namespaces/${namespace}/endpoints?fieldSelector=metadata.name=web`,
      (list) => list?.items[0]?.subsets?.[0]?.addresses?.length === 3,
    );
  });
});
