import fc from 'fast-check';
import type { ClusterFault } from './clusterFaults';
import type { N8nMood } from './n8nModel';
import { World, type WorldOptions } from './world';

/** Something that happens in a world. */
export type Happening =
  | { readonly do: 'create'; readonly namespace: number; readonly app: number }
  | { readonly do: 'update'; readonly pick: number; readonly spec: boolean }
  | { readonly do: 'relabel'; readonly pick: number; readonly app: number }
  | { readonly do: 'delete'; readonly pick: number }
  | { readonly do: 'time'; readonly seconds: number }
  /** Writes at odd moments of the seconds to come: while pages are read, while events are handed over. */
  | { readonly do: 'busy'; readonly writes: number; readonly seconds: number }
  | { readonly do: 'compact' }
  | { readonly do: 'fault'; readonly fault: ClusterFault }
  | { readonly do: 'outage'; readonly seconds: number }
  | { readonly do: 'mood'; readonly mood: N8nMood }
  | { readonly do: 'kill'; readonly seconds: number }
  | { readonly do: 'reactivate' }
  | { readonly do: 'roll-back'; readonly pick: number }
  | { readonly do: 'prune' }
  | { readonly do: 'jump'; readonly hours: number }
  | { readonly do: 'restore'; readonly exchange: boolean };

const small = fc.nat({ max: 20 });

/** A happening, likely ones more often. */
export const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      namespace: fc.nat({ max: 1 }),
      app: fc.nat({ max: 1 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('update' as const), pick: small, spec: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('relabel' as const), pick: small, app: fc.nat({ max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), pick: small }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('time' as const), seconds: fc.constantFrom(0.02, 0.2, 1, 4, 10, 30) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('busy' as const),
      writes: fc.integer({ min: 2, max: 12 }),
      seconds: fc.constantFrom(0.1, 5, 20),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'compact' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom<ClusterFault>(
        'down',
        'cut',
        'stall',
        'repeat',
        'expired',
        'too-large',
        'too-long',
        'inconsistent',
        'list-cut',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), seconds: fc.constantFrom(5, 60, 400) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('mood' as const),
      mood: fc.constantFrom<N8nMood>('well', 'slow', 'refusing', 'stopping', 'silent', 'throttled', 'not-saving'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), seconds: fc.constantFrom(0, 1, 30, 600) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'reactivate' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('roll-back' as const), pick: fc.nat({ max: 100 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), hours: fc.integer({ min: -1000, max: 1000 }) }),
  },
);

/** A world whose cluster is set back or exchanged once in a while. */
export const calamities: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 30, arbitrary: happenings },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), exchange: fc.boolean() }) },
);

/** Lives through a story, lets everything come to rest, and returns the world. */
export async function live(options: WorldOptions, story: readonly Happening[]): Promise<World> {
  const world = new World(options);
  for (let count = 0; count < 4; count += 1) world.cluster.create(namespaceOf(count % 2), 'ab'.charAt(count % 2));
  await world.activate();
  let snapshot = world.cluster.snapshot();
  for (const [at, happening] of story.entries()) {
    await happen(world, happening, snapshot);
    if (at % 10 === 0) snapshot = world.cluster.snapshot();
  }
  await rest(world);
  return world;
}

async function happen(
  world: World,
  happening: Happening,
  snapshot: ReturnType<World['cluster']['snapshot']>,
): Promise<void> {
  const { cluster, clock, n8n, api } = world;
  switch (happening.do) {
    case 'create':
      cluster.create(namespaceOf(happening.namespace), 'ab'.charAt(happening.app));
      return;
    case 'update':
      cluster.update(picked(world, happening.pick), { spec: happening.spec });
      return;
    case 'relabel':
      cluster.update(picked(world, happening.pick), { app: 'ab'.charAt(happening.app) });
      return;
    case 'delete':
      cluster.delete(picked(world, happening.pick));
      return;
    case 'time':
      await clock.advance(happening.seconds * 1000);
      return;
    case 'busy':
      for (let count = 0; count < happening.writes; count += 1) void writeLater(world, happening.seconds * 1000);
      return;
    case 'compact':
      cluster.compact();
      return;
    case 'fault':
      if (api.plan.length < 5) api.plan.push(happening.fault);
      return;
    case 'outage':
      api.down = true;
      await clock.advance(happening.seconds * 1000);
      api.down = false;
      return;
    case 'mood':
      n8n.mood = happening.mood;
      return;
    case 'kill':
      await world.kill();
      await clock.advance(happening.seconds * 1000);
      if (happening.seconds > 300) cluster.compact();
      await world.activate();
      return;
    case 'reactivate':
      await world.deactivate();
      await world.activate();
      return;
    case 'roll-back': {
      const { everSaved } = n8n;
      const state = everSaved[Math.floor((happening.pick / 101) * everSaved.length)];
      if (state && world.cluster.timeline === 1) n8n.saved = state;
      return;
    }
    case 'prune':
      n8n.prune(0.5);
      return;
    case 'jump':
      clock.jump(happening.hours * 3_600_000);
      return;
    case 'restore':
      if (happening.exchange) cluster.exchange();
      else cluster.restore(snapshot);
      api.plan.splice(0);
      await clock.advance(400_000);
  }
}

async function writeLater(world: World, ms: number): Promise<void> {
  const { cluster, random, clock } = world;
  const { timeline } = cluster;
  await clock.sleep(random() * ms);
  // A cluster that was set back and has gone past the old cursor before anybody looks cannot be told from one that was not.
  if (cluster.timeline !== timeline) return;
  const dice = random();
  const uid = picked(world, Math.floor(random() * 20));
  if (dice < 0.3) cluster.create(namespaceOf(Math.floor(random() * 2)), 'ab'.charAt(Math.floor(random() * 2)));
  else if (dice < 0.6) cluster.update(uid, { spec: random() < 0.5 });
  else if (dice < 0.8) cluster.update(uid, { app: 'ab'.charAt(Math.floor(random() * 2)) });
  else cluster.delete(uid);
}

/** Everything is well again, for long enough. */
async function rest(world: World): Promise<void> {
  world.n8n.mood = 'well';
  world.api.plan.splice(0);
  await world.clock.advance(300_000);
}

function picked(world: World, pick: number): string {
  const uids = [...world.cluster.objects.keys()];
  return uids[pick % Math.max(uids.length, 1)] ?? '';
}

function namespaceOf(index: number): string {
  return index === 0 ? 'left' : 'right';
}
