import { expect, it } from '@jest/globals';
import { description as DISCOVER } from '../../../nodes/NavinCluster/actions/inventory/discover.operation';
import { outputOf } from '../testing/context';
import { forbidden, statusAnswer, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'navin-operator', namespace: 'navin-system', generation: 1 },
  spec: { replicas: 1 },
  status: { observedGeneration: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 },
};

it('the operator is looked for where its manifests put it, and without a right on Leases nothing is said of a leader', async () => {
  api().answer(({ path }) => {
    if (path.endsWith('/navin-system/deployments/navin-operator')) return { json: DEPLOYMENT };
    if (path.endsWith('/navin-system/leases/navin-operator')) return forbidden('get', 'leases', 'navin-system');
    return statusAnswer(403, 'Forbidden', 'forbidden');
  });
  const parameters = { resource: 'operator', operation: 'getStatus' };
  expect(await outputOf({ credential: api().credential(), parameters })).toEqual([
    {
      state: 'ready',
      installed: true,
      name: 'navin-operator',
      namespace: 'navin-system',
      replicas: 1,
      readyReplicas: 1,
      updatedReplicas: 1,
      availableReplicas: 1,
    },
  ]);
});

it('the agent is looked for where it is installed by default', async () => {
  await outputOf({ credential: api().credential(), parameters: { resource: 'agent', operation: 'getStatus' } });
  expect(api().requests.map(({ path }) => path)).toContain(
    '/apis/apps/v1/namespaces/navin-platform/deployments/navin-cluster-agent',
  );
});

it('the rights of the import identity are text: nothing is sent for them', async () => {
  const parameters = { resource: 'rights', operation: 'getImportRbac' };
  const [access] = await outputOf({ credential: api().credential(), parameters });
  expect(access).toMatchObject({
    namespace: 'navin-platform',
    serviceAccount: 'navin-import',
    tokenCommand: 'kubectl -n navin-platform create token navin-import',
  });
  expect(api().requests).toEqual([]);
  const [names] = DISCOVER.rights.flatMap((right) => ('names' in right ? [right.names] : []));
  expect(access?.yaml).toContain(`resourceNames: [${names?.join(', ') ?? ''}]`);
});
