import { expect, it } from '@jest/globals';
import { RESOURCES, type KubeObject } from '../kube';
import { IncidentTimer } from './incidentTimer';
import { runPass } from './pass';
import { checkSettings } from './settings';
import type { Step } from './step';
import { contextOf, listedState, objectOf, watched } from './testing/objects';

const settings = checkSettings({
  resource: RESOURCES.persistentvolumeclaims,
  namespaces: [],
  watch: { kind: 'condition', condition: 'claimPending', minutes: 5 },
});
const claims = Array.from({ length: 60 }, (_, at) =>
  objectOf(`c${at}`, 101 + at, { status: { phase: 'Pending' }, metadata: { namespace: at < 50 ? 'closed' : 'open' } }),
);

it('claims that cannot be read do not keep others from being told', async () => {
  const { state } = runPass(
    listedState(settings),
    claims.map((claim) => watched('ADDED', claim)),
    contextOf(settings),
  );
  const told: (string | undefined)[] = [];
  let reads = 0;
  let afterMs = 299_000;
  const read = (namespace: string, name: string): Promise<KubeObject | undefined> => {
    reads += 1;
    return namespace === 'closed'
      ? Promise.reject(new Error('forbidden'))
      : Promise.resolve(claims.find(({ metadata }) => metadata.name === name));
  };
  const take = (steps: readonly Step[]): void => {
    for (const step of steps) {
      state.apply(step.patches);
      if (step.event) told.push(step.event.name);
    }
  };
  const timer = new IncidentTimer({
    state,
    cluster: {
      read,
      identity: () => Promise.reject(new Error('not asked')),
      newest: () => Promise.reject(new Error('not asked')),
      pages: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('not asked')) }) }),
      watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('not asked')) }) }),
    },
    signal: new AbortController().signal,
    context: () => contextOf(settings, afterMs),
    take,
  });
  await timer.look();
  expect([reads, timer.untilNext()]).toEqual([0, 1000]);
  afterMs = 300_000;
  await timer.look();
  await timer.look();
  expect(reads).toBe(100);
  expect(told.sort()).toEqual(Array.from({ length: 10 }, (_, at) => `c${50 + at}`));
});
