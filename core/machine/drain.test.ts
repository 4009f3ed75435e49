import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import type { KubeClient, KubeObject } from '../kube';
import { drainPods, podsOnNode } from './drain';

const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'o', controller: true };
const pod = (uid: string, ending = false): KubeObject => ({
  metadata: {
    uid,
    name: `web-${uid}`,
    namespace: 'shop',
    ownerReferences: [OWNER],
    ...(ending ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
});

const noRoom = new NavinError('k8s_operation_refused', 'no room', {
  details: { refusedBy: 'DisruptionBudget', budget: 'web' },
});
const overloaded = new NavinError('k8s_throttled', 'overloaded');

type Step<T> = T | Error;

/** An API server whose answers are told one after another; the last one stays. */
function scripted(looks: readonly Step<readonly KubeObject[]>[], evictions: readonly Step<'accepted'>[]) {
  let time = 0;
  const asked: { readonly at: number; readonly body: unknown }[] = [];
  const next = <T>(steps: Step<T>[]): T => {
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (step instanceof Error) throw step;
    return step as T;
  };
  const [left, answers] = [[...looks], [...evictions]];
  const client = {
    pages: async function* () {
      yield await Promise.resolve({ items: next(left) });
    },
    create: async (_resource: unknown, _ref: unknown, body: unknown) => {
      asked.push({ at: time, body });
      return await Promise.resolve(next(answers));
    },
  };
  const clock = {
    now: () => time,
    sleep: async (ms: number) => {
      time += ms;
      await Promise.resolve();
    },
  };
  const options = { node: 'node-1', timeoutSeconds: 60, intervalSeconds: 2, clock, signal: undefined };
  return { client: client as unknown as KubeClient, asked, options };
}

async function drain(looks: readonly Step<readonly KubeObject[]>[], evictions: readonly Step<'accepted'>[], more = {}) {
  const { client, asked, options } = scripted([[pod('1')], ...looks], evictions);
  const pods = await podsOnNode(client, options);
  return { asked, result: await drainPods(client, pods, { ...options, ...more }) };
}

const GONE = { uid: '1', namespace: 'shop', name: 'web-1', state: 'gone' };

describe('a drain', () => {
  it('asks for the eviction of this very pod once, and looks until it is gone', async () => {
    const { asked, result } = await drain([[pod('1', true)], [pod('1', true)], []], ['accepted']);
    expect(result).toEqual({ pods: [GONE], drained: true, seconds: 4 });
    expect(asked).toEqual([
      {
        at: 0,
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'web-1', namespace: 'shop' },
          deleteOptions: { preconditions: { uid: '1' } },
        },
      },
    ]);
  });

  it('gives containers the grace period that was asked for', async () => {
    const { asked } = await drain([[]], ['accepted'], { gracePeriodSeconds: 0 });
    expect(asked[0]?.body).toMatchObject({ deleteOptions: { gracePeriodSeconds: 0, preconditions: { uid: '1' } } });
  });

  it('waits five seconds and more for a budget that has no room', async () => {
    const here = [pod('1')];
    const { asked, result } = await drain([here, here, here, here, here, here, []], [noRoom, noRoom, 'accepted']);
    expect(asked.map(({ at }) => at)).toEqual([0, 6_000, 12_000]);
    expect(result).toMatchObject({ drained: true, seconds: 12 });
  });

  it('ends at the deadline, and says what held it', async () => {
    const { asked, result } = await drain([[pod('1')]], [noRoom], { timeoutSeconds: 7 });
    expect(result).toEqual({
      pods: [{ ...GONE, state: 'blocked', budget: 'web', message: 'no room' }],
      drained: false,
      seconds: 7,
    });
    expect(asked.map(({ at }) => at)).toEqual([0, 6_000]);
  });

  it('goes on after faults that pass, of looks and of evictions', async () => {
    const unknown = new NavinError('k8s_outcome_unknown', 'lost');
    const { result } = await drain([[pod('1')], overloaded, [pod('1')], []], [unknown, 'accepted']);
    expect(result).toMatchObject({ drained: true, pods: [GONE] });
  });

  it.each([
    ['a right is missing', [[pod('1')]], [new NavinError('k8s_forbidden', 'no right')]],
    ['looks are refused', [new NavinError('k8s_unauthorized', 'no credential')], ['accepted']],
  ] as const)('ends at once when %s', async (_name, looks, evictions) => {
    await expect(drain(looks, evictions)).rejects.toMatchObject({
      code: expect.stringMatching(/^k8s_(forbidden|unauthorized)$/),
    });
  });

  it('is not fooled by a new pod of the same name', async () => {
    const again = { ...pod('2'), metadata: { ...pod('2').metadata, name: 'web-1' } };
    const { asked, result } = await drain([[again]], ['accepted']);
    expect([result.drained, asked.length]).toEqual([true, 1]);
  });

  it('has nothing to do on an empty node', async () => {
    const { client, asked, options } = scripted([[]], []);
    expect(await drainPods(client, [], options)).toEqual({ pods: [], drained: true, seconds: 0 });
    expect(asked).toEqual([]);
  });
});
