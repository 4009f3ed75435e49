import { claimProblems, guards, isSame, type ClaimKind } from './claims';
import type { Blind, Observation } from './collection';
import { Course } from './course';
import { Fleet, type Live } from './fleet';
import { History } from './history';
import { Possessions } from './possessions';
import type { AutoscalerSeen, BudgetSeen, ComponentSeen, PodSeen, Says, WorkloadSeen } from './seen';
import type { Excuse, Judged, JudgeSettings, Rule, Wrong } from './wrong';

/** How many findings are kept. */
const MAX_WRONG = 100;
/** A watch that was interrupted tells late: so many times the age of what it tells is kept for it. */
const INTERRUPTION = 10;

/** Judges what was seen, in the order of versions. */
export class Judge {
  readonly wrong: Wrong[] = [];
  count = 0;
  readonly excuses: Excuse[] = [];
  private readonly claims: Record<ClaimKind, number> = {
    ...{ numbers: 0, converged: 0, stopped: 0, succeeded: 0, ok: 0, blocked: 0 },
  };
  private readonly fewest = new Map<string, { ready: number; required: number }>();
  private readonly courses = new Map<string, Course>();
  private readonly fleet = new Fleet();
  private readonly autoscalers = new Map<string, AutoscalerSeen>();
  private readonly budgets = new Map<string, BudgetSeen>();
  /** What budgets were until shortly before. */
  private pastBudgets: { readonly seen: BudgetSeen; readonly endedAt: number }[] = [];
  private blind: Blind[] = [];
  private readonly possessions: Possessions;

  constructor(private readonly settings: JudgeSettings) {
    this.possessions = new Possessions((...finding) => {
      this.find(...finding);
    });
  }

  get judged(): Judged {
    return { claims: this.claims, fewest: this.fewest };
  }

  /** Nobody saw what happened between two versions. */
  blindBetween(blind: Blind): void {
    this.blind.push(blind);
  }

  /** @param observation not older than any before it */
  take(observation: Observation): void {
    const { seen, revision, isGone } = observation;
    switch (seen.kind) {
      case 'ManagedComponent':
        this.component(observation, seen);
        return;
      case 'ReplicaSet':
        this.fleet.replicaSet(seen, isGone);
        return;
      case 'Pod':
        this.pod(observation, seen);
        return;
      case 'Deployment':
      case 'StatefulSet':
        this.workload(observation, seen);
        break;
      case 'PodDisruptionBudget':
        this.budget(observation, seen);
        break;
      case 'HorizontalPodAutoscaler':
      case 'ScaledObject':
        if (isGone) this.autoscalers.delete(seen.uid);
        else this.autoscalers.set(seen.uid, seen);
        break;
      case 'PersistentVolumeClaim':
      case 'ConfigMap':
      case 'Service':
      case 'ServiceAccount':
      case 'NetworkPolicy':
      case 'Ingress':
    }
    this.possessions.take(observation, this.isExcused(revision, 'hands'));
  }

  /** Forgets what nothing can be about that comes. @param next when that has happened, at the earliest, in ms */
  forget(next: number): void {
    const before = next - this.settings.maxAgeMs * INTERRUPTION;
    this.blind = this.blind.filter(({ at }) => at >= before);
    for (const { histories } of this.courses.values()) {
      for (const history of histories.values()) history.forget(before);
    }
    this.pastBudgets = this.pastBudgets.filter(({ endedAt }) => endedAt >= before);
  }

  /**
   * Statuses that have not said for long what is: only while an operator runs, and nothing hinders it.
   *
   * @param now ms
   */
  lagging(now: number): readonly Wrong[] {
    const before = now - this.settings.maxAgeMs;
    return [...this.courses.values()].flatMap((course) =>
      lagOf(course, this.fleet.of(course.last.uid), before).map((what): Wrong => ({
        rule: 'lag',
        component: course.last.name,
        revision: course.seenAt,
        what,
      })),
    );
  }

  private find(rule: Rule, component: string, revision: number, what: string): void {
    this.count += 1;
    if (this.wrong.length < MAX_WRONG) this.wrong.push({ rule, component, revision, what });
  }

  private component(observation: Observation, seen: ComponentSeen): void {
    const { revision, isGone, isOld } = observation;
    const known = this.courses.get(seen.uid);
    const course = known ?? new Course(seen);
    const before = known?.last;
    this.courses.set(seen.uid, course);
    course.take(seen, observation);
    this.possessions.component(seen, course.isRemoving);
    if (seen.says !== undefined && seen.text !== before?.text) {
      this.secrets(seen, revision);
      if (!isOld && !isGone && !this.isDazzled(observation)) this.status(course, seen.says, before?.says, observation);
    }
    for (const live of this.fleet.of(seen.uid)) latch(live, course);
    if (!isGone) return;
    this.possessions.gone(seen, revision, this.fleet.podsOf(seen.uid));
    this.courses.delete(seen.uid);
  }

  private secrets({ name, text }: ComponentSeen, revision: number): void {
    this.settings.needles.forEach((needle, index) => {
      if (text.includes(needle)) this.find('secret', name, revision, `the status holds the secret ${index + 1}`);
    });
  }

