import type { KubeObject } from '../../kube';
import { numberAt, recordAt, recordsAt, textAt } from './fields';

/** The status of one container of a Pod. */
export interface ContainerStatus {
  readonly name: string;
  readonly restarts: number;
  readonly image: string | undefined;
  readonly containerId: string | undefined;
  readonly waiting: Readonly<Record<string, unknown>> | undefined;
  readonly terminated: Readonly<Record<string, unknown>> | undefined;
  /** How the run before this one ended. */
  readonly lastTerminated: Readonly<Record<string, unknown>> | undefined;
}

const LISTS = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const;

/** The containers a Pod's status speaks of, init and ephemeral ones included. Names are unique within a Pod. */
export function containerStatuses(pod: KubeObject): readonly ContainerStatus[] {
  const status = recordAt(pod, 'status');
  return LISTS.flatMap((list) => recordsAt(status, list)).map((entry) => ({
    name: textAt(entry, 'name', 63) ?? '',
    restarts: numberAt(entry, 'restartCount'),
    image: textAt(entry, 'image'),
    containerId: textAt(entry, 'containerID'),
    waiting: part(recordAt(entry, 'state'), 'waiting'),
    terminated: part(recordAt(entry, 'state'), 'terminated'),
    lastTerminated: part(recordAt(entry, 'lastState'), 'terminated'),
  }));
}

function part(state: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> | undefined {
  return state[field] === undefined || state[field] === null ? undefined : recordAt(state, field);
}
