import { required } from './arithmetic';
import { isComplete, isCurrent, numbersOf, type History, type Version } from './history';
import type { Budget, BudgetSeen, ComponentSeen, Numbers, Says, WorkloadSeen } from './seen';

/** A status that was written, and what it could know. */
export interface Claim {
  readonly component: ComponentSeen;
  readonly says: Says;
  readonly before: Says | undefined;
  /** What each workload was, by kind and name. */
  readonly historyOf: (kind: string, name: string) => History;
  /** The workloads that are there. */
  readonly workloads: readonly WorkloadSeen[];
  /** The budgets that are there, or were until shortly before. */
  readonly budgets: readonly BudgetSeen[];
  /** What was over before that is too old to be told of, in ms. */
  readonly endedAfter: number;
}

/** A workload of a status beside the versions it may have been read from. */
interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly said: Says['workloads'][number];
  readonly fits: readonly Version[];
  /** Of these, those that began not before the last write of the operator itself ended: it knows what it did. */
  readonly own: readonly Version[];
}

/** What kinds of claims a status makes, for those who want to know how much was looked at. */
export type ClaimKind = 'numbers' | 'converged' | 'stopped' | 'succeeded' | 'ok' | 'blocked';

/**
 * What a status claims that the workloads did not show.
 *
 * Versions of all kinds count together, so that for each status it is known what every workload was just then, and before.
 * A status may be behind: what it says of a workload must have been so at some moment of the last seconds. It may not go
 * back behind what the status before told. What it calls done (converged, complete, stopped, succeeded) must have been so
 * after the operator's own last write to that workload: that write it knows of, and the numbers from before say nothing
 * about it.
 */
export function claimProblems(claim: Claim, count: (kind: ClaimKind) => void): readonly string[] {
  const { says, component, historyOf, endedAfter } = claim;
  const entries = says.workloads.map((said): Entry => {
    const history = historyOf(said.kind, said.name);
    const fits = history.recent(endedAfter).filter(({ workload }) => isSame(said, workload));
    const own = fits.filter(({ to }) => to === undefined || to > history.ownWrite);
    history.pointer = Math.max(history.pointer, fits[0]?.from ?? 0);
    count('numbers');
    return { name: `${said.kind}/${said.name}`, kind: said.kind, said, fits, own };
  });
  const problems = entries.flatMap((entry) =>
    numberProblems(entry, historyOf(entry.kind, entry.said.name), endedAfter),
  );
  if (says.generation !== undefined && says.generation > component.generation) {
    problems.push(`observedGeneration ${says.generation} is of no spec yet: there are ${component.generation}`);
  }
  if (problems.length > 0) return problems;
  if (says.isConverged) {
    count('converged');
    problems.push(...convergenceProblems(claim, entries));
  }
  if (says.state === 'stopped') {
    count('stopped');
    problems.push(...entries.flatMap(stopProblems));
  }
  if (says.health === 'ok' && entries.length > 0) {
    count('ok');
    const ill = entries.filter(({ said, fits }) => said.available < said.desired || !fits.some(isFresh));
    problems.push(
      ...ill.map(({ name, said }) => `health is ok, and ${name} has ${said.available} of ${said.desired} available`),
    );
  }
  if (says.health === 'warning' || says.health === 'critical') {
    const isIll = entries.some(({ said }) => said.available < Math.max(said.desired, said.required));
    if (!isIll) problems.push(`health is ${says.health}, and every Pod is available`);
  }
  if (says.operationState === 'succeeded' && !wasSucceeded(claim) && says.operation.type !== 'maintenance') {
    count('succeeded');
    problems.push(...entries.flatMap((entry) => doneProblems(entry, `${says.operation.type} has succeeded`)));
  }
  if (
    says.operation.reason === 'DisruptionBudgetExhausted' &&
    claim.before?.operation.reason !== says.operation.reason
  ) {
    count('blocked');
    problems.push(...blockProblems(claim, entries));
  }
  return problems;
}

/** Whether a workload has the numbers that a status says. */
export function isSame(said: Numbers, workload: WorkloadSeen | undefined): boolean {
  const { desired = said.desired, current, updated, ready, available } = numbersOf(workload);
  return (
    said.desired === desired &&
    said.current === current &&
    said.updated === updated &&
    said.ready === ready &&
    said.available === available
  );
}

function numberProblems({ name, said, fits }: Entry, history: History, endedAfter: number): string[] {
  if (fits.length > 0) {
    if (!said.isComplete || fits.some(({ workload }) => isComplete(workload))) return [];
    return [`${name} is called complete with ${shown(said)}, and was not: ${fits.map(versionShown).join('; ')}`];
  }
  const recent = history.recent(endedAfter).slice(-6).map(versionShown).join('; ');
  return [`${name} is said to have ${shown(said)}; it had ${recent}`];
}

