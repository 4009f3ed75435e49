import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('events');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const create = async (name: string, fields: object): Promise<void> => {
    await cluster.api.create(`/api/v1/namespaces/${namespace}/events`, {
      metadata: { name },
      involvedObject: { kind: 'Pod', name: 'web-1', namespace, fieldPath: 'spec.containers{app}' },
      reason: 'BackOff',
      message: 'Back-off restarting failed container',
      type: 'Warning',
      count: 3,
      source: { component: 'kubelet', host: 'node-1' },
      ...fields,
    });
  };
  await create('a-oldest', { firstTimestamp: '2026-01-31T10:00:00Z', lastTimestamp: '2026-01-31T10:05:00Z' });
  await create('b-newest', {
    lastTimestamp: '2026-01-31T12:00:00Z',
    involvedObject: { kind: 'Pod', name: 'web-2', namespace },
  });
  await create('c-middle', { lastTimestamp: '2026-01-31T11:00:00Z', type: 'Normal', reason: 'Pulled' });
  await create('d-job', {
    lastTimestamp: '2026-01-31T09:00:00Z',
    involvedObject: { kind: 'Job', name: 'a,b=c', namespace },
  });
});

const PARAMETERS = { resource: 'event', operation: 'getAll' };

describe('Event: Get Many', () => {
  it('gives the newest events first', async () => {
    const { credential } = test();
    const events = await outputOf({ credential, parameters: PARAMETERS });
    expect(events.map(({ name }) => name)).toEqual(['b-newest', 'c-middle', 'a-oldest', 'd-job']);
  });

  it('gives the newest of all with a limit, not the first of the list', async () => {
    const { credential } = test();
    const events = await outputOf({ credential, parameters: { ...PARAMETERS, limit: 1 } });
    expect(events).toMatchObject([{ name: 'b-newest' }]);
  });

  it('gives the first of the list when asked to', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, limit: 1, options: { newestFirst: false } };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'a-oldest' }]);
  });

  it('gives an event in flat fields', async () => {
    const { credential, namespace } = test();
    const parameters = { ...PARAMETERS, objectKind: 'Pod', objectName: 'web-1', type: 'Warning' };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        type: 'Warning',
        reason: 'BackOff',
        message: 'Back-off restarting failed container',
        object: 'Pod/web-1',
        objectKind: 'Pod',
        objectName: 'web-1',
        container: 'app',
        namespace,
        count: 3,
        firstSeen: '2026-01-31T10:00:00Z',
        lastSeen: '2026-01-31T10:05:00Z',
        source: 'kubelet',
        node: 'node-1',
        name: 'a-oldest',
      },
    ]);
  });

  it.each([
    ['type', { type: 'Normal' }, ['c-middle']],
    ['kind', { objectKind: 'Job' }, ['d-job']],
    ['name', { objectName: ' web-2 ' }, ['b-newest']],
    ['a name with the signs of a selector in it', { objectName: 'a,b=c' }, ['d-job']],
    ['reason', { options: { reason: 'Pulled' } }, ['c-middle']],
  ])('selects by %s', async (_what, chosen, names) => {
    const { credential } = test();
    const events = await outputOf({ credential, parameters: { ...PARAMETERS, ...chosen } });
    expect(events.map(({ name }) => name)).toEqual(names);
  });

  it('gives whole events when Simplify is off', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, limit: 1, simplify: false };
    const [event] = await outputOf({ credential, parameters });
    expect(event).toMatchObject({ metadata: { name: 'b-newest' }, involvedObject: { name: 'web-2' } });
    expect(event?.metadata).not.toHaveProperty('managedFields');
  });
});
