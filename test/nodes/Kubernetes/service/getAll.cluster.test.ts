import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('service-list');

beforeAll(async () => {
  const { cluster, namespace } = test();
  for (const name of ['api', 'web']) {
    await cluster.api.create(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name, labels: { app: name } },
      spec: { ports: [{ port: 80 }] },
    });
  }
});

describe('Service: Get Many', () => {
  it('gives one item for each service', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: { resource: 'service', operation: 'getAll' } })).toMatchObject([
      { name: 'api', ports: ['80/TCP to 80'] },
      { name: 'web' },
    ]);
  });

  it('selects by label', async () => {
    const { credential } = test();
    const options = { labelSelector: 'app in (web)' };
    const parameters = { resource: 'service', operation: 'getAll', options };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'web' }]);
  });
});
