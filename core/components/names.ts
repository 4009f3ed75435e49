/** The API group of the platform's resources. */
export const COMPONENT_GROUP = 'platform.navin.ai';
export const COMPONENT_VERSION = 'v1alpha1';
export const COMPONENT_API_VERSION = `${COMPONENT_GROUP}/${COMPONENT_VERSION}`;
export const COMPONENT_KIND = 'ManagedComponent';

/** Field managers of server-side apply: everything but replicas, and replicas alone (see decide/replicas.ts). */
export const OPERATOR_MANAGER = 'navin-operator';
export const REPLICAS_MANAGER = 'navin-operator-handover';

/** Keeps a component until everything it owns is gone. */
export const COMPONENT_FINALIZER = `${COMPONENT_GROUP}/managed-component`;
/** On every applied object: the name of its component. What is watched is chosen by it; ownership is not. */
export const COMPONENT_LABEL = `${COMPONENT_GROUP}/component`;
/** On every workload: the digest of the pod template that was applied, the restart aside. */
export const TEMPLATE_ANNOTATION = `${COMPONENT_GROUP}/template`;
/** On pod templates: the last `restartRequestedAt` that was carried out. */
export const RESTART_ANNOTATION = `${COMPONENT_GROUP}/restarted-at`;
/** Holds KEDA's hand: the replicas it keeps, whatever the triggers say. */
export const KEDA_PAUSE_ANNOTATION = 'autoscaling.keda.sh/paused-replicas';

/** Helm takes no longer release names. */
export const MAX_COMPONENT_NAME = 53;
const RESERVED_NAMES = ['navin-operator', 'navin-cluster-agent'] as const;

/** Whether a name is kept for the platform's own programs. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.some((reserved) => name.startsWith(reserved));
}
