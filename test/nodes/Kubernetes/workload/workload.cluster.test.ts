import { beforeAll, describe, expect, it } from '@jest/globals';
import { daemonSetManifest, deploymentManifest, statefulSetManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('workload');

/** The kinds that roll out pods, each with one of them. */
const KINDS = [
  ['deployment', deploymentManifest('web', 2)],
  ['statefulset', statefulSetManifest('web', 2)],
  ['daemonset', daemonSetManifest('web')],
] as const;
type Kind = (typeof KINDS)[number][0];

beforeAll(async () => {
  const { cluster, namespace } = test();
  for (const [kind, manifest] of KINDS) {
    await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/${kind}s`, manifest);
  }
  for (const [kind] of KINDS) await rolledOut(kind);
});

interface Workload {
  metadata: { generation: number };
  spec: {
    template: {
      metadata: { annotations?: Record<string, string> };
      spec: { containers: { image: string; env?: object[] }[] };
    };
  };
}

async function read(kind: Kind): Promise<Workload> {
  const { cluster, namespace } = test();
  return await cluster.api.get<Workload>(`/apis/apps/v1/namespaces/${namespace}/${kind}s/web`);
}

async function run(kind: Kind, operation: string, parameters: object = {}) {
  const { credential } = test();
  return await outputOf({ credential, parameters: { resource: kind, operation, name: named('web'), ...parameters } });
}

async function rolledOut(kind: Kind) {
  const options = { intervalSeconds: 1 };
  const [state] = await run(kind, 'getRolloutStatus', { wait: true, timeoutSeconds: 90, options });
  expect(state).toMatchObject({ name: 'web', status: 'complete' });
}

const variables = (name: string, value: string) => ({ variables: { variable: [{ name, value }] } });

describe.each(KINDS.map(([kind]) => kind))('%s', (kind) => {
  it('is got and listed in flat fields', async () => {
    const { namespace } = test();
    const [one] = await run(kind, 'get');
    expect(one).toMatchObject({ name: 'web', namespace, images: { app: 'nginx:1' }, labels: { app: 'web' } });
    expect(await run(kind, 'getAll')).toEqual([one]);
  });

  it('restarts by the annotation of kubectl', async () => {
    const [restarted] = await run(kind, 'restart');
    expect((await read(kind)).spec.template.metadata.annotations).toEqual({
      'kubectl.kubernetes.io/restartedAt': restarted?.restartedAt,
    });
    expect(restarted).not.toHaveProperty('warning');
    await rolledOut(kind);
  });

  it('gets another image, its history tells of it, and it goes back', async () => {
    expect(await run(kind, 'setImage', { image: 'nginx:2' })).toMatchObject([
      { images: { app: 'nginx:2' }, previousImage: 'nginx:1', changed: true },
    ]);
    await rolledOut(kind);
    const history = await run(kind, 'getRolloutHistory');
    expect(history).toMatchObject([
      { revision: 3, current: true, images: { app: 'nginx:2' } },
      { revision: 2, current: false, images: { app: 'nginx:1' }, restartedAt: expect.any(String) },
      { revision: 1, current: false, images: { app: 'nginx:1' } },
    ]);
    expect(await run(kind, 'undo')).toMatchObject([{ restoredRevision: 2, changed: true, images: { app: 'nginx:1' } }]);
    await rolledOut(kind);
    expect(await run(kind, 'undo', { revision: 3 })).toMatchObject([{ changed: true, images: { app: 'nginx:2' } }]);
    await rolledOut(kind);
    const [newest] = await run(kind, 'getRolloutHistory');
    expect(await run(kind, 'undo', { revision: newest?.revision })).toMatchObject([{ changed: false }]);
  });

  it('names the revisions there are when the wanted one is not', async () => {
    const [newest] = await run(kind, 'getRolloutHistory');
    await expect(run(kind, 'undo', { revision: 99 })).rejects.toMatchObject({
      message: expect.stringMatching(/ web has no revision 99$/),
      description: expect.stringContaining(`It has: ${newest?.revision as number}, `),
      context: { code: 'k8s_not_found' },
    });
  });

  it('gets, changes and loses environment variables, which nobody sees in the output', async () => {
    const set = await run(kind, 'setEnvironment', variables('PASSWORD', 's3cr3t-value'));
    expect(set).toMatchObject([{ container: 'app', set: ['PASSWORD'], removed: [], changed: true }]);
    expect(JSON.stringify(set)).not.toContain('s3cr3t-value');
    await run(kind, 'setEnvironment', variables('LEVEL', 'debug'));
    const envOf = async () => (await read(kind)).spec.template.spec.containers[0]?.env ?? [];
    expect(await envOf()).toEqual(
      expect.arrayContaining([
        { name: 'PASSWORD', value: 's3cr3t-value' },
        { name: 'LEVEL', value: 'debug' },
      ]),
    );
    expect(await run(kind, 'setEnvironment', variables('LEVEL', 'debug'))).toMatchObject([{ changed: false }]);
    const options = { remove: ['PASSWORD', 'NEVER_THERE'] };
    expect(await run(kind, 'setEnvironment', { ...variables('LEVEL', ''), options })).toMatchObject([
      { set: ['LEVEL'], removed: ['PASSWORD', 'NEVER_THERE'], changed: true },
    ]);
    expect(await envOf()).toEqual([{ name: 'LEVEL' }]);
  });

  it('says that it is not there', async () => {
    const { credential } = test();
    for (const operation of ['get', 'restart', 'getRolloutHistory', 'undo']) {
      await expect(
        execute({ credential, parameters: { resource: kind, operation, name: named('nothing') } }),
      ).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
    }
  });
});

describe('a variable', () => {
  it('that was read from a Secret becomes a value', async () => {
    const { cluster, namespace } = test();
    const valueFrom = { secretKeyRef: { name: 'login', key: 'password' } };
    const containers = [{ name: 'app', image: 'nginx:1', env: [{ name: 'PASSWORD', valueFrom }] }];
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await cluster.api.create(path, deploymentManifest('from', 0, {}, { containers }));
    await run('deployment', 'setEnvironment', { ...variables('PASSWORD', 'plain'), name: named('from') });
    const after = await cluster.api.get<Workload>(`${path}/from`);
    expect(after.spec.template.spec.containers[0]?.env).toEqual([{ name: 'PASSWORD', value: 'plain' }]);
  });

  it.each([
    ['is missing', {}, "'Variables' is empty: there is nothing to set or remove"],
    ['has no valid name', variables('A=B', 'x'), "'Variables' has a name that is empty or holds = or spaces"],
    ['is named twice', { ...variables('A', 'x'), options: { remove: ['A'] } }, "'Variables' names A twice"],
  ])('that %s is refused', async (_what, parameters, message) => {
    await expect(run('deployment', 'setEnvironment', parameters)).rejects.toMatchObject({ message });
  });
});

describe('StatefulSet and DaemonSet', () => {
  it('say that OnDelete replaces no pods by itself, and are not waited for', async () => {
    const { cluster, namespace } = test();
    const manual = { updateStrategy: { type: 'OnDelete' } };
    for (const [kind, manifest] of [
      ['statefulset', statefulSetManifest('manual', 1, manual)],
      ['daemonset', daemonSetManifest('manual', manual)],
    ] as const) {
      await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/${kind}s`, manifest);
      const name = named('manual');
      expect(await run(kind, 'restart', { name })).toMatchObject([
        { warning: 'its update strategy is OnDelete: each pod is replaced when somebody deletes it' },
      ]);
      await expect(run(kind, 'getRolloutStatus', { name, wait: true, timeoutSeconds: 300 })).rejects.toMatchObject({
        message: expect.stringMatching(/^The rollout of manual failed: .* OnDelete/),
      });
    }
  });

  it('StatefulSet scales to 0 and up again', async () => {
    expect(await run('statefulset', 'scale', { replicas: 0 })).toMatchObject([{ replicas: 0 }]);
    expect(await run('statefulset', 'scale', { replicas: 1 })).toMatchObject([{ replicas: 1 }]);
  });
});

describe('a paused Deployment', () => {
  it('holds changes until it is resumed', async () => {
    expect(await run('deployment', 'pause')).toMatchObject([{ paused: true, changed: true }]);
    expect(await run('deployment', 'pause')).toMatchObject([{ paused: true, changed: false }]);
    for (const operation of ['restart', 'undo']) {
      await expect(run('deployment', operation)).rejects.toMatchObject({
        message: expect.stringMatching(/^The Deployment web is paused: /),
        context: { code: 'k8s_operation_refused' },
      });
    }
    expect(await run('deployment', 'setEnvironment', variables('HELD', 'yes'))).toMatchObject([
      { warning: 'it is paused: the environment rolls out when it is resumed' },
    ]);
    expect(await run('deployment', 'resume')).toMatchObject([{ paused: false, changed: true }]);
    expect(await run('deployment', 'resume')).toMatchObject([{ paused: false, changed: false }]);
    await rolledOut('deployment');
  });
});
