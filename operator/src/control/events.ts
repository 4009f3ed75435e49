import type { ComponentStatus, ManagedComponent } from '../../../core/components';
import type { TermEnd } from '../../../core/controller';

/** One step that was carried out, or was not. Names and outcomes only: nothing of what an object holds. */
export interface StepEvent {
  /** `namespace/name` of the component. */
  readonly component: string;
  readonly step: 'addFinalizer' | 'removeFinalizer' | 'render' | 'apply' | 'setReplicas' | 'delete';
  /** For instance `Deployment/web`; absent where a step is about the component. */
  readonly object?: string;
  /** `refused`: somebody has to change something. `stale`: it had changed meanwhile and is looked at again. */
  readonly outcome: 'done' | 'refused' | 'stale';
  /** Of what was refused. */
  readonly reason?: string;
  readonly tookMs: number;
}

/** What an operator tells of itself, for logs and metrics. None of it may throw. */
export interface OperatorEvents {
  /** It holds the lease now and acts. */
  onLeading?(): void;
  onFollowing?(end: TermEnd): void;
  /** The lease could not be read or written; it is tried again. */
  onLeaseFault?(error: unknown): void;
  /** A kind cannot be listed or watched at the moment; it is tried again after the pause. */
  onWatchFault?(fault: {
    readonly kind: string;
    readonly namespace: string;
    readonly error: unknown;
    readonly pauseMs: number;
  }): void;
  /** A component was looked at, and what was to do was done. */
  onPass?(pass: { readonly component: string; readonly tookMs: number; readonly succeeded: boolean }): void;
  /** A pass that failed; it is tried again after the pause. */
  onPassFailed?(failure: {
    readonly component: string;
    readonly error: unknown;
    readonly failures: number;
    readonly pauseMs: number;
  }): void;
  /** How long a component waited for its turn. */
  onWaited?(waitedMs: number): void;
  onStep?(step: StepEvent): void;
  /** A status was written. */
  onStatus?(component: ManagedComponent, before: ComponentStatus | undefined): void;
  /** A component is gone. */
  onGone?(component: string): void;
}

/** How an operator is doing, for probes and gauges. */
export interface OperatorHealth {
  /** Every kind was listed in every namespace, so that it can act at once. */
  readonly synced: boolean;
  /** It holds the lease. */
  readonly leading: boolean;
  /** What has not been listed yet, or was not heard of for long: `deployments in apps`. */
  readonly missing: readonly string[];
  /** Components by what their status says, as they are known now. */
  readonly components: readonly ManagedComponent[];
  readonly queue: {
    readonly depth: number;
    readonly active: number;
    readonly delayed: number;
    readonly failing: number;
    /** How long the component is worked on that is worked on longest. */
    readonly oldestActiveMs: number;
  };
}
