import { failure, json, type Behaviour, type Exchange } from '../../../test/faults';

/** A line of a log with the time it was written, in ms since 1970. */
export interface StampedLine {
  readonly at: number;
  readonly text: string;
}

/** One request for a log, as it was asked. */
export interface LogCall {
  readonly query: URLSearchParams;
}

/**
 * Pods and logs as an API server in front of a kubelet gives them: `sinceTime` by the second, `tailLines`, timestamps,
 * `follow`, `previous`. The log can be made to break.
 */
export class FakeKubelet {
  readonly calls: LogCall[] = [];
  lines: StampedLine[] = [];
  previousLines: StampedLine[] = [];
  state: object = { running: {} };
  restarts = 0;
  uid = 'pod-1';
  /** Status of GET of the Pod. */
  podStatus = 200;
  /** After so many lines each connection is reset; the list is used up, then nothing breaks. */
  breaks: number[] = [];
  /** Called when a log is followed to its last line; then the log ends, or its connection is broken by `reset`. */
  onCaughtUp: (call: number) => unknown = () => undefined;
  /** Whether lines carry the timestamps that are asked for. */
  stamps = true;
  /** Whether the last line ends with a line break. */
  complete = true;

  readonly behaviour: Behaviour = (exchange) => {
    const url = new URL(exchange.request.url, 'https://host.example');
    return url.pathname.endsWith('/log') ? this.log(exchange, url.searchParams) : this.pod(exchange);
  };

  /** Adds lines, a tenth of a second apart. */
  write(...texts: readonly string[]): void {
    for (const text of texts) {
      const last = this.lines.at(-1)?.at ?? Date.UTC(2026, 0, 1);
      this.lines.push({ at: last + 100, text });
    }
  }

  private pod(exchange: Exchange): void | Promise<void> {
    if (this.podStatus === 403) return failure(403, 'Forbidden', 'no')(exchange);
    if (this.podStatus === 503) return failure(503, 'ServiceUnavailable', 'no')(exchange);
    if (this.podStatus === 404) return failure(404, 'NotFound', 'no', { name: 'web', kind: 'pods' })(exchange);
    return json({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web', namespace: 'shop', uid: this.uid },
      spec: { containers: [{ name: 'app' }] },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'app', restartCount: this.restarts, state: this.state }],
      },
    })(exchange);
  }

  private async log({ response, socket }: Exchange, query: URLSearchParams): Promise<void> {
    const call = this.calls.push({ query });
    const since = query.get('sinceTime');
    const from = since === null ? 0 : Math.floor(Date.parse(since) / 1000) * 1000;
    const source = query.has('previous') ? this.previousLines : this.lines;
    const tail = query.get('tailLines');
    const selected = source.filter((line) => line.at >= from);
    const wanted = tail === null ? selected : selected.slice(selected.length - Math.min(selected.length, Number(tail)));
    const follow = query.has('follow');
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.flushHeaders();
    const breakAfter = this.breaks.shift();
    let sent = 0;
    const send = async (lines: readonly StampedLine[]): Promise<boolean> => {
      for (const { at, text } of lines) {
        if (breakAfter !== undefined && sent >= breakAfter) {
          // Half a line is on its way when the connection breaks.
          await new Promise<unknown>((resolve) =>
            response.write(`${new Date(at).toISOString()} ${text.slice(0, 2)}`, resolve),
          );
          socket.resetAndDestroy();
          return false;
        }
        const stamp = this.stamps && query.has('timestamps') ? `${new Date(at).toISOString()} ` : '';
        const end = this.complete || text !== source.at(-1)?.text ? '\n' : '';
        await new Promise<unknown>((resolve) => response.write(`${stamp}${text}${end}`, resolve));
        sent += 1;
      }
      return true;
    };
    if (!(await send(wanted))) return;
    if (follow) {
      const known = source.length;
      if ((await this.onCaughtUp(call)) === 'reset') {
        socket.resetAndDestroy();
        return;
      }
      if (!(await send(source.slice(known)))) return;
    }
    response.end();
  }
}
