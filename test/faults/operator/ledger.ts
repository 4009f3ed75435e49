import type { Clock } from '../../../core/clock';
import type { ProxyGuard } from '../proxy';
import { changeOf, unguarded, type Change } from './requests';

/** What no operator may do, whatever befalls it. */
export interface Misdeed {
  readonly rule: 'lease' | 'unguarded' | 'secret';
  readonly what: string;
}

/** When the process ends: at its n-th request, before or after the API server knows of it. */
export interface Doom {
  readonly requests: number;
  readonly when: 'before' | 'after';
}

/** Who keeps a ledger. */
export interface LedgerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly needles: readonly string[];
  readonly onMisdeed: (misdeed: Misdeed) => void;
  /** A change that the API server has acted on (2xx). */
  readonly onChange: (change: Change) => void;
  readonly onDoom: () => void;
}

/** A holder of the lease may act for 10 s after it began to renew it. */
const TRUST_MS = 10_000;

/** What one operator asks of the API server, held against the rules that all of them must keep; and its end, if it has one. */
export class Ledger implements ProxyGuard {
  requests = 0;
  /** Changes that were asked for, dry runs and leases aside. */
  changes = 0;
  /** Of them, those of anything but a status. */
  deeds = 0;
  doom: Doom | undefined;
  private leaseSince = -Infinity;
  private leaseAsked = -Infinity;

  constructor(private readonly options: LedgerOptions) {}

  asks(request: Parameters<ProxyGuard['asks']>[0]): boolean {
    this.requests += 1;
    const change = changeOf(request);
    if (change !== undefined) this.judge(change);
    return !this.isDoomed('before');
  }

  answered(request: Parameters<ProxyGuard['answered']>[0], status: number): boolean {
    const change = changeOf(request);
    if (change !== undefined && status < 300) {
      if (change.kind === 'lease') this.leaseSince = this.leaseAsked;
      else if (!change.isDryRun) this.options.onChange(change);
    }
    return !this.isDoomed('after');
  }

  /** The operator is about to change something: later it may have been suspended, and what was sent is sent. */
  acts(object: string): void {
    const { clock, name, onMisdeed } = this.options;
    const age = clock.monotonic() - this.leaseSince;
    if (age <= TRUST_MS) return;
    onMisdeed({ rule: 'lease', what: `${name} changes ${object} ${Math.round(age)} ms after it renewed the lease` });
  }

  private judge(change: Change): void {
    const { clock, name, needles, onMisdeed } = this.options;
    if (change.kind === 'lease') {
      this.leaseAsked = clock.monotonic();
      return;
    }
    const shown = JSON.stringify(change.kind === 'status' ? change.body.status : change.body);
    const needle = needles.findIndex((each) => shown.includes(each));
    if (needle >= 0) onMisdeed({ rule: 'secret', what: `${name} writes the secret ${needle} to ${change.object}` });
    const lacks = unguarded(change);
    if (lacks !== undefined) {
      onMisdeed({ rule: 'unguarded', what: `${name} asks for ${change.kind} of ${change.object} without ${lacks}` });
    }
    if (change.isDryRun) return;
    this.changes += 1;
    if (change.kind !== 'status') this.deeds += 1;
  }

  private isDoomed(when: Doom['when']): boolean {
    const { doom } = this;
    if (doom?.when !== when || this.requests < doom.requests) return false;
    this.doom = undefined;
    this.options.onDoom();
    return true;
  }
}
