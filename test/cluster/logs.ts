import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, type Api } from './api';

/** Which container's logs. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  /** Default: all containers of the Pod. */
  readonly container?: string;
}

/** A line of a container's log. */
export interface LogLine {
  readonly time: Date;
  readonly text: string;
  readonly stream?: 'stdout' | 'stderr';
}

/** What a container has logged. */
export interface LogContent {
  /** Plain texts are stamped one second apart, the last one now. */
  readonly lines: readonly (string | LogLine)[];
  /** What the container's previous run logged; without it `previous` is an error, as for a container that never restarted. */
  readonly previous?: readonly (string | LogLine)[];
}

interface LogsObject {
  readonly spec: { readonly logs: readonly { readonly containers?: readonly string[]; readonly logsFile: string }[] };
}

const API = '/apis/kwok.x-k8s.io/v1alpha1';

/** What Pods without logs of their own answer: 20 lines of a web server, in the runtimes' format. */
export function defaultLog(): string {
  return criText(Array.from({ length: 20 }, (_, index) => `GET /items/${index + 1} 200 ${(index * 7) % 23} ms`));
}

/** The container logs of a cluster: files that kwok serves as a kubelet would. */
export class PodLogs {
  constructor(
    private readonly api: Api,
    private readonly directory: string,
  ) {}

  /** Sets what a container has logged, and waits until the API server answers so. */
  async set(target: LogTarget, content: LogContent): Promise<void> {
    const { namespace, pod, container } = target;
    const logsFile = this.file(fileName(target));
    writeFileSync(logsFile, criText(content.lines));
    const previousLogsFile = this.file(`${fileName(target)}.previous`);
    if (content.previous !== undefined) writeFileSync(previousLogsFile, criText(content.previous));

    const path = `${API}/namespaces/${namespace}/logs`;
    const existing = await this.api.request('GET', `${path}/${pod}`);
    const kept = existing.status === 200 ? (existing.body as LogsObject).spec.logs : [];
    const entry = {
      ...(container === undefined ? {} : { containers: [container] }),
      logsFile,
      ...(content.previous === undefined ? {} : { previousLogsFile }),
    };
    const spec = { logs: [...kept.filter((log) => log.containers?.[0] !== container), entry] };
    if (existing.status === 200) await this.api.patch(`${path}/${pod}`, { spec });
    else {
      await this.api.create(path, {
        apiVersion: 'kwok.x-k8s.io/v1alpha1',
        kind: 'Logs',
        metadata: { name: pod, namespace },
        spec,
      });
    }
    await this.untilServed(target, content);
  }

  /** Adds lines, stamped now; followers get them. */
  append(target: LogTarget, lines: readonly string[]): void {
    const now = new Date();
    appendFileSync(this.file(fileName(target)), criText(lines.map((text) => ({ text, time: now }))));
  }

  private async untilServed(target: LogTarget, { lines, previous }: LogContent): Promise<void> {
    const { namespace, pod, container } = target;
    const base = `/api/v1/namespaces/${namespace}/pods/${pod}/log?${container === undefined ? '' : `container=${container}&`}`;
    const last = (from: readonly (string | LogLine)[]): string => {
      const line = from.at(-1);
      return line === undefined ? '' : `${typeof line === 'string' ? line : line.text}\n`;
    };
    await eventually(async () => {
      const now = await this.api.request('GET', `${base}tailLines=1`);
      if (now.status !== 200 || now.text !== last(lines)) return false;
      if (previous === undefined) return true;
      const before = await this.api.request('GET', `${base}tailLines=1&previous=true`);
      return before.status === 200 && before.text === last(previous);
    }, `the logs of ${namespace}/${pod}`);
  }

  private file(name: string): string {
    return join(this.directory, `${name}.log`);
  }
}

function fileName({ namespace, pod, container }: LogTarget): string {
  return [namespace, pod, ...(container === undefined ? [] : [container])].join('_');
}

/** The format in which container runtimes write logs: time, stream, F for a full line, text. */
function criText(lines: readonly (string | LogLine)[]): string {
  const end = Date.now();
  return lines
    .map((line, index) => {
      if (typeof line !== 'string') return criLine(line);
      return criLine({ text: line, time: new Date(end - (lines.length - 1 - index) * 1000) });
    })
    .join('');
}

function criLine({ time, text, stream = 'stdout' }: LogLine): string {
  return `${time.toISOString().replace('Z', '000000Z')} ${stream} F ${text}\n`;
}
