import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { RESOURCES, type KubeClient, type KubeObject } from '../kube';
import { Applier, type Applied, type ApplierOptions } from './applier';
import { CleanMemory } from './cleanMemory';
import type { Owner } from './owner';
import { claim, clusterClient, configMap, makeOwner, workload } from './testing/cluster';
import { Spy } from './testing/spy';

const cluster = sharedCluster();
const allowed = [
  { group: '', kind: 'ConfigMap' },
  { group: '', kind: 'Service' },
  { group: '', kind: 'PersistentVolumeClaim' },
  { group: '', kind: 'Namespace' },
  { group: 'apps', kind: 'Deployment' },
  { group: 'apps', kind: 'StatefulSet' },
  { group: 'example.com', kind: 'Missing' },
];
let client: KubeClient;
let namespace: string;
let owner: Owner;
let spy: Spy;
let acting = true;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('apply');
  client = clusterClient(cluster(), { namespace });
  owner = await makeOwner(client, RESOURCES.configmaps, 'owner');
});

beforeEach(() => {
  spy = new Spy(client);
  acting = true;
});

function applier(options: Partial<ApplierOptions> = {}): Applier {
  return new Applier({
    client: spy,
    fieldManager: 'test-operator',
    allowed,
    clean: new CleanMemory(),
    mayAct: () => acting,
    ...options,
  });
}

async function apply(by: Applier, objects: readonly KubeObject[], key = 'r1'): Promise<readonly Applied[]> {
  return by.apply({ owner, namespace, objects: objects.map((object) => ({ object, key })) });
}

/** Applied to what was seen, or not at all. */
async function applyTo(
  seen: KubeObject | 'absent' | undefined,
  object: KubeObject,
  by = applier(),
): Promise<readonly Applied[]> {
  return by.apply({ owner, namespace, objects: [{ object, key: 'r1', seen }] });
}

function outcomes(applied: readonly Applied[]): readonly string[] {
  return applied.map(({ id, outcome, refusal }) => [id.name, outcome, refusal?.reason].filter(Boolean).join(' '));
}

async function data(name: string): Promise<unknown> {
  return (await client.get(RESOURCES.configmaps, { name })).data;
}

