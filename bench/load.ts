import { join } from 'node:path';
import type { Figure } from './budgets';
import { median, timeInTurn } from './measure';

const ROUNDS = 11;

interface Load {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** What n8n pays for the package in every process at start: requiring all of it, beside requiring client-node. */
export async function loadFigures(): Promise<Figure[]> {
  const program = (what: string) => ({
    command: process.execPath,
    args: ['--expose-gc', join(__dirname, 'load.program.js'), what],
  });
  const runs = await timeInTurn({ ours: program('package'), clientNode: program('client-node') }, ROUNDS);
  const figure = (name: keyof typeof runs, field: keyof Load): number =>
    median(runs[name].map(({ lastLine }) => (JSON.parse(lastLine) as Load)[field]));
  return [
    {
      what: 'requiring the whole package',
      measured: figure('ours', 'milliseconds'),
      budget: 25,
      unit: 'ms',
      from: `requiring @kubernetes/client-node: ${figure('clientNode', 'milliseconds').toFixed(0)} ms; medians of ${ROUNDS}`,
    },
    {
      what: 'memory of requiring it',
      measured: figure('ours', 'megabytes'),
      budget: 5,
      unit: 'MB',
      from: `@kubernetes/client-node: ${figure('clientNode', 'megabytes').toFixed(0)} MB; medians of ${ROUNDS}`,
    },
  ];
}
