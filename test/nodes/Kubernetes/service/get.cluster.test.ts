import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('service-get');

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.create(`/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      type: 'NodePort',
      selector: { app: 'web' },
      ports: [{ name: 'http', port: 80, targetPort: 8080 }],
      externalIPs: ['203.0.113.7'],
    },
  });
});

describe('Service: Get', () => {
  it('gives a service in flat fields', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'service', operation: 'get', name: named('web') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'web',
        namespace,
        type: 'NodePort',
        clusterIP: expect.stringMatching(/^\d+\./),
        clusterIPs: [expect.stringMatching(/^\d+\./)],
        external: ['203.0.113.7'],
        ports: [expect.stringMatching(/^http 80\/TCP to 8080, node port \d+$/)],
        selector: { app: 'web' },
        sessionAffinity: 'None',
        createdAt: expect.any(String),
        labels: { app: 'web' },
      },
    ]);
  });

  it('says which service is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'service', operation: 'get', name: named('api') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
