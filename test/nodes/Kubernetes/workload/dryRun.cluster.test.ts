import { beforeAll, describe, expect, it } from '@jest/globals';
import { daemonSetManifest, deploymentManifest, statefulSetManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('dry-run');
const options = { dryRun: true };
const IMAGE = 'spec.template.spec.containers[name=app].image';
const ENV = 'spec.template.spec.containers[name=app].env';

const KINDS = [
  ['deployment', deploymentManifest('web', 0)],
  ['statefulset', statefulSetManifest('web', 0)],
  ['daemonset', daemonSetManifest('web')],
] as const;

const pathOf = (kind: string, name = ''): string => `/apis/apps/v1/namespaces/${test().namespace}/${kind}s${name}`;

beforeAll(async () => {
  const { cluster } = test();
  for (const [kind, manifest] of KINDS) await cluster.api.create(pathOf(kind), manifest);
  const annotations = { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/git' };
  const manifest = deploymentManifest('git', 0) as { metadata: object };
  await cluster.api.create(pathOf('deployment'), { ...manifest, metadata: { ...manifest.metadata, annotations } });
});

async function perform(kind: string, operation: string, more: object = {}, name = 'web') {
  const parameters = { resource: kind, operation, name: named(name), options, ...more };
  return await outputOf({ credential: test().credential, parameters });
}

interface Stored {
  readonly metadata: { readonly generation: number };
  readonly spec: object;
}

async function stored(kind: string, name = 'web'): Promise<Stored> {
  const { metadata, spec } = await test().cluster.api.get<Stored>(pathOf(kind, `/${name}`));
  return { metadata: { generation: metadata.generation }, spec };
}

describe.each(KINDS.map(([kind]) => kind))('a dry run on a %s', (kind) => {
  it('says what would change, field by field, and changes nothing', async () => {
    const before = await stored(kind);
    expect(await perform(kind, 'setImage', { image: 'nginx:2' })).toMatchObject([
      {
        images: { app: 'nginx:2' },
        changed: true,
        dryRun: true,
        changes: [{ path: IMAGE, before: 'nginx:1', after: 'nginx:2' }],
      },
    ]);
    const [restarted] = await perform(kind, 'restart');
    expect(restarted).toMatchObject({
      dryRun: true,
      changes: [
        {
          path: 'spec.template.metadata.annotations',
          after: { 'kubectl.kubernetes.io/restartedAt': restarted?.restartedAt },
        },
      ],
    });
    const variables = { variable: [{ name: 'PASSWORD', value: 's3cr3t-value' }] };
    const set = await perform(kind, 'setEnvironment', { variables });
    expect(set).toMatchObject([
      { set: ['PASSWORD'], changed: true, changes: [{ path: ENV, after: [{ name: 'PASSWORD', value: '(masked)' }] }] },
    ]);
    expect(JSON.stringify(set)).not.toContain('s3cr3t-value');
    expect(await stored(kind)).toEqual(before);
  });
});

describe('a dry run on a Deployment', () => {
  it('tells of the number of pods, and of holding the rollout', async () => {
    const before = await stored('deployment');
    expect(await perform('deployment', 'scale', { replicas: 3 })).toMatchObject([
      { replicas: 3, dryRun: true, changes: [{ path: 'spec.replicas', before: 0, after: 3 }] },
    ]);
    expect(await perform('deployment', 'scale', { replicas: 0 })).toMatchObject([{ changes: [] }]);
    expect(await perform('deployment', 'pause')).toMatchObject([
      { paused: true, changed: true, changes: [{ path: 'spec.paused', after: true }] },
    ]);
    expect(await perform('deployment', 'resume')).toMatchObject([{ changed: false, changes: [] }]);
    expect(await stored('deployment')).toEqual(before);
  });

  it('shows what going back would change, without the values of variables', async () => {
    const variables = { variable: [{ name: 'PASSWORD', value: 's3cr3t-value' }] };
    const name = 'back';
    const { cluster } = test();
    await cluster.api.create(pathOf('deployment'), deploymentManifest(name, 0));
    const revision = (wanted: string) =>
      cluster.api.until(pathOf('deployment', `/${name}`), (object) =>
        JSON.stringify(object ?? {}).includes(`"deployment.kubernetes.io/revision":"${wanted}"`),
      );
    await revision('1');
    await perform('deployment', 'setEnvironment', { variables, options: {} }, name);
    await revision('2');
    const before = await stored('deployment', name);
    const undone = await perform('deployment', 'undo', {}, name);
    expect(undone).toMatchObject([
      {
        restoredRevision: 1,
        changed: true,
        dryRun: true,
        changes: [{ path: ENV, before: [{ name: 'PASSWORD', value: '(masked)' }] }],
      },
    ]);
    expect(JSON.stringify(undone)).not.toContain('s3cr3t-value');
    expect(await stored('deployment', name)).toEqual(before);
  });

  it('warns of who would undo the change, and that it is refused without force', async () => {
    const undone = 'Argo CD applies it from Git and may undo this';
    expect(await perform('deployment', 'setImage', { image: 'nginx:2' }, 'git')).toMatchObject([
      { dryRun: true, warning: `${undone}; it is refused without the option 'Force'` },
    ]);
    const forced = { image: 'nginx:2', options: { ...options, force: true } };
    expect(await perform('deployment', 'setImage', forced, 'git')).toMatchObject([{ dryRun: true, warning: undone }]);
  });

  it('fails as the change would', async () => {
    const parameters = { resource: 'deployment', operation: 'setImage', image: 'nginx:2', options };
    await expect(
      execute({ credential: test().credential, parameters: { ...parameters, name: named('nothing') } }),
    ).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
    const variables = { variable: [{ name: 'A', from: 'secret', source: 'login', key: 'not a key' }] };
    await expect(perform('deployment', 'setEnvironment', { variables })).rejects.toMatchObject({
      context: { code: 'k8s_invalid' },
    });
  });
});
