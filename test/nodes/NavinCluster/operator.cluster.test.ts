import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { installComponents, startTestOperator } from '../../../operator/src/testing/testOperator';
import { useTestCluster } from '../testing/cluster';
import { named, outputOf } from '../testing/context';

const test = useTestCluster('status');
const config = (file: string): string => readFileSync(join(__dirname, '../../../operator/config', file), 'utf8');

it('the operator that runs leads and is ready, as its own manifests install it', async () => {
  const { cluster, namespace, credential } = test();
  const client = clusterClient(cluster);
  await installComponents(client);
  client.close();
  for (const file of ['rbac/service_account.yaml', 'manager/manager.yaml']) {
    await cluster.apply(config(file).replaceAll('namespace: navin-system', `namespace: ${namespace}`));
  }
  const managed = await cluster.freshNamespace('managed');
  const operator = await startTestOperator(cluster, { namespaces: [managed], leaseNamespace: namespace });
  try {
    await cluster.api.until(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/navin-operator`, (lease) =>
      JSON.stringify(lease ?? {}).includes('renewTime'),
    );
    await cluster.api.until(`/apis/apps/v1/namespaces/${namespace}/deployments/navin-operator`, (deployment) =>
      JSON.stringify(deployment ?? {}).includes('"availableReplicas":2'),
    );
    const parameters = { resource: 'operator', operation: 'getStatus', namespace: named(namespace) };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      {
        state: 'ready',
        installed: true,
        name: 'navin-operator',
        version: '0.1.0',
        replicas: 2,
        availableReplicas: 2,
        leader: { holder: expect.stringMatching(/^test-/), expired: false },
        managedNamespaces: ['navin-platform'],
        definition: 'platform.navin.ai/v1alpha1',
      },
    ]);
  } finally {
    await operator.stop();
  }
  const parameters = { resource: 'inventory', operation: 'discover' };
  const [inventory] = await outputOf({ credential, parameters });
  expect(inventory?.addOns).toContainEqual({
    name: 'Navin Platform Operator',
    group: 'platform.navin.ai',
    versions: ['v1alpha1'],
    available: true,
  });
});
