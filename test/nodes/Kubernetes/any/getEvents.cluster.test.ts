import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';
import { execute, executionContext, named, outputOf } from '../../testing/context';

const test = useTestCluster('any-events');
const PARAMETERS = { resource: 'any', operation: 'getEvents', kind: named('cm'), name: named('colors') };

async function happened(
  name: string,
  about: object,
  reason: string,
  at: string,
  namespace = test().namespace,
): Promise<void> {
  await test().cluster.api.create(`/api/v1/namespaces/${namespace}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { apiVersion: 'v1', ...about },
    type: 'Warning',
    reason,
    message: `${reason} was seen`,
    lastTimestamp: at,
  });
}

beforeAll(async () => {
  const { namespace } = test();
  const colors = { kind: 'ConfigMap', name: 'colors', namespace };
  await happened('a', colors, 'First', '2026-01-01T00:00:00Z');
  await happened('b', colors, 'Second', '2026-01-01T00:05:00Z');
  await happened('c', { kind: 'Secret', name: 'colors', namespace }, 'Other', '2026-01-01T00:06:00Z');
  await happened('d', { kind: 'ConfigMap', name: 'sizes', namespace }, 'Other', '2026-01-01T00:07:00Z');
  await happened(
    `node-${namespace}`,
    { kind: 'Node', name: `node-${namespace}` },
    'Rebooted',
    '2026-01-01T00:00:00Z',
    'default',
  );
});

describe('Any Resource: Get Events', () => {
  it('lists what happened to one object, newest first, although the object is not there', async () => {
    const { credential, namespace } = test();
    const events = await outputOf({ credential, parameters: PARAMETERS });
    expect(events).toMatchObject([
      { reason: 'Second', object: 'ConfigMap/colors', namespace, message: 'Second was seen' },
      { reason: 'First', type: 'Warning' },
    ]);
    expect(events).toHaveLength(2);
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, limit: 1 } })).toMatchObject([
      { reason: 'Second' },
    ]);
  });

  it('finds the events of what has no namespace', async () => {
    const { credential, namespace } = test();
    const parameters = { ...PARAMETERS, kind: named('node'), name: named(`node-${namespace}`) };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ reason: 'Rebooted', namespace: 'default' }]);
  });

  it('leaves out what happened to an earlier object of the name, unless that is asked for', async () => {
    const { cluster, credential, namespace } = test();
    const former = { kind: 'ConfigMap', name: 'again', namespace, uid: 'b1a8d4c2-0000-4000-8000-000000000001' };
    await happened('again-former', former, 'Former', new Date().toISOString());
    await happened('again-old', { ...former, uid: undefined }, 'Unnamed', '2026-01-01T00:00:00Z');
    const { metadata } = await cluster.api.create<{ metadata: { uid: string } }>(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { metadata: { name: 'again' } },
    );
    await happened('again-now', { ...former, uid: metadata.uid }, 'Present', '2026-11-01T00:00:00Z');
    const parameters = { ...PARAMETERS, name: named('again') };
    const reasons = async (options: object) =>
      (await outputOf({ credential, parameters: { ...parameters, ...options } })).map(({ reason }) => reason);
    expect(await reasons({})).toEqual(['Present']);
    expect(await reasons({ limit: 1, options: { newestFirst: false } })).toEqual(['Present']);
    expect((await reasons({ options: { earlier: true } })).sort()).toEqual(['Former', 'Present', 'Unnamed']);
    await cluster.api.delete(`/api/v1/namespaces/${namespace}/configmaps/again`);
    expect(await reasons({})).toHaveLength(3);
  });

  it('says that it cannot leave them out where the object may not be read', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: [''], resources: ['events'], verbs: ['list'] }];
    const context = executionContext({
      parameters: PARAMETERS,
      credential: await credentialFor(cluster, { namespace, rules }),
    });
    await new Kubernetes().execute.call(context);
    expect(context.notes).toEqual([
      'The ConfigMap colors may not be read: events about earlier ones of its name may be among these',
    ]);
  });

  it('needs the right to list events and no other', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: [''], resources: ['events'], verbs: ['list'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    expect(await outputOf({ credential, parameters: PARAMETERS })).toHaveLength(2);
    const none = await credentialFor(cluster, { namespace });
    await expect(execute({ credential: none, parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_forbidden', details: { verb: 'list', resource: 'events' } },
    });
  });
});