function convergenceProblems(claim: Claim, entries: readonly Entry[]): readonly string[] {
  const { says, component, workloads, budgets } = claim;
  const { asks, generation } = component;
  const problems: string[] = [];
  if (says.generation !== generation)
    problems.push(`converged at ${says.generation ?? 0}, and the spec is at ${generation}`);
  if (says.operationState !== 'succeeded') problems.push(`converged, and the operation is ${says.operationState}`);
  const wanted = asks.isStop ? 'stopped' : 'started';
  if (says.state !== wanted) problems.push(`converged, and ${says.state} is not ${wanted}`);
  const hidden = workloads.filter(
    ({ kind, name }) => !entries.some(({ said }) => said.kind === kind && said.name === name),
  );
  problems.push(...hidden.map(({ kind, name }) => `converged, and ${kind}/${name} is not mentioned`));
  for (const entry of entries) {
    problems.push(...doneProblems(entry, 'converged'));
    const shows = (what: string, holds: (workload: WorkloadSeen) => boolean): void => {
      if (!entry.own.some(({ workload }) => workload !== undefined && holds(workload))) {
        problems.push(`converged, and ${entry.name} does not show ${what}`);
      }
    };
    const { said } = entry;
    const isMeant = asks.target === undefined || (asks.target.kind === said.kind && asks.target.name === said.name);
    if (!asks.isStop && isMeant && asks.replicas !== undefined && !asks.isMaintenance) {
      shows(`${asks.replicas} replicas`, ({ desired }) => desired === asks.replicas);
    }
    if (asks.restart !== undefined) shows(`the restart of ${asks.restart}`, ({ restart }) => restart === asks.restart);
    if (asks.budget !== undefined) {
      const { budget } = asks;
      shows('its budget', (workload) =>
        budgets.some(
          (each) => each.controller === component.uid && guards(each, workload) && isEqual(each.budget, budget),
        ),
      );
    }
    if (!asks.isStop) {
      const most = Math.max(...entry.own.flatMap(({ pods }) => pods.map(({ ready }) => ready)), 0);
      if (most < said.desired)
        problems.push(`converged, and ${entry.name} had ${most} Pods that were ready of ${said.desired}`);
    }
  }
  return problems;
}

function doneProblems({ name, said, own }: Entry, what: string): readonly string[] {
  if (!said.isComplete) return [`${what}, and ${name} is not complete: ${shown(said)}`];
  if (own.some(({ workload }) => isComplete(workload))) return [];
  return [`${what}, and ${name} was not complete after the operator's last write to it`];
}

function stopProblems({ name, said, own }: Entry): readonly string[] {
  if (said.desired !== 0 || said.current !== 0) return [`stopped, and ${name} has ${shown(said)}`];
  // A workload that is not there shows no Pods either.
  const isSo = own.some(({ workload, pods }) => workload === undefined || pods.some(({ all }) => all === 0));
  return isSo ? [] : [`stopped, and ${name} had Pods that were not gone`];
}

/** A block needs a cause: too few Pods, or numbers that were not of the newest generation. */
function blockProblems(
  { component, budgets, workloads, endedAfter, historyOf }: Claim,
  entries: readonly Entry[],
): readonly string[] {
  const budget = component.asks.budget ?? {};
  const isCaused = entries.some(({ kind, said }) => {
    const spare = kind === 'StatefulSet' ? 1 : 0;
    return historyOf(kind, said.name)
      .recent(endedAfter)
      .some(({ workload }) => {
        if (workload === undefined || !isCurrent(workload)) return true;
        return workload.available - spare < required(budget, workload.desired);
      });
  });
  const isBehind = workloads.some((workload) => !budgets.some((each) => guards(each, workload) && each.isCurrent));
  const hasOld = budgets.some(({ isCurrent: isNew }) => !isNew);
  return isCaused || isBehind || hasOld ? [] : ['blocked by the budget, and enough Pods are available'];
}

function wasSucceeded({ before, says }: Claim): boolean {
  return before?.operationState === 'succeeded' && before.operation.key === says.operation.key;
}

function isFresh({ workload }: Version): boolean {
  return workload === undefined || isCurrent(workload);
}

/** Whether a budget is meant for the Pods of a workload. */
export function guards({ matchLabels }: BudgetSeen, { podLabels }: WorkloadSeen): boolean {
  const labels = Object.entries(matchLabels);
  return labels.length > 0 && labels.every(([name, value]) => podLabels[name] === value);
}

function isEqual(left: Budget, right: Budget): boolean {
  return left.minAvailable === right.minAvailable && left.maxUnavailable === right.maxUnavailable;
}

function shown({ desired, current, updated, ready, available }: Numbers): string {
  return `desired ${desired}, current ${current}, updated ${updated}, ready ${ready}, available ${available}`;
}

function versionShown({ from, to, workload }: Version): string {
  const span = `at ${from}${to === undefined ? '' : `–${to}`}`;
  if (workload === undefined) return `nothing ${span}`;
  return `${shown(workload)} (generation ${workload.observedGeneration ?? 0} of ${workload.generation}) ${span}`;
}
