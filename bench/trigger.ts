import { join } from 'node:path';
import type { Figure } from './budgets';
import { timeProcess } from './measure';

const CHANGES = 10_000;

interface Flood {
  readonly told: number;
  readonly different: number;
  readonly longestMs: number;
  readonly longestWallMs: number;
  readonly heapMiB: number;
}

interface Size {
  readonly bytes: number;
  readonly tracked: number;
}

interface StateFigures {
  readonly usual300: Size;
  readonly longest300: Size;
  readonly usual5000: Size;
  readonly longest5000: Size;
  readonly writeMs: number;
  readonly readMs: number;
}

/** What a trigger does to the process of n8n in a flood, and what it stores in its database. */
export async function triggerFigures(): Promise<Figure[]> {
  const watch = await flood('watch');
  const list = await flood('list');
  const state = await run<StateFigures>('triggerState.program.ts');
  return [
    ...floodFigures('by a watch', watch),
    ...floodFigures('by a list after a gap', list),
    {
      what: 'stored state of 300 tracked objects, the longest names',
      measured: Math.max(state.longest300.bytes, state.usual300.bytes) / 1024,
      budget: 64,
      unit: 'KiB',
      from: `${state.longest300.tracked} of 300 objects fit with names of 63 characters (the rest is announced); 300 of usual names take ${(state.usual300.bytes / 1024).toFixed(0)} KiB; three fields of each`,
    },
    {
      what: 'stored state of 5,000 tracked objects, the longest names',
      measured: Math.max(state.longest5000.bytes, state.usual5000.bytes) / 1024,
      budget: 1024,
      unit: 'KiB',
      from: `${state.longest5000.tracked} of 5,000 objects fit with names of 63 characters; 5,000 of usual names take ${(state.usual5000.bytes / 1024).toFixed(0)} KiB`,
    },
    {
      what: 'writing the state of 5,000 objects',
      measured: state.writeMs,
      budget: 10,
      unit: 'ms',
      from: 'processor time, median; in a burst at most once for each megabyte and second',
    },
    {
      what: 'reading it at an activation',
      measured: state.readMs,
      budget: 50,
      unit: 'ms',
      from: 'processor time, median',
    },
  ];
}

function floodFigures(way: string, { longestMs, longestWallMs, heapMiB }: Flood): Figure[] {
  return [
    {
      what: `longest hold of the event loop in a flood of ${CHANGES} new pods ${way}`,
      measured: longestMs,
      budget: 50,
      unit: 'ms',
      from: `processor time between two turns of the loop, 5,000 objects tracked; ${longestWallMs.toFixed(0)} ms by the clock, whatever else the machine did`,
    },
    {
      what: `growth of the live heap in a flood ${way}`,
      measured: heapMiB,
      budget: 32,
      unit: 'MiB',
      from: 'after a collection, most of 20 looks',
    },
  ];
}

async function flood(way: 'watch' | 'list'): Promise<Flood> {
  const result = await run<Flood>('flood.program.ts', String(CHANGES), way);
  if (result.told !== CHANGES || result.different !== CHANGES) {
    throw new Error(`${result.told} events were told, ${result.different} of them different, of ${CHANGES}`);
  }
  return result;
}

async function run<Result>(file: string, ...args: readonly string[]): Promise<Result> {
  const node = ['--expose-gc', '--import', 'tsx', join(__dirname, file), ...args];
  const { lastLine } = await timeProcess({ command: process.execPath, args: node });
  return JSON.parse(lastLine) as Result;
}
