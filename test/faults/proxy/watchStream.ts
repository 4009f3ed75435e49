import type { WatchFault } from './plan';
import { refusalStatus } from './refusals';

/** What is done to the client of a watch. */
export type StreamStep =
  | { readonly do: 'send'; readonly bytes: Buffer }
  /** Ms of the client's clock. */
  | { readonly do: 'pause'; readonly ms: number }
  | { readonly do: 'end' }
  | { readonly do: 'reset' }
  | { readonly do: 'stall' };

/** More than the client reads of one event. */
const TOO_LONG = 8 * 1024 * 1024 + 1;

/** The lines of a watch as a client with a fault gets them: a state machine without time and without a socket. */
export class WatchStream {
  /** Lines that came and were not suppressed. */
  private readonly lines: Buffer[] = [];
  private held: Buffer[] = [];
  private over = false;
  /** The newest version the client was given. */
  reached = 0;
  /** The client is told that its history is gone. */
  expired = false;

  constructor(private readonly fault: WatchFault | undefined) {}

  /** What happens before the first line. */
  begin(): readonly StreamStep[] {
    return this.atBreak();
  }

  /** What becomes of a line (with its line break). */
  line(line: Buffer): readonly StreamStep[] {
    const { fault } = this;
    if (this.over || (fault?.kind === 'no-bookmarks' && isBookmark(line))) return [];
    const instead = this.replaced(line);
    if (instead) return instead;
    this.lines.push(line);
    const head = line.toString('latin1', 0, 4096);
    if (head.startsWith('{"type":"ERROR"')) this.expired ||= head.includes('"code":410');
    else this.reached = Math.max(this.reached, Number(/"resourceVersion":"(\d+)"/.exec(head)?.[1] ?? 0));
    return [...this.sent(line), ...this.atBreak()];
  }

  /** The window ends properly. */
  end(): readonly StreamStep[] {
    if (this.over) return [];
    this.over = true;
    return [...this.released(), { do: 'end' }];
  }

  /** A line that ends the window because it is no whole event. */
  private replaced(line: Buffer): readonly StreamStep[] | undefined {
    const bytes = this.fault === undefined || !this.isDue(this.fault) ? undefined : spoilt(line, this.fault);
    if (bytes === undefined) return undefined;
    this.over = true;
    return [send(bytes), { do: 'end' }];
  }

  private sent(line: Buffer): readonly StreamStep[] {
    const { fault } = this;
    if (fault?.kind === 'repeat') return Array.from({ length: fault.times }, () => send(line));
    if (fault?.kind === 'slow') return [{ do: 'pause', ms: fault.ms }, send(line)];
    if (fault?.kind === 'split') return pieces(line, fault.bytes).map(send);
    if (fault?.kind !== 'glue') return [send(line)];
    this.held.push(line);
    return this.held.length < fault.lines ? [] : this.released();
  }

  /** What happens between two lines. */
  private atBreak(): readonly StreamStep[] {
    const { fault } = this;
    if (fault === undefined || !this.isDue(fault)) return [];
    if (fault.kind === 'again') return this.lines.map(send);
    const steps = ending(fault);
    if (steps.length === 0) return [];
    this.over = true;
    this.expired = fault.kind === 'error-event' && fault.as === 'expired';
    return steps;
  }

  private isDue(fault: WatchFault): boolean {
    return 'after' in fault && fault.after === this.lines.length;
  }

  private released(): readonly StreamStep[] {
    const held = Buffer.concat(this.held);
    this.held = [];
    return held.length === 0 ? [] : [send(held)];
  }
}

function send(bytes: Buffer): StreamStep {
  return { do: 'send', bytes };
}

function ending(fault: WatchFault): readonly StreamStep[] {
  if (fault.kind === 'end') return [{ do: 'end' }];
  if (fault.kind === 'reset-after') return [{ do: 'reset' }];
  if (fault.kind === 'stall-after') return [{ do: 'stall' }];
  if (fault.kind === 'error-event') return [send(errorEvent(fault.as)), { do: 'end' }];
  return [];
}

function spoilt(line: Buffer, fault: WatchFault): Buffer | undefined {
  if (fault.kind === 'truncate') return line.subarray(0, 1 + Math.floor((line.length - 2) * fault.share));
  if (fault.kind === 'garble') return Buffer.concat([Buffer.from('<html>'), line]);
  if (fault.kind !== 'bloat') return undefined;
  return Buffer.concat([line.subarray(0, -1), Buffer.alloc(TOO_LONG, ' '), Buffer.from('\n')]);
}

function pieces(line: Buffer, bytes: number): readonly Buffer[] {
  const count = Math.ceil(line.length / bytes);
  return Array.from({ length: count }, (_, at) => line.subarray(at * bytes, (at + 1) * bytes));
}

function isBookmark(line: Buffer): boolean {
  return line.subarray(0, 40).includes('"BOOKMARK"');
}

function errorEvent(as: Parameters<typeof refusalStatus>[0]): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object: refusalStatus(as) })}\n`);
}