describe('applying', () => {
  it('makes what is missing, changes what differs, takes away what is no longer wanted, and leaves the rest alone', async () => {
    const by = applier();
    const web = workload('Deployment', 'web');
    expect(outcomes(await apply(by, [configMap('a', { x: '1', y: '2' }), web]))).toEqual(['a created', 'web created']);
    const made = await client.get(RESOURCES.configmaps, { name: 'a' });
    expect(made.metadata.ownerReferences).toEqual([{ ...owner, controller: true }]);

    expect(outcomes(await apply(by, [configMap('a', { y: '3' }), web], 'r2'))).toEqual(['a changed', 'web unchanged']);
    expect(await data('a')).toEqual({ y: '3' });
  });

  it('costs nothing while neither render nor object has changed, and one dry run when either has', async () => {
    const by = applier();
    const object = configMap('cheap', { x: '1' });
    const [first] = await apply(by, [object]);
    spy.calls.length = 0;
    expect(outcomes(await applyTo(first?.live, object, by))).toEqual(['cheap unchanged']);
    expect(spy.calls).toEqual([]);

    expect(outcomes(await apply(by, [object], 'r2'))).toEqual(['cheap unchanged']);
    expect(outcomes(await apply(by, [object], 'r2'))).toEqual(['cheap unchanged']);
    expect(spy.calls).toEqual(['get cheap', 'try cheap', 'get cheap']);
  });

  it('that was decided by what was seen is not done to anything else', async () => {
    const [made] = await apply(applier(), [configMap('behind', { x: '1' })]);
    await client.patch(
      RESOURCES.configmaps,
      { name: 'behind' },
      { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
    );
    await expect(applyTo(made?.live, configMap('behind', { x: '2' }))).rejects.toMatchObject({ code: 'k8s_conflict' });
    await expect(applyTo('absent', configMap('behind', { x: '2' }))).rejects.toMatchObject({ code: 'k8s_conflict' });
    expect(await data('behind')).toEqual({ x: '1' });
    const now = await client.get(RESOURCES.configmaps, { name: 'behind' });
    expect(outcomes(await applyTo(now, configMap('behind', { x: '2' })))).toEqual(['behind changed']);
  });

  it('that fails half-way tells how far it came', async () => {
    const [made] = await apply(applier(), [configMap('b2', {})]);
    spy.before = async (call) => {
      const body = { data: { z: '1' } };
      if (call === 'apply b2') await client.patch(RESOURCES.configmaps, { name: 'b2' }, { type: 'merge', body });
    };
    const objects = ['b1', 'b2', 'b3'].map((name) => ({
      object: configMap(name, { x: '2' }),
      key: 'r2',
      seen: name === 'b2' ? made?.live : ('absent' as const),
    }));
    const applied = await applier().apply({ owner, namespace, objects });
    expect(outcomes(applied)).toEqual(['b1 created', 'b2 failed', 'b3 pending']);
    expect(applied[1]?.error).toMatchObject({ code: 'k8s_conflict' });
  });

  it('takes nulls, a status and server fields out of what was rendered', async () => {
    const rendered = {
      ...workload('Deployment', 'nulls', { paused: null, strategy: { type: 'Recreate', rollingUpdate: null } }),
      status: { replicas: 7 },
    };
    const odd = {
      ...rendered,
      metadata: { ...rendered.metadata, uid: 'x', resourceVersion: '5', creationTimestamp: null },
    };
    const by = applier();
    expect(outcomes(await apply(by, [odd as unknown as KubeObject]))).toEqual(['nulls created']);
    expect(outcomes(await apply(by, [odd as unknown as KubeObject], 'r2'))).toEqual(['nulls unchanged']);
  });

  it('makes an object anew that somebody deleted', async () => {
    const by = applier();
    await apply(by, [configMap('deleted', { x: '1' })]);
    await client.delete(RESOURCES.configmaps, { name: 'deleted' });
    expect(outcomes(await apply(by, [configMap('deleted', { x: '1' })]))).toEqual(['deleted created']);
  });

  it('stops before the next change when this process may not act any more', async () => {
    acting = false;
    await expect(apply(applier(), [configMap('late', {})])).rejects.toMatchObject({ code: 'k8s_aborted' });
    expect(spy.calls).toEqual(['get late', 'try late']);
  });
});

describe('what exists and is not ours', () => {
  it('is never touched, and nothing else of the render is applied', async () => {
    const other = await makeOwner(client, RESOURCES.configmaps, 'other');
    await client.create(RESOURCES.configmaps, {}, configMap('free', { by: 'hand' }));
    // The same field manager: the API server would hand the object over without a word.
    const theirs = await applier().apply({
      owner: other,
      namespace,
      objects: [{ object: configMap('theirs', { by: 'other' }), key: 'r1' }],
    });
    expect(outcomes(theirs)).toEqual(['theirs created']);
    const applied = await apply(applier(), [configMap('mine', {}), configMap('free', {}), configMap('theirs', {})]);
    expect(outcomes(applied)).toEqual(['mine pending', 'free refused ObjectOwned', 'theirs refused ObjectOwned']);
    expect(applied[2]?.refusal?.message).toBe(
      `ConfigMap "theirs" in namespace "${namespace}" exists and is controlled by ConfigMap "other": it is left alone.`,
    );
    expect([await data('free'), await data('theirs')]).toEqual([{ by: 'hand' }, { by: 'other' }]);
    await expect(data('mine')).rejects.toMatchObject({ code: 'k8s_not_found' });
  });

  it('is not touched either when it appears between the look and the apply', async () => {
    spy.before = (call) =>
      call === 'apply race' ? client.create(RESOURCES.configmaps, {}, configMap('race', { by: 'hand' })) : undefined;
    // No field of it is in conflict: only that it exists speaks against it.
    expect(outcomes(await apply(applier(), [configMap('race', { x: '1' })]))).toEqual(['race refused ObjectOwned']);
    expect(await data('race')).toEqual({ by: 'hand' });
  });

  it('is not touched when it takes the place of ours between the look and the apply', async () => {
    const by = applier();
    await apply(by, [configMap('swap', { x: '1' })]);
    spy.before = async (call) => {
      if (call !== 'apply swap') return;
      spy.before = () => undefined;
      await client.delete(RESOURCES.configmaps, { name: 'swap' });
      await client.create(RESOURCES.configmaps, {}, configMap('swap', { by: 'hand' }));
    };
    expect(outcomes(await apply(by, [configMap('swap', { x: '2' })], 'r2'))).toEqual(['swap refused ObjectOwned']);
    expect(await data('swap')).toEqual({ by: 'hand' });
  });
});

describe('what the API server refuses', () => {
  it('is a conflict, by manager and field, when somebody else set the field', async () => {
    const by = applier();
    await apply(by, [workload('Deployment', 'edited', { replicas: 1 })]);
    await client.patch(
      RESOURCES.deployments,
      { name: 'edited' },
      { type: 'merge', body: { spec: { replicas: 3 } } },
      { fieldManager: 'hand' },
    );
    const applied = await apply(by, [configMap('beside', {}), workload('Deployment', 'edited', { replicas: 1 })]);
    expect(outcomes(applied)).toEqual(['beside pending', 'edited refused ApplyConflict']);
    expect(applied[1]?.refusal?.conflicts).toEqual([{ manager: 'hand', field: '.spec.replicas' }]);
    await expect(data('beside')).rejects.toMatchObject({ code: 'k8s_not_found' });
  });

  it('is an immutable field, by its path; the object is not made anew', async () => {
    const service = (clusterIP?: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc' },
      spec: { ports: [{ port: 80 }], selector: { app: 'x' }, ...(clusterIP === undefined ? {} : { clusterIP }) },
    });
    const storage = (size: string): object => ({
      serviceName: 'set',
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
        },
      ],
    });
    const fixed = { ...configMap('fixed', { x: '1' }), immutable: true };
    const by = applier();
    const before = await apply(by, [
      workload('Deployment', 'dep'),
      workload('StatefulSet', 'set', storage('1Gi')),
      service(),
      claim('pvc', 'ReadWriteOnce'),
      fixed,
    ]);
    const after = await apply(
      by,
      [
        workload('Deployment', 'dep', { selector: { matchLabels: { app: 'dep', more: 'x' } } }),
        workload('StatefulSet', 'set', { ...storage('2Gi'), replicas: 1 }),
        service('10.96.77.77'),
        claim('pvc', 'ReadWriteMany'),
        { ...fixed, data: { x: '2' } },
        configMap('not-reached', {}),
      ],
      'r2',
    );
    expect(after.map(({ id, refusal }) => [id.name, refusal?.reason, refusal?.paths])).toEqual([
      ['dep', 'ImmutableField', ['spec.selector.matchLabels.more']],
      ['set', 'ImmutableField', ['spec.volumeClaimTemplates[0].spec.resources.requests.storage']],
      ['svc', 'ImmutableField', ['spec.clusterIPs[0]']],
      ['pvc', 'ImmutableField', ['spec.accessModes[0]']],
      ['fixed', 'ImmutableField', ['data.x']],
      ['not-reached', undefined, undefined],
    ]);
    const set = await client.get(RESOURCES.statefulsets, { name: 'set' });
    expect([set.metadata.uid, set.metadata.generation]).toEqual([before[1]?.live?.metadata.uid, 1]);
  });

  it('is not valid, by its field, also where the API server calls that a fault of its own', async () => {
    const applied = await apply(applier(), [workload('Deployment', 'unknown-field', { foo: 1 })]);
    expect(applied[0]?.refusal).toEqual({
      reason: 'ApplyRefused',
      message: expect.stringContaining('.spec.foo: field not declared in schema'),
      paths: [],
    });
    const negative = await apply(applier(), [workload('Deployment', 'negative', { replicas: -1 })]);
    expect(negative[0]?.refusal).toMatchObject({ reason: 'ApplyRefused', paths: ['spec.replicas'] });
  });

  it.each(['', '..', 'a/../../secrets/b', 'a%2fb', 'a b', 7, null])(
    'is refused by us when it is named %j',
    async (name) => {
      const odd = { ...configMap('x', {}), metadata: { name } } as unknown as KubeObject;
      const [applied] = await apply(applier(), [odd]);
      expect([applied?.refusal?.reason, spy.calls]).toEqual(['ApplyRefused', []]);
    },
  );

  it('is refused by us before it is asked: kinds, places, doubles', async () => {
    const applied = await apply(applier(), [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' } },
      { apiVersion: 7, kind: {}, metadata: { name: 'odd' } } as unknown as KubeObject,
      { ...configMap('version', {}), apiVersion: 'v1beta7' },
      { apiVersion: 'example.com/v1', kind: 'Missing', metadata: { name: 'missing' } },
      { ...configMap('elsewhere', {}), metadata: { name: 'elsewhere', namespace: 'default' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wide' } },
      configMap('twice', {}),
      { ...configMap('twice', {}), metadata: { name: 'twice', namespace } },
    ]);
    expect(outcomes(applied)).toEqual([
      'secret refused ForbiddenKind',
      'odd refused ForbiddenKind',
      'version refused UnknownKind',
      'missing refused UnknownKind',
      'elsewhere refused ForbiddenNamespace',
      'wide refused ForbiddenNamespace',
      'twice pending',
      'twice refused DuplicateObject',
    ]);
  });
});