  private status(course: Course, says: Says, before: Says | undefined, { revision, since }: Observation): void {
    const { last: component, histories } = course;
    const workloads = this.fleet.of(component.uid).map(({ seen }) => seen);
    const endedAfter = since - this.settings.maxAgeMs;
    const past = this.pastBudgets.filter(({ endedAt }) => endedAt >= endedAfter).map(({ seen }) => seen);
    const problems = claimProblems(
      {
        ...{ component, says, before, workloads, endedAfter },
        budgets: [...this.budgets.values(), ...past],
        historyOf: (kind, name) => course.historyOf(kind, name),
      },
      (kind) => {
        this.claims[kind] += 1;
      },
    );
    for (const what of problems) this.find('claim', component.name, revision, what);
    const { generation } = says;
    if (says.operationState === 'succeeded' && generation !== undefined) course.carriedOut(generation);
    if (!says.isConverged || generation !== component.generation) return;
    course.convergedGeneration = generation;
    for (const history of histories.values()) history.isTouched = false;
    for (const workload of workloads) this.doubled(workload, component.name, revision);
  }

  private doubled(workload: WorkloadSeen, component: string, revision: number): void {
    const names = [...this.budgets.values()].filter((each) => guards(each, workload)).map(({ name }) => name);
    if (names.length < 2) return;
    const what = `${workload.kind}/${workload.name} has the budgets ${names.join(', ')}`;
    this.find('doubled', component, revision, what);
  }

  private workload(observation: Observation, seen: WorkloadSeen): void {
    const { revision, isGone } = observation;
    const course = seen.controller === undefined ? undefined : this.courses.get(seen.controller);
    const history = course?.historyOf(seen.kind, seen.name) ?? new History();
    const { live, before } = this.fleet.workload(observation, seen, history);
    live.isTaken ||= (isGone || seen.isEnding) && this.isExcused(revision, 'hands');
    if (course === undefined || isGone) return;
    latch(live, course);
    const isAsked = course.convergedGeneration !== course.last.generation || live.history.isTouched;
    const isOwn = live.history.ownWrite === revision;
    const isOther = before !== undefined && before.template !== seen.template;
    if (!isOther || !isOwn || isAsked || this.isExcused(revision, 'hands')) return;
    const what = `${seen.kind}/${seen.name} got another pod template, though nobody asked for it`;
    this.find('restless', course.last.name, revision, what);
  }

  private budget({ isGone, at }: Observation, seen: BudgetSeen): void {
    const before = this.budgets.get(seen.uid);
    if (before !== undefined) this.pastBudgets.push({ seen: before, endedAt: at });
    if (isGone) this.budgets.delete(seen.uid);
    else this.budgets.set(seen.uid, seen);
  }

  private pod({ revision, isGone }: Observation, seen: PodSeen): void {
    const change = this.fleet.pod(seen, isGone);
    const course = this.courses.get(change?.live.seen.controller ?? '');
    if (change === undefined || course === undefined) return;
    const { live, before } = change;
    latch(live, course);
    if (!live.isUp) return;
    const required = course.requiredOf(live.seen, [...this.autoscalers.values()]);
    const { kind, name } = live.seen;
    if (required > 0) this.noteFewest(`${course.last.name} ${kind}/${name}`, live.ready, required);
    if (live.ready >= before || live.ready >= required) return;
    const isEnded = isGone || seen.isEnding;
    if (this.isExcused(revision, isEnded ? 'hands' : 'illness') || this.isBlind(revision)) return;
    const how = isEnded ? 'was ended' : 'was not ready any more';
    const what = `${kind}/${name} had ${live.ready} ready Pods, and its budget requires ${required}: ${seen.name} ${how}`;
    this.find('budget', course.last.name, revision, what);
  }

  private noteFewest(key: string, ready: number, required: number): void {
    const fewest = this.fewest.get(key);
    if (fewest === undefined || ready - required < fewest.ready - fewest.required) {
      this.fewest.set(key, { ready, required });
    }
  }

  private isExcused(revision: number, what: Excuse['what']): boolean {
    return (
      this.isBlind(revision) ||
      this.excuses.some(
        (excuse) => excuse.from <= revision && revision <= excuse.to && (excuse.what === 'hands' || what === 'illness'),
      )
    );
  }

  /** Whether a status may tell of what nobody saw. */
  private isDazzled({ revision, at }: Observation): boolean {
    return this.blind.some((blind) => blind.from < revision && at < blind.at + this.settings.maxAgeMs);
  }

  private isBlind(revision: number): boolean {
    return this.blind.some(({ from, to }) => from < revision && revision <= to);
  }
}

function lagOf({ last, askedAt, histories }: Course, live: readonly Live[], before: number): readonly string[] {
  const { says, generation } = last;
  if (says?.generation !== generation) {
    return askedAt < before ? [`the spec ${generation} was not taken note of`] : [];
  }
  return live.flatMap(({ seen: { kind, name } }) => {
    const said = says.workloads.find((each) => each.kind === kind && each.name === name);
    const version = histories.get(`${kind}/${name}`)?.last;
    if (version === undefined || version.beganAt >= before) return [];
    return said !== undefined && isSame(said, version.workload) ? [] : [`${kind}/${name} is another than is said`];
  });
}

/** Its budget counts from when it is rolled out in full until a stop or removal is asked for. */
function latch(live: Live, { isGuarded }: Course): void {
  const { desired } = live.seen;
  if (!isGuarded || live.isTaken) live.isUp = false;
  else if (desired > 0 && live.ready >= desired) live.isUp = true;
}
