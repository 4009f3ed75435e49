import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { mixedNodes } from '../../../core/inventory/testing/clusterNodes';
import { inParallel } from '../../../nodes/shared/parallel';
import { useCluster } from '../../cluster/jest';
import { credentialFor, deploymentManifest, useTestCluster } from '../testing/cluster';
import { execute, named, outputOf } from '../testing/context';

const NODES = 500;
const DISCOVER = { resource: 'inventory', operation: 'discover' };

// Its own one: the nodes of the shared one are everybody's.
const own = useCluster({ nodes: 1, auditLog: true });
const test = useTestCluster('inventory', own);

/** The rights of the import identity, as its administrator gives them. */
let imported: ICredentialDataDecryptedObject;

beforeAll(async () => {
  const { cluster, namespace, credential } = test();
  await inParallel(mixedNodes(NODES - 1), 32, async (node) => await cluster.api.create('/api/v1/nodes', node));
  const coreDns = deploymentManifest('coredns', 0, {}, { containers: [{ name: 'coredns', image: 'coredns:v1.12.4' }] });
  await cluster.api.create('/apis/apps/v1/namespaces/kube-system/deployments', coreDns);
  await cluster.api.create('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'disk.csi.example',
    allowVolumeExpansion: true,
  });
  await cluster.api.create('/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'nginx' },
    spec: { controller: 'k8s.io/ingress-nginx' },
  });
  const parameters = { resource: 'rights', operation: 'getImportRbac', namespace: named(namespace) };
  const [access] = await outputOf({ credential, parameters });
  await cluster.apply(access?.yaml as string);
  await cluster.apply(access?.yaml as string);
  const token = await cluster.kubectl((access?.tokenCommand as string).split(' ').slice(1));
  imported = { ...credential, token: token.trim() };
});

describe('Inventory: Discover', () => {
  it('finds 500 nodes by the import identity, in at most 20 calls', async () => {
    const { cluster, namespace } = test();
    const [inventory] = await outputOf({ credential: imported, parameters: DISCOVER });

    expect(inventory).toMatchObject({
      server: cluster.server,
      version: 'v1.37.2',
      // Of eight that contradict each other the first.
      distribution: 'openshift',
      mode: 'byo',
      confidence: 'low',
      totals: {
        nodes: NODES,
        schedulable: NODES,
        capacity: { cpuMillicores: 10_628_000, gpus: { nvidia: 504, amd: 63 } },
      },
      storageClasses: [
        {
          name: 'fast',
          provisioner: 'disk.csi.example',
          default: true,
          reclaimPolicy: 'Delete',
          volumeBindingMode: 'Immediate',
          allowsExpansion: true,
        },
      ],
      ingressClasses: [{ name: 'nginx', controller: 'k8s.io/ingress-nginx', default: false }],
      coreDns: { name: 'coredns', image: 'coredns:v1.12.4', version: 'v1.12.4', replicas: 0 },
      addOns: [],
    });
    expect(inventory).not.toHaveProperty('notRead');
    expect(inventory?.nodes).toHaveLength(NODES);
    const user = `system:serviceaccount:${namespace}:navin-import`;
    const calls = cluster.auditEvents().filter((event) => event.user.username === user);
    expect(calls.map(({ verb }) => verb).filter((verb) => !['get', 'list'].includes(verb))).toEqual([]);
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.length).toBeLessThanOrEqual(20);
  });

  it('says what changed since the last one, and nothing where nothing did', async () => {
    const { cluster, namespace } = test();
    // Without a right on nodes: they become ready meanwhile, each at its time.
    const rules = [{ apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['list'] }];
    const credential = await credentialFor(cluster, { namespace, clusterRules: rules });
    const memory: IDataObject = {};
    const run = async (output: string) =>
      await outputOf({ credential, memory, parameters: { ...DISCOVER, compare: 'last', output } });
    const [first] = await run('inventory');
    expect(first?.changes).toMatchObject({ since: null, changed: false, changes: [] });
    await cluster.api.patch('/apis/storage.k8s.io/v1/storageclasses/fast', { allowVolumeExpansion: false });

    expect(await run('changes')).toEqual([
      {
        server: cluster.server,
        since: first?.discoveredAt,
        part: 'storageClasses',
        name: 'fast',
        change: 'changed',
        fields: [{ field: 'allowsExpansion', before: 'true', after: 'false' }],
      },
    ]);
    expect(await run('changes')).toEqual([]);
  });

  it('shows what everybody may see, names each right that is missing, and the roles for them', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace });
    const [inventory] = await outputOf({ credential, parameters: DISCOVER });
    expect(inventory).toMatchObject({
      version: 'v1.37.2',
      distribution: 'kubernetes',
      confidence: 'low',
      totals: null,
      nodes: null,
      storageClasses: null,
      ingressClasses: null,
      coreDns: null,
      addOns: [],
      notRead: [
        { part: 'nodes', right: 'list nodes in all namespaces' },
        { part: 'storageClasses', right: 'list storageclasses.storage.k8s.io in all namespaces' },
        { part: 'ingressClasses', right: 'list ingressclasses.networking.k8s.io in all namespaces' },
        { part: 'coreDns', right: 'get deployments.apps coredns in kube-system' },
      ],
    });
    const roles = (inventory?.roleToAdd as string).replaceAll('name: navin', `name: ${namespace}`);
    expect(await cluster.apply(roles)).toContain('serverside-applied');
  });
});

