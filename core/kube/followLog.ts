import { isNavinError, NavinError } from '../errors';
import type { ByteStream } from './byteStream';
import { stateOfRun, waitForStart, type ContainerRun, type RunMeans, type RunState } from './containerRun';
import { KubeConnectionError, responseError } from './errors';
import { LineSplitter } from './lines';
import { LogCursor } from './logCursor';
import { checkLogOptions, logRequest, openLog, type LogOptions, type LogQuery, type PodRef } from './logs';
import type { Requester } from './requester';
import { quoted } from './subject';

/** Options of following a log to its end. */
export interface FollowOptions extends LogOptions {
  /** How long to wait for a container that has not started, in ms. Default 60 000. */
  readonly startTimeoutMs?: number | undefined;
  /** Called once when lines may be missing: what was read last had been rotated away before the log was read again. */
  readonly onGap?: (() => void) | undefined;
}

/** What following needs from outside. */
export interface FollowMeans extends RunMeans {
  readonly requester: Requester;
  readonly maxRetries: number;
}

/** A longer line comes in pieces. */
const MAX_LINE_BYTES = 1024 * 1024;
/** After so long a silence the Pod is looked at: some servers do not end the log when the container ends. */
const QUIET_MS = 15_000;
/** After so long a silence the connection is made anew: it may be dead. */
const IDLE_MS = 300_000;
/** A connection that stood so long was good: that it breaks, as proxies break silent ones, does not count as a failure. */
const STOOD_MS = 10_000;
const START_TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;

/** How a connection ended: properly, given up after a long silence, or by an error. */
type ReadEnd = 'end' | 'quiet' | NavinError;

/**
 * The log of one run of a container, line by line, until that run ends. A container that has not started is waited for;
 * connections that break are made anew, and no line is lost or comes twice (the log is read with timestamps, which are
 * taken off again unless they are asked for). Parts that the node rotated away meanwhile are gone, which `onGap` tells.
 * After `limitBytes` it ends; without a limit it goes on as long as the container runs.
 *
 * @throws NavinError `k8s_timeout` when the container does not start in time; `k8s_not_found` when the Pod was deleted
 * before the end was read; else of the requests
 */
export async function* followLog(
  means: FollowMeans,
  ref: PodRef,
  options: FollowOptions,
): AsyncGenerator<string, void, undefined> {
  checkLogOptions(options);
  const follower = new Follower(means, ref, options);
  yield* follower.lines();
}

class Follower {
  private readonly cursor: LogCursor;
  private readonly started: number;
  private opened: number | undefined;
  /** When the connection of now was made. */
  private connected: number | undefined;
  /** What followed the last line break when the log ended. */
  private rest: Buffer = Buffer.alloc(0);
  private gapTold = false;
  private seen: RunState = 'running';
  private bytesLeft: number;
  private failures = 0;
  private pauses = 0;

