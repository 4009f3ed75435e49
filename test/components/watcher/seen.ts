import type { Fields } from './fields';

/** What every object has, as far as verdicts need it. */
export interface Head {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** By uid. */
  readonly controller: string | undefined;
  readonly isEnding: boolean;
}

/** A ManagedComponent. */
export interface ComponentSeen extends Head {
  readonly kind: 'ManagedComponent';
  readonly generation: number;
  readonly asks: Asks;
  readonly says: Says | undefined;
  /** The status as text. */
  readonly text: string;
}

/** What a spec asks for. */
export interface Asks {
  readonly replicas: number | undefined;
  readonly fewest: number | undefined;
  readonly target: { readonly kind: string; readonly name: string } | undefined;
  readonly budget: Budget | undefined;
  readonly isStop: boolean;
  readonly isMaintenance: boolean;
  readonly restart: string | undefined;
}

/** A disruption budget: one of the two. */
export interface Budget {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

/** What a status says. */
export interface Says {
  readonly generation: number | undefined;
  readonly state: string;
  readonly health: string;
  readonly operationState: string;
  readonly operation: { readonly type: string; readonly key: string; readonly reason: string | undefined };
  readonly isConverged: boolean;
  readonly workloads: readonly (Numbers & {
    readonly required: number;
    readonly kind: string;
    readonly name: string;
    readonly isComplete: boolean;
    readonly state: string;
    readonly health: string;
  })[];
  /** `Deployment/web` */
  readonly inventory: ReadonlySet<string>;
}

/** The numbers of a workload. */
export interface Numbers {
  readonly desired: number;
  readonly current: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

/** A Deployment or StatefulSet. */
export interface WorkloadSeen extends Head, Numbers {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly generation: number;
  readonly observedGeneration: number | undefined;
  /** Pods that still end, of a Deployment. */
  readonly terminating: number;
  readonly isOneRevision: boolean;
  readonly hasPassedDeadline: boolean;
  /** The digest of the pod template. */
  readonly template: string;
  readonly podLabels: Fields;
  readonly restart: string | undefined;
  /** Names of its claim templates. */
  readonly claims: readonly string[];
  /** Who wrote what: an entry changes when its manager writes. */
  readonly writers: ReadonlyMap<string, string>;
}

/** A Pod. */
export interface PodSeen extends Head {
  readonly kind: 'Pod';
  readonly isReady: boolean;
}

/** A PodDisruptionBudget. */
export interface BudgetSeen extends Head {
  readonly kind: 'PodDisruptionBudget';
  readonly budget: Budget;
  readonly matchLabels: Fields;
  readonly isCurrent: boolean;
}

/** A HorizontalPodAutoscaler or ScaledObject. */
export interface AutoscalerSeen extends Head {
  readonly kind: 'HorizontalPodAutoscaler' | 'ScaledObject';
  readonly target: { readonly kind: string; readonly name: string };
  readonly fewest: number;
}

/** Anything else. */
export interface PlainSeen extends Head {
  readonly kind:
    'ReplicaSet' | 'PersistentVolumeClaim' | 'ConfigMap' | 'Service' | 'ServiceAccount' | 'NetworkPolicy' | 'Ingress';
}

export type Seen = ComponentSeen | WorkloadSeen | PodSeen | BudgetSeen | AutoscalerSeen | PlainSeen;
export type Kind = Seen['kind'];
