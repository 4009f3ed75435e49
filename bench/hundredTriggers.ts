import { existsSync } from 'node:fs';
import { pause } from '../test/cluster/api';
import type { StoredWorkflow } from '../test/e2e/n8n';
import { triggered } from '../test/e2e/triggered';
import type { Figure } from './budgets';
import { LinuxProcess } from './linuxProcess';
import { CONFIG_MAPS, newConfigMaps, untilCounted, withLiveN8n, type LiveN8n } from './liveN8n';
import { median } from './measure';

const TRIGGERS = 100;
/** What each of them keeps in mind: as many objects as it tracks by default. */
const OBJECTS = 300;
/** After a start n8n is busy with itself, and each trigger looks for the first time within its interval. */
const SETTLE_MS = 45_000;
/** Two intervals. */
const MEASURE_MS = 60_000;
const LOOK_MS = 500;
/** A twentieth of one processor: quiet triggers must not be what n8n is busy with. */
const CPU_BUDGET = 3;
/**
 * Windows of 3 s in intervals of 30 s make ten watches at a time, and requests share 16 connections. Twice of that would
 * mean that connections are not shared.
 */
const CONNECTION_BUDGET = 50;

/** What an n8n took while it was looked at. */
interface Load {
  readonly cpuSecondsPerMinute: number;
  readonly residentMiB: number;
  readonly connections: number;
  readonly mostConnections: number;
}

/** What a hundred active triggers on one cluster cost while nothing happens in it, beside the same n8n without them. */
export async function hundredTriggersFigures(): Promise<Figure[]> {
  if (!existsSync('/proc/self/net/tcp')) {
    console.log('A hundred triggers are measured on Linux only: /proc says what a process takes.');
    return [];
  }
  return withLiveN8n(async (live) => {
    for (let index = 0; index < OBJECTS; index += 1) await createConfigMap(live, `present-${index}`);
    const workflows: StoredWorkflow[] = [];
    for (let index = 0; index < TRIGGERS; index += 1) {
      const workflow = triggered(live, `trigger ${index}`, newConfigMaps('bench=hundred'));
      workflows.push(await live.n8n.addWorkflow(workflow));
    }
    const without = await loadAfterStart(live);
    console.log(`publishing ${TRIGGERS} workflows …`);
    for (const workflow of workflows) await live.n8n.publish(workflow);
    const active = await loadAfterStart(live);
    await proveActive(live);
    return figuresOf(without, active);
  });
}

function figuresOf(without: Load, active: Load): Figure[] {
  const of = `${TRIGGERS} active triggers on one cluster`;
  const each = `one a workflow, interval 30 s, window 3 s, ${OBJECTS} objects tracked by each, nothing happens`;
  const cpu = [active, without].map(({ cpuSecondsPerMinute }) => cpuSecondsPerMinute.toFixed(2));
  const memory = [active, without].map(({ residentMiB }) => residentMiB.toFixed(0));
  return [
    {
      what: `processor time of n8n for ${of}`,
      measured: active.cpuSecondsPerMinute - without.cpuSecondsPerMinute,
      budget: CPU_BUDGET,
      unit: 's/min',
      from: `${cpu.join(' beside ')} s without them; ${each}`,
    },
    {
      what: `resident memory of n8n for ${of}`,
      measured: active.residentMiB - without.residentMiB,
      unit: 'MiB',
      from: `${memory.join(' beside ')} MiB without them, ${(SETTLE_MS + MEASURE_MS) / 1000} s after a start, whenever n8n last collected its garbage`,
    },
    {
      what: `most TCP connections at a time to the API server for ${of}`,
      measured: active.mostConnections,
      budget: CONNECTION_BUDGET,
      unit: 'connections',
      from: `median ${active.connections}, looked at every ${LOOK_MS / 1000} s`,
    },
  ];
}

/** Both n8n are measured in the same minutes of their lives. */
async function loadAfterStart({ n8n, cluster }: LiveN8n): Promise<Load> {
  await n8n.kill();
  await n8n.startAgain();
  await pause(SETTLE_MS);
  const process = new LinuxProcess(n8n.pid ?? 0);
  const connections: number[] = [];
  const residentMiB: number[] = [];
  const begin = performance.now();
  const cpu = process.cpuSeconds();
  while (performance.now() - begin < MEASURE_MS) {
    connections.push(process.connectionsTo(cluster.facts.port));
    residentMiB.push(process.residentMiB());
    await pause(LOOK_MS);
  }
  const minutes = (performance.now() - begin) / 60_000;
  return {
    cpuSecondsPerMinute: (process.cpuSeconds() - cpu) / minutes,
    residentMiB: median(residentMiB),
    connections: median(connections),
    mostConnections: Math.max(...connections),
  };
}

/** What was measured were triggers that work: each tells of one new object. */
async function proveActive(live: LiveN8n): Promise<void> {
  await createConfigMap(live, 'seen-by-all');
  const counted = async (): Promise<number> => {
    const { count } = (await live.n8n.rest('GET', '/rest/executions?limit=1')) as { count: number };
    return count;
  };
  await untilCounted(TRIGGERS, 'executions', counted);
  const count = await counted();
  if (count !== TRIGGERS) throw new Error(`${TRIGGERS} triggers told of one object by ${count} executions`);
}

async function createConfigMap({ cluster }: LiveN8n, name: string): Promise<void> {
  await cluster.api.create(CONFIG_MAPS, { metadata: { name, labels: { bench: 'hundred' } } });
}
