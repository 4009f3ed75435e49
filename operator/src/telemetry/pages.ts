import type { OperatorHealth } from '../control';
import type { Metrics } from './metrics';
import type { Pages } from './probes';
import type { Progress } from './progress';
import { shownText } from './shownError';

/** What the pages are made of. */
export interface PagesOptions {
  readonly health: () => OperatorHealth;
  readonly progress: Progress;
  readonly metrics: Metrics;
  /** It is about to end: nothing is to be sent to it any more. */
  readonly isStopping: () => boolean;
}

/** The most things a probe says are missing. */
const MAX_MISSING = 50;

/** /healthz, /readyz and /metrics. */
export function operatorPages({ health, progress, metrics, isStopping }: PagesOptions): Pages {
  return {
    '/healthz': () =>
      progress.isStuck(health())
        ? { status: 503, text: 'stuck: work is under way, and for ten minutes nothing has begun or ended' }
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
