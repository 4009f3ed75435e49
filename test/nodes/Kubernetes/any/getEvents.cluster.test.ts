import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

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
