import type { EgressPolicy } from '../../../core/egress';
import type { ClusterTarget } from '../../../core/kubeconfig';

/** The cluster to work in, and where connections may go for it. */
export interface ClusterAccess {
  readonly target: ClusterTarget;
  readonly egress: EgressPolicy;
  /** What the administrator should know: sentences. */
  readonly warnings: readonly string[];
}
