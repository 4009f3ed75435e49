import type { OperatorHealth } from '../control';
import type { Metrics } from './metrics';
import type { Pages } from './probes';
import { shownText } from './shownError';

/** What the pages are made of. */
export interface PagesOptions {
  readonly health: () => OperatorHealth;
  readonly metrics: Metrics;
  /** It is about to end: nothing is to be sent to it any more. */
  readonly isStopping: () => boolean;
}

/** A component that is worked on for so long, in ms, is stuck: every request and every rendering has a limit of its own. */
const STUCK_MS = 10 * 60_000;
/** The most things a probe says are missing. */
const MAX_MISSING = 50;

/** /healthz, /readyz and /metrics. */
export function operatorPages({ health, metrics, isStopping }: PagesOptions): Pages {
  return {
    '/healthz': () =>
      health().queue.oldestActiveMs > STUCK_MS
        ? { status: 503, text: 'stuck: a component has been worked on for more than ten minutes' }
        : { status: 200, text: 'ok' },
    '/readyz': () => {
      if (isStopping()) return { status: 503, text: 'stopping' };
      const { synced, missing } = health();
      if (synced) return { status: 200, text: 'ok' };
      const shown = missing.slice(0, MAX_MISSING).map(shownText);
      const more = missing.length > shown.length ? [`and ${missing.length - shown.length} more`] : [];
      return { status: 503, text: ['not listed yet:', ...shown, ...more].join('\n') };
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  };
}
