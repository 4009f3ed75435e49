import { isAborted, type Clock } from '../clock';
import { isNavinError } from '../errors';
import { KubeApiError } from '../kube';
import { askedPauseMs, backoffMs, type BackoffCurve } from './backoff';
import type { Mirror } from './mirror';
import type { Source } from './source';

/** Something went wrong with a scope; it is tried again after a pause. */
export interface ScopeFault {
  readonly scope: string;
  readonly error: unknown;
  /** In a row. */
  readonly failures: number;
  readonly pauseMs: number;
}

/** What a {@link Reflector} works with. */
export interface ReflectorOptions {
  readonly scope: string;
  readonly source: Source;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onListed: () => void;
  readonly onFault: (fault: ScopeFault) => void;
}

const BACKOFF: BackoffCurve = { baseMs: 800, maxMs: 30_000 };
/** A window lasts 5 to 10 min, so that many do not end together. */
const MIN_WINDOW_SECONDS = 300;
/**
 * The API server sends a bookmark about every minute. Nothing for so long, and up to a fifth more: the connection may be
 * dead without anybody saying so, and the watch goes on over another.
 */
const SILENCE_MS = 90_000;
/** So many silent windows in a row: events may be missing (a server without bookmarks, or one that was set back). */
const SILENT_WINDOWS = 2;
/** A window that lasted so long has shown that things work. */
const PROOF_MS = 10_000;
/** Whatever a watch may miss (a server that was set back and whose versions have caught up) is found by a list so often. */
const RELIST_MS = 30 * 60_000;
/** From the start of a window to the start of the next: something may end every window as soon as it begins. */
const MIN_WINDOW_MS = 1000;

/** How a window of a watch ended, if not by an error. */
type WindowEnd = 'over' | 'silent' | 'backwards';

/** Keeps a mirror like its scope of the cluster: lists, then watches, and again, until its signal aborts. */
export class Reflector {
  /** When anything was heard last, by the monotonic clock. */
  heardAt: number;
  private failures = 0;
  private silentWindows = 0;
  /** Something came since the last list: a version that is too old now is nothing to worry about. */
  private heard = false;
  private relistAt = 0;

  constructor(private readonly options: ReflectorOptions) {
    this.heardAt = options.clock.monotonic();
  }

  async run(): Promise<void> {
    const { mirror, clock, signal } = this.options;
    while (!isAborted(signal)) {
      const begun = clock.monotonic();
      try {
        if (mirror.cursor === undefined) await this.list();
        else await this.window(mirror.cursor);
      } catch (error) {
        if (isAborted(signal)) return;
        await this.failed(error, clock.monotonic() - begun);
      }
    }
  }

  private async list(): Promise<void> {
    const { source, scope, mirror, clock, random, signal, onListed } = this.options;
    mirror.beginList();
    for await (const page of source.pages(scope, signal)) {
      if (isAborted(signal)) return;
      mirror.page(page.items, page.resourceVersion);
    }
    if (isAborted(signal)) return;
    mirror.endList();
    this.heard = false;
    this.silentWindows = 0;
    this.heardAt = clock.monotonic();
    this.relistAt = this.heardAt + RELIST_MS * (1 + random() / 5);
    onListed();
  }

  private async window(version: string): Promise<void> {
    const { clock, mirror, signal } = this.options;
    const begun = clock.monotonic();
    const end = await this.watch(version);
    if (isAborted(signal)) return;
    if (end === 'silent') this.silentWindows += 1;
    const mustList = this.silentWindows >= SILENT_WINDOWS || clock.monotonic() >= this.relistAt;
    if (end === 'backwards' || mustList) mirror.cursor = undefined;
    const left = MIN_WINDOW_MS - (clock.monotonic() - begun);
    if (left > 0) await clock.sleep(Math.ceil(left), signal);
    else this.failures = 0;
  }

  private async watch(version: string): Promise<WindowEnd> {
    const { source, scope, mirror, clock, random, signal } = this.options;
    const seconds = Math.ceil(MIN_WINDOW_SECONDS * (1 + random()));
    const own = new AbortController();
    const end = (): void => {
      own.abort();
    };
    signal.addEventListener('abort', end, { once: true });
    this.heardAt = clock.monotonic();
    const silence = this.watchdog(own);
    try {
      for await (const event of source.watch(scope, version, seconds, own.signal)) {
        if (isAborted(own.signal)) break;
        this.heardAt = clock.monotonic();
        this.heard = true;
        this.silentWindows = 0;
        if (!mirror.event(event)) return 'backwards';
      }
    } catch (error) {
      if (!silence.found) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      own.abort();
    }
    return silence.found ? 'silent' : 'over';
  }

  /** Ends a window in which nothing comes any more. */
  private watchdog(window: AbortController): { readonly found: boolean } {
    const { clock, random } = this.options;
    const limit = SILENCE_MS * (1 + random() / 5);
    const silence = { found: false };
    const look = async (): Promise<void> => {
      for (;;) {
        const left = this.heardAt + limit - clock.monotonic();
        if (left <= 0) break;
        await clock.sleep(Math.ceil(left), window.signal);
        if (window.signal.aborted) return;
      }
      silence.found = true;
      window.abort();
    };
    void look();
    return silence;
  }

  private async failed(error: unknown, afterMs: number): Promise<void> {
    const { mirror, clock, random, scope, signal, onFault } = this.options;
    const expired = isNavinError(error) && error.code === 'k8s_expired';
    if (mustList(error)) mirror.cursor = undefined;
    // History is kept for some minutes only: after a watch that worked, that is no fault.
    if (expired && (this.heard || afterMs >= PROOF_MS)) {
      this.heard = false;
      this.failures = 0;
      await clock.sleep(Math.ceil(MIN_WINDOW_MS - afterMs), signal);
      return;
    }
    if (afterMs >= PROOF_MS && mirror.cursor !== undefined) this.failures = 0;
    this.failures += 1;
    const pauseMs = Math.max(backoffMs(this.failures, BACKOFF, random), askedPauseMs(error));
    onFault({ scope, error, failures: this.failures, pauseMs });
    await clock.sleep(pauseMs, signal);
  }
}

/**
 * After these the cursor is of no more use: too old (410 as an answer or in the stream), from the future (504 of a server
 * that was set back), or what comes next cannot be read and would come again.
 */
function mustList(error: unknown): boolean {
  if (error instanceof KubeApiError && error.hasCause('ResourceVersionTooLarge')) return true;
  if (!isNavinError(error)) return true;
  if (error.code === 'k8s_response_invalid') return error.details.reason !== 'cut';
  return (
    error.code === 'k8s_expired' || error.code === 'k8s_response_too_large' || error.code === 'k8s_parameter_invalid'
  );
}
