import { seededRandom } from '../core/trigger/testing/random';
import { pause } from '../test/cluster/api';
import { AT_ONCE, configMapIn, triggered } from '../test/e2e/triggered';
import type { Figure } from './budgets';
import { CONFIG_MAPS, newConfigMaps, untilCounted, withLiveN8n, type LiveN8n } from './liveN8n';
import { quantile } from './measure';

/** The changes fall on random moments of this time. */
const SPREAD_MS = 150_000;

/** A trigger, and how often something changes that it watches. */
interface Course {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly changes: number;
}

const WITHOUT_PAUSE: Course = { name: 'without-pause', options: AT_ONCE, changes: 60 };
/** Fewer, because what one look finds comes at once, and the executions of the other trigger would wait for theirs. */
const DEFAULTS: Course = { name: 'defaults', options: {}, changes: 40 };

/** How long it takes from a change in the cluster until its execution exists in n8n. */
export async function latencyFigures(): Promise<Figure[]> {
  return withLiveN8n(async (live) => {
    const seed = Date.now() % 1_000_000;
    console.log(`${WITHOUT_PAUSE.changes + DEFAULTS.changes} changes in ${SPREAD_MS / 1000} s, seed ${seed} …`);
    const [withoutPause, defaults] = await Promise.all([
      latencies(live, WITHOUT_PAUSE, seed),
      latencies(live, DEFAULTS, seed + 1),
    ]);
    return [
      ...figuresOf('interval 15 s, window 15 s', withoutPause, 2),
      ...figuresOf('the defaults (interval 30 s, window 3 s)', defaults),
    ];
  });
}

function figuresOf(settings: string, seconds: readonly number[], budget?: number): Figure[] {
  const what = `from a change to its execution in n8n, ${settings}`;
  const longest = Math.max(...seconds).toFixed(2);
  const from = `${seconds.length} changes at random moments of ${SPREAD_MS / 1000} s, from the request to the row; longest ${longest} s`;
  return [
    { what: `${what}: p50`, measured: quantile(seconds, 0.5), unit: 's', from },
    { what: `${what}: p95`, measured: quantile(seconds, 0.95), ...(budget && { budget }), unit: 's', from },
  ];
}

/** Seconds from the moment that a change was asked for to the moment that n8n gives for its row, in any order. */
async function latencies(live: LiveN8n, course: Course, seed: number): Promise<readonly number[]> {
  const { n8n } = live;
  const { name, options, changes } = course;
  const workflow = await n8n.addWorkflow(triggered(live, name, newConfigMaps(`course=${name}`, options)));
  await n8n.publish(workflow);
  const askedAt = await change(live, course, seed);
  await untilCounted(changes, `executions of "${name}"`, async () => (await n8n.executionsOf(workflow)).length);
  const rows = await n8n.executionsOf(workflow);
  const seconds = new Map<string, number>();
  for (const { id, createdAt } of rows) {
    const changed = configMapIn(await n8n.storedExecution(id)).name;
    seconds.set(changed, (Date.parse(createdAt) - (askedAt.get(changed) ?? NaN)) / 1000);
  }
  const values = [...seconds.values()];
  if (rows.length !== changes || values.length !== changes || values.some(Number.isNaN)) {
    throw new Error(`${changes} changes made ${rows.length} executions, ${values.length} of them different`);
  }
  return values;
}

/** Makes the changes; returns when each was asked for, by name. */
async function change({ cluster }: LiveN8n, course: Course, seed: number): Promise<ReadonlyMap<string, number>> {
  const random = seededRandom(seed);
  const moments = Array.from({ length: course.changes }, () => random() * SPREAD_MS).sort((a, b) => a - b);
  const begin = performance.now();
  const askedAt = new Map<string, number>();
  for (const [index, moment] of moments.entries()) {
    await pause(Math.max(0, moment - (performance.now() - begin)));
    const name = `${course.name}-${index}`;
    askedAt.set(name, Date.now());
    await cluster.api.create(CONFIG_MAPS, { metadata: { name, labels: { course: course.name } } });
  }
  return askedAt;
}
