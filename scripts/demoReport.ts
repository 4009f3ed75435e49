import Table from 'cli-table3';
import type { Execution } from '../test/e2e/n8n';

/** What came of an example workflow. */
export interface DemoResult {
  readonly workflow: string;
  readonly outcome: 'done' | 'failed' | 'not run';
  readonly lines: readonly string[];
}

/** The most lines that a workflow gets in the table. */
const MAX_LINES = 8;
/** The most lines of logs among them. */
const MAX_LOG_LINES = 4;
const DEFAULT_WIDTH = 120;
/** Borders and the padding of three columns. */
const FRAME = 10;
const FIRST_COLUMNS = [34, 9] as const;

/** Puts into words what an execution did: the summaries that its last node gave, and the end of the logs in them. */
export function describeExecution(workflow: string, execution: Execution): DemoResult {
  if (execution.status !== 'success') {
    const { message = 'no reason given', description = '' } = execution.error ?? {};
    return { workflow, outcome: 'failed', lines: [message, ...description.split('\n').filter((line) => line !== '')] };
  }
  const last = execution.nodes.toReversed().find((node) => execution.items(node).some(({ json }) => 'summary' in json));
  const items = last === undefined ? [] : execution.items(last).map(({ json }) => json);
  const lines = items.flatMap(({ summary, logs }) => [String(summary), ...logLines(logs)]);
  return { workflow, outcome: 'done', lines: lines.length === 0 ? ['Nothing to report.'] : shortened(lines) };
}

function logLines(logs: unknown): readonly string[] {
  if (typeof logs !== 'string') return [];
  const lines = logs.trimEnd().split('\n');
  return lines.slice(-MAX_LOG_LINES).map((line) => `  log: ${line}`);
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [
    ...lines.slice(0, MAX_LINES - 1),
    `… and ${lines.length - MAX_LINES + 1} more lines, see the execution in the editor`,
  ];
}

/** The results as a table that fits the terminal. */
export function resultTable(results: readonly DemoResult[], width = process.stdout.columns || DEFAULT_WIDTH): string {
  const rest = Math.max(30, width - FIRST_COLUMNS[0] - FIRST_COLUMNS[1] - FRAME);
  const table = new Table({
    head: ['workflow', 'result', 'what it did'],
    colWidths: [...FIRST_COLUMNS, rest],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { workflow, outcome, lines } of results) table.push([workflow, outcome, lines.join('\n')]);
  return table.toString();
}
