import { parseOptions } from '../operator/src/program';
import { Metrics } from '../operator/src/telemetry';

/** The flags of the operator with what `--help` says about them. */
export function flagsMarkdown(): string {
  const request = parseOptions(['--help'], { inCluster: true });
  if (!('print' in request)) throw new Error('--help prints nothing');
  const [, options = ''] = request.print.split('\nOptions:\n');
  // What is explained in several lines goes on far to the right.
  const entries = (options.split('\n\n')[0] ?? '').split(/\n {2}(?=--)|^ {2}/).filter((entry) => entry !== '');
  const rows = entries.map((entry) => {
    const [flag = '', ...rest] = entry.split(/\s{2,}/);
    return `| \`${flag}\` | ${rest.join(' ').replaceAll('|', '\\|')} |`;
  });
  return ['| flag | what |', '| --- | --- |', ...rows].join('\n');
}

/** The numbers of the operator; those of every Node program aside. */
export async function metricsMarkdown(): Promise<string> {
  const queue = { depth: 0, active: 0, delayed: 0, failing: 0, oldestActiveMs: 0 };
  const metrics = new Metrics('', () => ({ synced: true, leading: true, missing: [], components: [], queue }));
  const text = await metrics.text();
  const rows = [...text.matchAll(/^# HELP (navin_operator_\S+) (.*)\n# TYPE \S+ (\S+)/gm)].map(
    ([, name = '', help = '', type = '']) => `| \`${name}\` | ${type} | ${help} |`,
  );
  return ['| metric | type | what |', '| --- | --- | --- |', ...rows].join('\n');
}