describe('Rights: Get Import RBAC', () => {
  it('lets change components of the namespace, and nothing else anywhere', async () => {
    const { cluster, namespace } = test();
    const user = `--as=system:serviceaccount:${namespace}:navin-import`;
    const can = async (...args: readonly string[]) =>
      (await cluster.kubectl(['auth', 'can-i', user, ...args]).catch(() => 'no')).trim();
    const list = await cluster.kubectl(['auth', 'can-i', '--list', '--no-headers', user, '-n', namespace]);
    const rows = list.split('\n').filter((row) => !/selfsubject|^ +\[|^$/.test(row));
    expect(
      rows.map((row) => row.trim().split(/ {2,}/)).map(([what, , , verbs]) => `${what ?? ''} ${verbs ?? ''}`),
    ).toEqual(
      expect.arrayContaining(['managedcomponents.platform.navin.ai [get list watch create update patch delete]']),
    );
    for (const resource of ['secrets', 'pods', 'deployments', 'configmaps', 'roles', 'serviceaccounts']) {
      expect([resource, await can('get', resource, '-n', namespace)]).toEqual([resource, 'no']);
    }
    expect(await can('create', 'managedcomponents.platform.navin.ai', '-n', 'default')).toBe('no');
    expect(await can('get', 'deployments/coredns', '-n', 'kube-system')).toBe('yes');
    expect(await can('get', 'deployments/other', '-n', 'kube-system')).toBe('no');
    expect(await can('patch', 'nodes')).toBe('no');
  });

  it('takes only what can be a namespace', async () => {
    const parameters = { resource: 'rights', operation: 'getImportRbac', namespace: named('a }\nkind: Secret') };
    await expect(execute({ credential: imported, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });
});

describe('Rights: Review Rights', () => {
  it('tells which rights of the Navin nodes are there', async () => {
    const parameters = { resource: 'rights', operation: 'review', groups: ['inventory'] };
    const [review] = await outputOf({ credential: imported, parameters });
    expect(review).toMatchObject({ allowed: true, missing: [] });
  });
});

describe('Operator: Get Status', () => {
  it('is an answer where there is none', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'operator', operation: 'getStatus', namespace: named(namespace) };
    expect(await outputOf({ credential, parameters })).toEqual([
      { state: 'not_installed', installed: false, leader: null, definition: null },
    ]);
  });

  it('tells what the operator manages, and that nobody leads', async () => {
    const { cluster, credential, namespace } = test();
    const args = ['--namespaces=shop,other', '--lease-name=mine'];
    const containers = [{ name: 'operator', image: 'registry.example/navin/platform-operator:0.1.0', args }];
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await cluster.api.create(path, deploymentManifest('navin-operator', 0, {}, { containers }));
    await cluster.api.create(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, {
      metadata: { name: 'mine' },
      spec: { holderIdentity: 'pod-1', renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 15 },
    });
    const parameters = { resource: 'operator', operation: 'getStatus', namespace: named(namespace) };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      {
        state: 'down',
        installed: true,
        version: '0.1.0',
        replicas: 0,
        leader: { holder: 'pod-1', expired: true },
        managedNamespaces: ['shop', 'other'],
        definition: null,
      },
    ]);
  });
});

it('the agent that is not there is an answer, too', async () => {
  const { credential, namespace } = test();
  const parameters = { resource: 'agent', operation: 'getStatus', namespace: named(namespace) };
  expect(await outputOf({ credential, parameters })).toEqual([
    { state: 'not_installed', installed: false, leader: null },
  ]);
});
