import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, deploymentManifest, statefulSetManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('owners');

type Manifest = Readonly<{ metadata: object }>;

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const marked = async (name: string, metadata: object) => {
    const manifest = deploymentManifest(name, 1) as Manifest;
    await cluster.api.create(deployments, { ...manifest, metadata: { ...manifest.metadata, name, ...metadata } });
  };
  await marked('argo', { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/argo' } });
  await marked('flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } });
  await marked('flux-off', {
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' },
    annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
  });
  const owner = await cluster.api.create<{ metadata: { uid: string } }>(`/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: 'cluster' },
  });
  const owned = statefulSetManifest('db', 1) as Manifest;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'cluster', uid: owner.metadata.uid, controller: true };
  await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, {
    ...owned,
    metadata: { name: 'db', ownerReferences: [reference] },
  });
});

const deployment = (operation: string, name: string, more: object = {}) => ({
  resource: 'deployment',
  operation,
  name: named(name),
  ...more,
});
const CHANGES = [
  ['scale', { replicas: 2 }],
  ['setImage', { image: 'nginx:2' }],
  ['setEnvironment', { variables: { variable: [{ name: 'LEVEL', value: 'debug' }] } }],
] as const;
const FORCED = { options: { force: true } };

describe('a Deployment that a GitOps tool applies', () => {
  it.each(CHANGES)('is not changed by %s, which Git would undo, unless forced', async (operation, more) => {
    const { credential } = test();
    const parameters = deployment(operation, 'argo', more);
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The Deployment argo is not its own: Argo CD applies it from Git and may undo this',
      description: expect.stringContaining("Make the change in Git, or use the option 'Force'"),
      context: { code: 'k8s_operation_refused', details: { tool: 'Argo CD' } },
    });
    expect(await outputOf({ credential, parameters: { ...parameters, ...FORCED } })).toMatchObject([
      { name: 'argo', warning: 'Argo CD applies it from Git and may undo this' },
    ]);
  });

  // derailed/k9s#3285
  it('restarts with the warning that it may restart once more', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: deployment('restart', 'flux') })).toMatchObject([
      { warning: 'Flux applies it from Git: where it takes this back, the pods are replaced once more' },
    ]);
  });

  it('is changed where the tool is told to leave it alone', async () => {
    const { credential } = test();
    const [changed] = await outputOf({ credential, parameters: deployment('scale', 'flux-off', { replicas: 2 }) });
    expect(changed).toMatchObject({ replicas: 2 });
    expect(changed).not.toHaveProperty('warning');
  });
});

describe('a StatefulSet that an operator controls', () => {
  // aptakube#233; gardener#8463; formance ledger PR#1764; stacklok/toolhive#6344, PR#6378
  it.each([...CHANGES, ['restart', {}], ['undo', { revision: 1 }]] as const)(
    'is not changed by %s, which the operator would undo, unless forced',
    async (operation, more) => {
      const { credential } = test();
      const parameters = { resource: 'statefulset', operation, name: named('db'), ...more };
      await expect(execute({ credential, parameters })).rejects.toMatchObject({
        message: 'The StatefulSet db is not its own: the ConfigMap cluster controls it and may undo this',
        context: { code: 'k8s_operation_refused', details: { operator: 'ConfigMap cluster' } },
      });
      expect(await outputOf({ credential, parameters: { ...parameters, ...FORCED } })).toMatchObject([
        { name: 'db', warning: 'the ConfigMap cluster controls it and may undo this' },
      ]);
    },
  );
});

describe('a disruption budget without room', () => {
  const warning = expect.stringMatching(
    /^the PodDisruptionBudget full has no room: 1 pods are healthy, and it asks for 1$/,
  );

  beforeAll(async () => {
    const { cluster, namespace } = test();
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await cluster.api.create(deployments, deploymentManifest('tight', 1));
    const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    await cluster.api.create(budgets, {
      metadata: { name: 'full' },
      spec: { minAvailable: '100%', selector: { matchLabels: { app: 'tight' } } },
    });
    await cluster.api.until(`${budgets}/full`, (budget) => {
      const { currentHealthy, desiredHealthy } = (budget?.status ?? {}) as Record<string, number>;
      return currentHealthy === 1 && desiredHealthy === 1;
    });
  });

  it('is warned of before pods are replaced', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: deployment('restart', 'tight') })).toMatchObject([{ warning }]);
    const [other] = await outputOf({ credential, parameters: deployment('restart', 'flux-off') });
    expect(other).not.toHaveProperty('warning');
  });

  it('is not looked for where budgets may not be listed', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const [restarted] = await outputOf({ credential, parameters: deployment('restart', 'tight') });
    expect(restarted).toMatchObject({ name: 'tight' });
    expect(restarted).not.toHaveProperty('warning');
  });
});
