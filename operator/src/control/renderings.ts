import { chartValues, configurationOf, type Desired, type ManagedComponent } from '../../../core/components';
import type { Clock } from '../../../core/clock';
import { LruCache } from '../cache';
import { ChartError } from '../charts';
import type { Capabilities, Rendering, RenderRequest } from '../render';
import type { StepEvent } from './events';

/** What charts are rendered with. */
export interface RenderingsOptions {
  readonly renderer: { render(request: RenderRequest): Promise<Rendering> };
  readonly capabilities: () => Promise<Capabilities>;
  readonly clock: Clock;
  readonly onStep: (step: StepEvent) => void;
}

/** The most bytes of rendered text that are remembered, all components together. */
const MAX_BYTES = 24 * 1024 * 1024;
/** What an entry costs beside its text. */
const OVERHEAD = 512;
/** So long a pass waits for a rendering before it goes on without, in ms: a registry may take its time. */
const PATIENCE_MS = 2_000;

const PENDING: Desired = { rendering: 'pending' };

interface UnderWay {
  readonly configuration: string;
  readonly ended: Promise<void>;
  /** By the monotonic clock, ms. */
  readonly begunAt: number;
}

/** What the charts of components say, each rendered when it is needed and remembered as long as there is room. */
export class Renderings {
  private readonly known = new LruCache<Desired>(MAX_BYTES);
  private readonly underWay = new Map<string, UnderWay>();

  constructor(private readonly options: RenderingsOptions) {}

  /** What is known of a component's chart. */
  get(key: string): Desired {
    return this.known.get(key) ?? PENDING;
  }

  /** The next pass renders anew: a chart in a folder may have changed. */
  forget(key: string): void {
    this.known.delete(key);
  }

  /**
   * Renders the chart of a component for its present spec. Answers when that is done, or when it takes long: then `whenDone`
   * is called later. What takes long is waited for by one pass and no more: others have their turn.
   *
   * @throws NavinError of discovery, and whatever is no fault of the chart
   */
  async render(key: string, component: ManagedComponent, whenDone: () => void): Promise<void> {
    const configuration = configurationOf(component.spec);
    let running = this.underWay.get(key);
    if (running?.configuration !== configuration) {
      const ended = this.begin(key, component, configuration);
      running = { configuration, ended, begunAt: this.options.clock.monotonic() };
      this.underWay.set(key, running);
      const forget = (): void => {
        if (this.underWay.get(key)?.ended === ended) this.underWay.delete(key);
      };
      void ended.then(forget, forget);
    }
    const { ended, begunAt } = running;
    const { clock } = this.options;
    const patience = new AbortController();
    const late = clock.sleep(begunAt + PATIENCE_MS - clock.monotonic(), patience.signal).then(() => 'late' as const);
    try {
      if ((await Promise.race([ended, late])) === 'late') void ended.then(whenDone, whenDone);
    } finally {
      patience.abort();
    }
  }

  private async begin(key: string, component: ManagedComponent, configuration: string): Promise<void> {
    const { renderer, capabilities, clock, onStep } = this.options;
    const { name = '', namespace = '' } = component.metadata;
    const { source, version, ...spec } = component.spec;
    const begun = clock.monotonic();
    const tell = (outcome: 'done' | 'refused', reason?: string): void => {
      const tookMs = clock.monotonic() - begun;
      onStep({ component: key, step: 'render', outcome, tookMs, ...(reason === undefined ? {} : { reason }) });
    };
    try {
      const chosen = chartValues({ source, ...spec });
      // decide() refuses such values before it asks for a rendering.
      const values = 'values' in chosen ? chosen.values : {};
      const request = { source, version, values, name, namespace, capabilities: await capabilities() };
      const { chart, documents, bytes } = await renderer.render(request);
      const desired: Desired = { rendering: 'done', configuration, chart, documents };
      // What is too large to be remembered is remembered all the same, until the pass has used it.
      this.known.set(key, desired, Math.min(bytes + OVERHEAD, MAX_BYTES));
      tell('done');
    } catch (error) {
      // Whatever else goes wrong is no fault of the chart: the pass fails, and is tried again.
      if (!(error instanceof ChartError)) throw error;
      const { because } = error;
      this.known.set(key, { rendering: 'failed', configuration, because, at: clock.now() }, OVERHEAD);
      tell('refused', because.reason);
    }
  }
}
