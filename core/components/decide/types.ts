import type { KubeObject } from '../../kube';
import type { Ref } from '../objects';
import type { Because } from '../reasons';
import type { ManagedComponent } from '../resource/component';
import type { ComponentStatus } from '../resource/status';

/** What was seen of the cluster, for one component. Keys of objects are those of `keyOf`. */
export interface Observed {
  readonly component: ManagedComponent;
  /** What was looked at; an object that was not is not in it. Managed fields must be left in. */
  readonly live: ReadonlyMap<string, KubeObject | 'absent'>;
  /** What the API server answered to the last apply of each object, as long as this process lives. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** By `secretName/key`: whether the Secret has the key; what was not looked at is not in it. */
  readonly secrets: ReadonlyMap<string, boolean>;
  /** Whether the cluster serves ScaledObjects. */
  readonly servesScaledObjects: boolean;
  /** Secrets that the administrator allows for pulling images. */
  readonly pullSecrets: readonly string[];
}

/**
 * The answer to an apply of a body of this digest. What was refused only because the object had changed meanwhile is no
 * answer: the next look decides anew.
 */
export type Answer =
  | { readonly digest: string; readonly applied: KubeObject }
  | { readonly digest: string; readonly refused: Because; readonly at: number };

/** What the chart says, rendered with the values of the spec. */
export type Desired =
  | { readonly rendering: 'pending' }
  | { readonly rendering: 'failed'; readonly configuration: string; readonly because: Because; readonly at: number }
  | {
      readonly rendering: 'done';
      /** The digest of what was rendered (`configurationOf`). */
      readonly configuration: string;
      readonly chart: { readonly name: string; readonly version: string; readonly digest?: string };
      /** Parsed, and nothing else. */
      readonly documents: readonly unknown[];
    };

/** An object as it is to be applied. */
export interface Application {
  readonly ref: Ref;
  readonly body: KubeObject;
  /** Of the body without replicas; comes back in the answer. */
  readonly digest: string;
  /** The object that is meant, in the version that was seen; absent: it does not exist. */
  readonly expects?: { readonly uid: string; readonly resourceVersion: string };
  /** Whether Pods may be ended by it: then the lease and the generation are checked once more before. */
  readonly disruptive: boolean;
}

/** What to do next, as data. */
export type Action =
  | { readonly type: 'addFinalizer' }
  | { readonly type: 'removeFinalizer' }
  /** Render the chart for this configuration. */
  | { readonly type: 'render'; readonly configuration: string }
  /** Look at these objects. */
  | { readonly type: 'observe'; readonly refs: readonly Ref[] }
  /** Look whether these Secrets have these keys. */
  | {
      readonly type: 'checkSecrets';
      readonly secrets: readonly { readonly secretName: string; readonly key: string }[];
    }
  /**
   * Server-side apply by the manager of the operator, never forced. All are tried by a dry run first: when one of them is
   * refused, none is applied.
   */
  | { readonly type: 'apply'; readonly objects: readonly Application[] }
  /** Server-side apply of `spec.replicas` alone, by the manager of replicas. */
  | {
      readonly type: 'setReplicas';
      readonly ref: Ref;
      readonly expects: { readonly uid: string; readonly resourceVersion: string };
      readonly replicas: number;
      readonly force: boolean;
      readonly disruptive: boolean;
    }
  /** Foreground deletion with a precondition on the uid. */
  | { readonly type: 'delete'; readonly ref: Ref; readonly uid: string; readonly disruptive: boolean };

/** What to do next. */
export interface Decision {
  /** The status as it should be; written when it differs. */
  readonly status: ComponentStatus;
  readonly actions: readonly Action[];
  /** When to look again at the latest, though nothing changes, in ms. */
  readonly againAfterMs?: number;
}
