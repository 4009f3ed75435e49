import type { FastClock } from './fastClock';
import type { Host } from './host';
import type { Happening } from './story';
import type { Trace } from './trace';
import type { Writer } from './writer';

/** Who plays in a run. */
export interface Cast {
  readonly host: Host;
  readonly clock: FastClock;
  readonly writer: Writer;
  readonly trace: Trace;
  /** Does something so many ms of the trigger's clock from now. */
  readonly later: (ms: number, work: () => Promise<void>) => void;
}

/** Lets something happen, to its end; what is said to go on does so. */
export async function happen(happening: Happening, { host, clock, writer, trace, later }: Cast): Promise<void> {
  switch (happening.do) {
    case 'writes':
      for (const write of happening.writes) await writer.write(write);
      return;
    case 'busy':
      for (const [at, write] of happening.writes.entries()) {
        const ms = (happening.seconds * 1000 * (at + 0.5)) / happening.writes.length;
        later(ms, () => writer.write(write));
      }
      return;
    case 'time':
      await clock.sleep(happening.seconds * 1000);
      return;
    case 'mood':
      trace.add(`n8n is ${happening.mood}`);
      host.n8n.mood = happening.mood;
      return;
    case 'kill':
      host.kill();
      await clock.sleep(happening.seconds * 1000);
      await host.start();
      return;
    case 'kill-after':
      host.killAfter(happening.writes, () => {
        later(happening.seconds * 1000, () => host.start());
      });
      return;
    case 'reactivate':
      await host.reactivate();
      return;
    case 'roll-back': {
      const { everSaved } = host.n8n;
      const state = everSaved[Math.floor(happening.share * everSaved.length)];
      if (state) host.n8n.saved = state;
      trace.add(`static data are set back to ${state?.p.map(([, cursor]) => cursor).join() ?? 'nothing'}`);
    }
  }
}
