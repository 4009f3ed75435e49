import { existsSync } from 'node:fs';
import { freePorts } from '../test/cluster/ports';
import { pause } from '../test/cluster/api';
import type { StoredWorkflow } from '../test/e2e/n8n';
import { triggered } from '../test/e2e/triggered';
import type { Figure } from './budgets';
import { inspectable, liveHeapMiB } from './inspector';
import { LinuxProcess } from './linuxProcess';
import { CONFIG_MAPS, newConfigMaps, untilCounted, withLiveN8n, type LiveN8n } from './liveN8n';
import { median } from './measure';

const TRIGGERS = 100;
/** What each of them keeps in mind: as many objects as it tracks by default. */
const OBJECTS = 300;
/** After a start n8n is busy with itself for a while. */
const SETTLE_MS = 45_000;
/** Two intervals. */
const MEASURE_MS = 60_000;
const LOOK_MS = 500;
/** A tenth of one processor: quiet triggers must not be what n8n is busy with. */
const CPU_BUDGET = 6;
/** A megabyte for each: its workflow in n8n, its state with the objects it tracks, its client. */
const HEAP_BUDGET_MIB = 100;
/**
 * Windows of 3 s in intervals of 30 s make ten watches at a time, and requests share 16 connections. Twice of that would
 * mean that connections are not shared.
 */
const CONNECTION_BUDGET = 50;

/** The n8n that is measured. */
interface Subject extends LiveN8n {
  readonly inspectorPort: number;
}

/** What an n8n took while it was looked at. */
interface Load {
  readonly cpuSecondsPerMinute: number;
  /** After a collection of its garbage, which n8n itself may put off for minutes. */
  readonly heapMiB: number;
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
  const [inspectorPort = 0] = await freePorts(1);
  return withLiveN8n(async (n8nAndCluster) => {
    const live: Subject = { ...n8nAndCluster, inspectorPort };
    for (let index = 0; index < OBJECTS; index += 1) await createConfigMap(live, `present-${index}`);
    const workflows: StoredWorkflow[] = [];
    for (let index = 0; index < TRIGGERS; index += 1) {
      const workflow = triggered(live, `trigger ${index}`, newConfigMaps('bench=hundred'));
      workflows.push(await live.n8n.addWorkflow(workflow));
    }
    await restart(live);
    const without = await load(live);
    console.log(`publishing ${TRIGGERS} workflows …`);
    for (const workflow of workflows) await live.n8n.publish(workflow);
    await restart(live);
    await untilAllActive(live);
    const active = await load(live);
    return figuresOf(without, active);
  });
}

function figuresOf(without: Load, active: Load): Figure[] {
  const of = `${TRIGGERS} active triggers on one cluster`;
  const each = `one a workflow, interval 30 s, window 3 s, ${OBJECTS} objects tracked by each, nothing happens`;
  const cpu = [active, without].map(({ cpuSecondsPerMinute }) => cpuSecondsPerMinute.toFixed(2));
  const heap = [active, without].map(({ heapMiB }) => heapMiB.toFixed(0));
  const resident = [active, without].map(({ residentMiB }) => residentMiB.toFixed(0));
  return [
    {
      what: `processor time of n8n for ${of}`,
      measured: active.cpuSecondsPerMinute - without.cpuSecondsPerMinute,
      budget: CPU_BUDGET,
      unit: 's/min',
      from: `${cpu.join(' beside ')} s without them; ${each}`,
    },
    {
      what: `live heap of n8n for ${of}`,
      measured: active.heapMiB - without.heapMiB,
      budget: HEAP_BUDGET_MIB,
      unit: 'MiB',
      from: `${heap.join(' beside ')} MiB without them, after a collection`,
    },
    {
      what: `resident memory of n8n for ${of}`,
      measured: active.residentMiB - without.residentMiB,
      unit: 'MiB',
      from: `${resident.join(' beside ')} MiB without them, after a collection; Node keeps some of what it freed`,
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

/** Starts n8n anew, so that what publishing took is not measured. */
async function restart({ n8n, inspectorPort }: Subject): Promise<void> {
  await n8n.kill();
  await n8n.startAgain(inspectable(inspectorPort));
}

/** What is measured are triggers that work: each has told of one new object. */
async function untilAllActive(live: LiveN8n): Promise<void> {
  await createConfigMap(live, 'seen-by-all');
  const counted = async (): Promise<number> => {
    const { count } = (await live.n8n.rest('GET', '/rest/executions?limit=1')) as { count: number };
    return count;
  };
  await untilCounted(TRIGGERS, 'executions', counted);
  const count = await counted();
  if (count !== TRIGGERS) throw new Error(`${TRIGGERS} triggers told of one object by ${count} executions`);
}

async function load({ n8n, cluster, inspectorPort }: Subject): Promise<Load> {
  await pause(SETTLE_MS);
  const pid = n8n.pid ?? 0;
  const process = new LinuxProcess(pid);
  const connections: number[] = [];
  const begin = performance.now();
  const cpu = process.cpuSeconds();
  while (performance.now() - begin < MEASURE_MS) {
    connections.push(process.connectionsTo(cluster.facts.port));
    await pause(LOOK_MS);
  }
  const minutes = (performance.now() - begin) / 60_000;
  const cpuSecondsPerMinute = (process.cpuSeconds() - cpu) / minutes;
  const heapMiB = await liveHeapMiB(pid, inspectorPort);
  return {
    cpuSecondsPerMinute,
    heapMiB,
    residentMiB: process.residentMiB(),
    connections: median(connections),
    mostConnections: Math.max(...connections),
  };
}

async function createConfigMap({ cluster }: LiveN8n, name: string): Promise<void> {
  await cluster.api.create(CONFIG_MAPS, { metadata: { name, labels: { bench: 'hundred' } } });
}
