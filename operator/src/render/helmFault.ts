import { type ChartError, renderFailed, shownName } from '../charts';
import type { SandboxResult } from './sandbox';

/** What helm says about a fault begins with this; what follows may hold values, and is never shown. */
const AT = String.raw`(?:execution error at \(|parse error at \(|YAML parse error on |template: )?([\w./-]+\.(?:ya?ml|tpl|txt|json))(?::(\d+))?`;
const PLACE = new RegExp(`^Error: ${AT}`, 'm');
const OUT_OF_MEMORY =
  /^(?:runtime: out of memory|fatal error: (?:out of memory|runtime: cannot allocate memory)|runtime: goroutine stack exceeds)/m;
const MISSING = /missing in charts\/ directory: ([\w.,\s-]+)/;
const KUBE_VERSION = /^Error: chart requires kubeVersion: /m;
const SCHEMA = /^Error: values don't meet the specifications of the schema/m;
const AT_VALUE = /^- at '([\w./-]*)':/m;

/**
 * Why helm rendered nothing, in our words. Its own are untrusted: a chart may print the values it was given. Of them only
 * the place is taken over: the file of the chart, the line, the path of a value.
 */
export function helmFault({ ended, exitCode, stderr }: SandboxResult): ChartError {
  switch (ended) {
    case 'timeout':
      return renderFailed('The chart takes too long to render.');
    case 'output':
      return renderFailed('The chart renders too much.');
    case 'aborted':
      return renderFailed('The rendering was stopped.');
    case 'exit':
      break;
  }
  if (OUT_OF_MEMORY.test(stderr)) return renderFailed('The chart needs more memory to render than 1 GiB.');
  if (SCHEMA.test(stderr)) {
    const path = AT_VALUE.exec(stderr)?.[1] ?? '';
    return renderFailed(
      `The values do not fit the schema of the chart${path === '' ? '' : `: see ${shownName(path)}`}.`,
    );
  }
  const missing = MISSING.exec(stderr)?.[1]?.trim();
  if (missing !== undefined) {
    const names = shownName(missing.replace(/[\s,]+/g, '/')).replaceAll('/', ', ');
    return renderFailed(`The chart comes without charts it depends on: ${names}. Package it with its charts folder.`);
  }
  if (KUBE_VERSION.test(stderr)) return renderFailed('The chart is for other versions of Kubernetes than this one.');
  const [, file, line] = PLACE.exec(stderr) ?? [];
  if (file === undefined) return renderFailed(`Helm cannot render the chart (exit code ${exitCode ?? 'none'}).`);
  return renderFailed(`The chart fails to render at ${shownName(file)}${line === undefined ? '' : `, line ${line}`}.`);
}
