import { describe, expect, it } from '@jest/globals';
import type { Execution, Item } from '../test/e2e/n8n';
import { describeExecution, resultTable } from './demoReport';

function execution(status: string, nodes: Readonly<Record<string, readonly object[]>>, error?: object): Execution {
  const items = (node: string): readonly Item[] => (nodes[node] ?? []).map((json) => ({ json: { ...json } }));
  return {
    id: '1',
    status,
    nodes: Object.keys(nodes),
    stored: '',
    outputs: (node) => [items(node)],
    items,
    errorOf: () => undefined,
    ...(error === undefined ? {} : { error: { message: '', ...error } }),
  };
}

describe('the report of the demo', () => {
  it('takes the summaries of the last node that has some, with the end of their logs', () => {
    const result = describeExecution(
      'Job',
      execution('success', {
        Start: [{}],
        Result: [{ summary: 'Job done', logs: 'one\ntwo\nthree\nfour\nfive\n' }],
        'After it': [{ sent: true }],
      }),
    );

    expect(result).toEqual({
      workflow: 'Job',
      outcome: 'done',
      lines: ['Job done', '  log: two', '  log: three', '  log: four', '  log: five'],
    });
  });

  it('says when there is nothing to report', () => {
    expect(describeExecution('Report', execution('success', { Start: [{}], Report: [] })).lines).toEqual([
      'Nothing to report.',
    ]);
  });

  it('leaves out lines that do not fit', () => {
    const Report = Array.from({ length: 12 }, (_, index) => ({ summary: `line ${index + 1}` }));

    const { lines } = describeExecution('Report', execution('success', { Report }));

    expect(lines).toHaveLength(8);
    expect(lines.slice(-2)).toEqual(['line 7', '… and 5 more lines, see the execution in the editor']);
  });

  it('shows why an execution failed and how to get unstuck', () => {
    const failed = execution('error', {}, { message: 'Not found', description: 'Look again\n\nCode: k8s_not_found' });

    expect(describeExecution('Restart', failed)).toEqual({
      workflow: 'Restart',
      outcome: 'failed',
      lines: ['Not found', 'Look again', 'Code: k8s_not_found'],
    });
  });

  it('is a table as wide as the terminal', () => {
    const table = resultTable([{ workflow: 'Restart', outcome: 'done', lines: ['word '.repeat(60).trim()] }], 100);

    const widths = table.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
    expect(table).toContain('Restart');
    expect(table.match(/word/g)).toHaveLength(60);
  });
});
