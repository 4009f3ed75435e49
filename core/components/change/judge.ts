import { textAt, at } from '../fields';
import type { ManagedComponent } from '../resource/component';
import type { ComponentState } from '../resource/status';
import type { Reason } from '../reasons';
import { confirmedOf, type Confirmed } from './confirmed';
import { stillAsks, type Plan } from './plan';

/** What a component is to confirm. */
export type Goal = (
  | { readonly until: 'converged' }
  | { readonly until: 'healthy' }
  | { readonly until: 'state'; readonly state: ComponentState }
  /** Converged in a state: what a start or a stop is done with. */
  | { readonly until: 'settled'; readonly state: 'started' | 'stopped' }
  | { readonly until: 'maintenance'; readonly enabled: boolean }
) & {
  /** What was written: when somebody else asks for something else meanwhile, it is not waited for any more. */
  readonly asked?: Plan['fields'];
};

/** How far a component is on the way to a goal. */
export interface Verdict {
  /** `blocked`: it goes on by itself when what is in its way is gone. */
  readonly state: 'met' | 'waiting' | 'blocked' | 'failed';
  /** Stable: a reason of the operator, or one of those below. */
  readonly reason?: Reason | 'NotObserved' | 'Superseded' | 'Removed' | (string & {});
  readonly message?: string;
}

const NOT_OBSERVED: Verdict = {
  state: 'waiting',
  reason: 'NotObserved',
  message: 'The operator has not seen it yet: what is shown is of before.',
};

/** How far a component is. A status of an older spec says nothing, neither of success nor of failure. */
export function judgeComponent(component: ManagedComponent, goal: Goal): Verdict {
  if (goal.asked !== undefined && !stillAsks(component, goal.asked)) {
    return { state: 'failed', reason: 'Superseded', message: 'Somebody else has asked for something else meanwhile.' };
  }
  const confirmed = confirmedOf(component);
  if (!confirmed.observed) return NOT_OBSERVED;
  if (isMet(component, confirmed, goal)) return { state: 'met' };
  return hindrance(component, confirmed, goal) ?? { state: 'waiting', ...confirmed.operation };
}

function isMet(component: ManagedComponent, confirmed: Confirmed, goal: Goal): boolean {
  switch (goal.until) {
    case 'converged':
      return confirmed.converged;
    case 'healthy':
      return confirmed.health === 'ok';
    case 'state':
      return confirmed.state === goal.state;
    case 'settled':
      return confirmed.converged && confirmed.state === goal.state;
    case 'maintenance':
      return (at(component.status, 'accepted', 'maintenance') === true) === goal.enabled;
  }
}

/** Why it does not go on: what failed, what is refused, what is in the way. */
function hindrance(component: ManagedComponent, confirmed: Confirmed, goal: Goal): Verdict | undefined {
  const { operationState, operation, security, securityState, state } = confirmed;
  const { reason, message } = operation;
  if (operationState === 'failed') return verdict('failed', reason, message ?? 'The operation has failed.');
  if (operationState === 'blocked') return verdict('blocked', reason, message ?? 'The operation is blocked.');
  // A stop of what is not compliant goes on all the same.
  if (securityState === 'non_compliant' && textAt(component.spec, 'desiredState') !== 'Stopped') {
    return verdict('failed', security.reason, security.message ?? 'What the chart renders is not allowed.');
  }
  if (state === 'failed' && operationState !== 'running')
    return verdict('failed', reason, 'Its workloads have failed.');
  const isLeaving = component.metadata.deletionTimestamp !== undefined;
  const waitsForLeaving = goal.until === 'state' && goal.state === 'uninstalling';
  if (!isLeaving || waitsForLeaving) return undefined;
  return { state: 'failed', reason: 'Removed', message: 'It is being removed.' };
}

function verdict(state: Verdict['state'], reason: string | undefined, message: string): Verdict {
  return { state, ...(reason === undefined ? {} : { reason }), message };
}
