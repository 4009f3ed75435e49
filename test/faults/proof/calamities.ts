import type { OwnCluster } from '../../cluster';
import { seededRandom } from '../../../core/trigger/testing/random';
import { KINDS } from './kinds';
import type { Stage } from './run';

/** What befalls whom, and how often. */
export interface CalamityOptions {
  readonly cluster: OwnCluster;
  readonly stage: Stage;
  readonly seed: number;
  /** From one to the next, about, ms. Default 10 s. */
  readonly calamityMs?: number;
  /** A namespace whose history is witnessed, for objects that mark a moment. */
  readonly place: string;
}

const CALAMITY_MS = 10_000;
const LONGEST_PAUSE_MS = 2000;
const GOOD_TIMES = 3;

/** What befalls all runs at once: the real API server is killed and started again, or stands still. */
export class Calamities {
  restarts = 0;
  pauses = 0;
  private readonly controller = new AbortController();
  private readonly random: () => number;
  private readonly done: Promise<void>;
  private failure: unknown;

  constructor(private readonly options: CalamityOptions) {
    this.random = seededRandom(options.seed);
    this.done = this.happen().catch((error: unknown) => {
      this.failure = error;
    });
  }

  /** @throws Error when they could not go on */
  async end(): Promise<void> {
    this.controller.abort();
    await this.done;
    if (this.failure !== undefined) throw new Error('The API server could not be tried.', { cause: this.failure });
  }

  private async happen(): Promise<void> {
    const { calamityMs = CALAMITY_MS } = this.options;
    for (let tookMs = 0; ;) {
      // On a busy machine it takes long until all is well again: there must be more good times than bad ones.
      await this.pause(Math.max(calamityMs * (0.5 + this.random()), GOOD_TIMES * tookMs));
      if (this.controller.signal.aborted) return;
      const begun = performance.now();
      if (this.random() < 0.75) await this.restart();
      else await this.stop(this.random() * LONGEST_PAUSE_MS);
      tookMs = performance.now() - begun;
    }
  }

  /**
   * Nothing is written while the API server is down, so the record has no hole, and every write has its answer. Its watch
   * cache is empty then: whoever goes on from an older version gets a real 410.
   */
  private async restart(): Promise<void> {
    const { cluster, stage } = this.options;
    const { gate, witnesses } = stage;
    await gate.alone(async () => {
      await this.markers();
      for (const witness of Object.values(witnesses)) await witness.suspend();
      await cluster.restartApiServer();
      for (const witness of Object.values(witnesses)) await witness.resume();
    });
    this.restarts += 1;
  }

  private async stop(ms: number): Promise<void> {
    await this.options.cluster.pauseApiServer();
    await this.pause(ms);
    await this.options.cluster.resumeApiServer();
    this.pauses += 1;
  }

  /** Waits until the witnesses have seen the last that was written. */
  private async markers(): Promise<void> {
    const { place, stage } = this.options;
    const { api, witnesses } = stage;
    for (const [name, witness] of Object.entries(witnesses)) {
      const kind = KINDS[name as keyof typeof witnesses];
      const path = kind.path(place);
      const { metadata } = await api.create(path, kind.body('marker', 'marker', 'marker'));
      await witness.until(() => witness.knows(metadata.uid, Number(metadata.resourceVersion)), 'its marker');
      await api.delete(`${path}/marker`);
      await witness.until(() => witness.knows(metadata.uid, 0), 'the end of its marker');
    }
  }

  private pause(ms: number): Promise<void> {
    const { signal } = this.controller;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }
}