  constructor(
    private readonly means: FollowMeans,
    private readonly ref: PodRef,
    private readonly options: FollowOptions,
  ) {
    const { sinceSeconds, sinceTime, tailLines } = options;
    this.cursor = new LogCursor((sinceSeconds ?? sinceTime ?? tailLines) === undefined ? 'all' : 'end');
    this.started = means.now();
    this.bytesLeft = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  async *lines(): AsyncGenerator<string, void, undefined> {
    const run = await waitForStart(this.means, this.ref, {
      container: this.options.container,
      startTimeoutMs: this.startTimeoutMs,
      previous: this.options.previous === true,
      signal: this.options.signal,
    });
    let state: RunState = this.options.previous === true ? 'ended' : await this.stateOf(run);
    for (;;) {
      const follow = !isOver(state);
      const before = this.cursor.count;
      const end: ReadEnd = yield* this.readOnce(run, state, follow);
      if (this.bytesLeft <= 0) return;
      if (end === 'end' && (!follow || state === 'unknown')) return yield* this.finish();
      this.note(end, this.cursor.count > before);
      if (follow) state = await this.nextState(run);
      else await this.pause();
      if (state === 'gone' || state === 'lost') {
        if (end !== 'end') throw this.endLost(state);
        return yield* this.finish();
      }
    }
  }

  /** Counts connections that failed one after another. @throws the error of the last when there are too many */
  private note(end: ReadEnd, progress: boolean): void {
    if (progress || this.stood) {
      this.failures = 0;
      this.pauses = 0;
    }
    if (typeof end === 'string' || this.stillStarting(end)) return;
    this.failures += 1;
    if (!isPassing(end) || this.failures > this.means.maxRetries) throw end;
  }

  /** Where the run is before the log is read again: at once when it is over, else after a pause. */
  private async nextState(run: ContainerRun): Promise<RunState> {
    const state = await this.stateOf(run);
    if (isOver(state)) return state;
    await this.pause();
    return this.stateOf(run);
  }

  /** One connection. */
  private async *readOnce(
    run: ContainerRun,
    state: RunState,
    follow: boolean,
  ): AsyncGenerator<string, ReadEnd, undefined> {
    let stream: ByteStream | undefined;
    const splitter = new LineSplitter(MAX_LINE_BYTES);
    this.connected = undefined;
    try {
      const query = this.query(run, state, follow);
      stream = await openLog(this.means.requester, logRequest(this.ref, query, this.options.signal));
      this.connected = this.means.now();
      this.opened ??= this.connected;
      this.cursor.beginReplay();
      for await (const chunk of this.chunks(stream, run, follow)) {
        for (const line of splitter.push(chunk)) yield* this.deliver(line);
        if (splitter.tooLong) yield* this.deliver(splitter.rest());
        if (this.bytesLeft <= 0) return 'end';
      }
      // While the run goes on, what follows the last line break may be half a line: it is read again.
      this.rest = splitter.rest();
      return 'end';
    } catch (error) {
      if (!isNavinError(error)) throw error;
      return stream !== undefined && error.code === 'k8s_timeout' ? 'quiet' : error;
    } finally {
      stream?.close();
    }
  }

  /** The pieces of a log; in a long silence it ends when the run has ended. */
  private async *chunks(
    stream: ByteStream,
    run: ContainerRun,
    follow: boolean,
  ): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const reading = stream.read(IDLE_MS);
      while (follow && (await this.isQuiet(reading))) {
        const state = await this.stateOf(run);
        if (isOver(state)) {
          reading.catch(() => undefined);
          return;
        }
      }
      const chunk = await reading;
      if (chunk === undefined) return;
      yield chunk;
    }
  }

  private async isQuiet(reading: Promise<unknown>): Promise<boolean> {
    const stop = new AbortController();
    const quiet = this.means.sleep(QUIET_MS, stop.signal).then(() => true);
    const busy = reading.then(
      () => false,
      () => false,
    );
    try {
      return await Promise.race([busy, quiet]);
    } finally {
      stop.abort();
    }
  }

  /** The log was read to its end: its last line may have no line break. */
  private *finish(): Generator<string, void, undefined> {
    if (this.rest.length > 0) yield* this.deliver(this.rest);
    this.tellGap();
  }

  private *deliver(line: Buffer): Generator<string, void, undefined> {
    if (this.bytesLeft <= 0) return;
    const start = this.cursor.accept(line);
    if (start === undefined) return;
    this.tellGap();
    const text = line.subarray(this.options.timestamps === true ? 0 : start);
    this.bytesLeft -= text.length + 1;
    yield text.toString('utf8');
  }

  private query(run: ContainerRun, state: RunState, follow: boolean): LogQuery {
    const { sinceSeconds, sinceTime, tailLines, previous } = this.options;
    const base: LogQuery = {
      container: run.container,
      previous: previous === true || state === 'previous' ? true : undefined,
      follow: follow ? true : undefined,
      timestamps: true,
    };
    const { since, count } = this.cursor;
    if (since !== undefined) return { ...base, sinceTime: later(since, sinceTime) };
    if (this.opened === undefined) return { ...base, sinceSeconds, sinceTime, tailLines };
    if (count > 0) throw responseError('The log broke off and has no timestamps by which it could be gone on with.');
    // It was open and empty: what came meanwhile is wanted, whatever `tailLines` says.
    const elapsed = Math.ceil((this.means.now() - this.opened) / 1000) + 1;
    if (sinceSeconds !== undefined) return { ...base, sinceSeconds: sinceSeconds + elapsed };
    return { ...base, sinceTime, ...(tailLines === 0 && sinceTime === undefined ? { sinceSeconds: elapsed } : {}) };
  }

  private async pause(): Promise<void> {
    await this.means.sleep(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** this.pauses), this.options.signal);
    this.pauses += 1;
  }

  /** What cannot be asked for a moment is as it was: reading the log counts the failures. */
  private async stateOf(run: ContainerRun): Promise<RunState> {
    try {
      this.seen = await stateOfRun(this.means, run, this.options.signal);
    } catch (error) {
      if (!isNavinError(error) || !isPassing(error)) throw error;
    }
    return this.seen;
  }

  /** The newest line that was read before did not come again. */
  private tellGap(): void {
    if (this.gapTold || !this.cursor.hasGap) return;
    this.gapTold = true;
    this.options.onGap?.();
  }

  private get stood(): boolean {
    return this.connected !== undefined && this.means.now() - this.connected >= STOOD_MS;
  }

  private get startTimeoutMs(): number {
    return this.options.startTimeoutMs ?? START_TIMEOUT_MS;
  }

  /** The container has not started in the eyes of its node yet, and there is time left to wait. */
  private stillStarting(error: NavinError): boolean {
    return error.details.log === 'waiting' && this.means.now() - this.started < this.startTimeoutMs;
  }

  private endLost(state: 'gone' | 'lost'): NavinError {
    const what = state === 'gone' ? 'was deleted' : 'restarted more than once';
    return new NavinError(
      'k8s_not_found',
      `Pod ${quoted(this.ref.name)} ${what} before the end of the log was read: its last lines may be missing.`,
      {
        details: { log: 'gone' },
      },
    );
  }
}

/** Whether no more lines are written: what is left is read without following. */
function isOver(state: RunState): boolean {
  return state !== 'waiting' && state !== 'running' && state !== 'unknown';
}

/** Errors after which the log can be gone on with. */
function isPassing(error: NavinError): boolean {
  if (error instanceof KubeConnectionError) return error.retryable;
  return error.code === 'k8s_server_error' || error.code === 'k8s_throttled';
}

function later(left: string, right: string | undefined): string {
  return right !== undefined && Date.parse(right) > Date.parse(left) ? right : left;
}
