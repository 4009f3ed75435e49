import type { ComponentSpec } from '../resource/spec';

type SecretRefs = NonNullable<ComponentSpec['secretRefs']>;

/** How many Pods: a number of them, or an autoscaler's bounds. */
export type Scale = {
  /** Where the chart has several workloads; undefined: as it is. */
  readonly scaleTarget: ComponentSpec['scaleTarget'];
} & (
  | { readonly replicas: number; readonly autoscaling?: never }
  | { readonly autoscaling: NonNullable<ComponentSpec['autoscaling']>; readonly replicas?: never }
);

/** What of a configuration is to be another. What is left out stays as it is. */
export interface Configuration {
  readonly source?: ComponentSpec['source'];
  /** null: any. */
  readonly version?: string | null;
  /** In the place of all values there are, or into them. */
  readonly values?: { readonly mode: 'merge' | 'replace'; readonly values: Readonly<Record<string, unknown>> };
  /** Paths of values that go, such as `image.tag`. */
  readonly withoutValues?: readonly string[];
  /** In the place of all there are, or beside them: one with the same value path takes the place of the other. */
  readonly secretRefs?: { readonly mode: 'merge' | 'replace'; readonly refs: SecretRefs };
  /** null: none. */
  readonly pdb?: ComponentSpec['pdb'] | null;
}

/** What can be asked of a component that is there. */
export type Ask =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  /** @param now ms since 1970 */
  | { readonly type: 'restart'; readonly now: number }
  | { readonly type: 'scale'; readonly scale: Scale }
  | { readonly type: 'maintenance'; readonly enabled: boolean }
  | { readonly type: 'configure'; readonly configuration: Configuration };
