import { isRecord } from '../../kube';
import type { ManagedComponent } from '../resource/component';
import type { Accepted, OperationType } from '../resource/status';
import { inputsOf, operationKey, scalesAlike } from './inputs';

/** The newest operation that was asked for. */
export interface Operation {
  readonly type: OperationType;
  readonly key: string;
  readonly startedAt: string;
  /** Whether it was done before: what happens later is no part of it. */
  readonly wasDone: boolean;
}

/**
 * The operation that the spec asks for, by what it changes of what was accepted. It stays the same as long as the spec
 * asks for the same; switching maintenance is an operation of its own only when no other one is under way.
 */
export function operationOf(component: ManagedComponent, now: number): Operation {
  const { spec, status } = component;
  const key = operationKey(spec);
  const before = status?.operation;
  if (before?.key === key) {
    const { type, startedAt } = before;
    return { type, key, startedAt, wasDone: status?.operationState === 'succeeded' };
  }
  const type = typeOf(component, status?.accepted);
  const startedAt = new Date(now).toISOString();
  const isUnderWay = isRecord(before) && status?.operationState !== 'succeeded';
  if (type === 'maintenance' && isUnderWay)
    return { type: before.type, key, startedAt: before.startedAt, wasDone: false };
  return { type, key, startedAt, wasDone: false };
}

function typeOf({ spec }: ManagedComponent, accepted: Accepted | undefined): OperationType {
  if (accepted === undefined) return 'install';
  const asked = inputsOf(spec);
  if (asked.configuration !== accepted.configuration) return 'configure';
  if (asked.desiredState !== accepted.desiredState) return asked.desiredState === 'Stopped' ? 'stop' : 'start';
  if (!scalesAlike(asked, accepted)) return 'scale';
  if (asked.maintenance !== accepted.maintenance) return 'maintenance';
  // Nothing but the time of the restart is left, or a change that was refused was taken back.
  return spec.restartRequestedAt === accepted.restartRequestedAt ? accepted.operation : 'restart';
}
