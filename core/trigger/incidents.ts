import type { KubeObject } from '../kube';
import type { Sighting } from './changes';
import type { Examination } from './conditions';
import { uidOf } from './identity';
import { memoryOf, type IncidentMemory, type Slot } from './memory';
import type { CheckedCondition } from './settings';
import { dueAt, ended, endOf, found, isSame, notFound, seconds, start, type Told, type Verdict } from './slots';
import type { Patch, TriggerState } from './state';
import type { Step } from './step';
import { makeEvent, type PassContext } from './triggerEvent';

/** What an object shows, compared with what is remembered of its incidents: started, going on, ended. */
export function examinedObject(
  state: TriggerState,
  sighting: Sighting,
  object: KubeObject,
  condition: CheckedCondition,
  context: PassContext,
): readonly Step[] {
  const uid = uidOf(object);
  const examination: Examination = condition.rule.examine(object, context.settings.resource.kind);
  const before = slotsOf(state.scope(sighting.scope).incidents.get(uid));
  const verdicts: (readonly [string, Verdict])[] = [];
  const look = {
    now: context.now,
    silent: sighting.unchanged === true || (sighting.seed && !context.settings.emitExisting),
  };
  for (const finding of examination.findings) {
    verdicts.push([finding.slot, found(before.get(finding.slot), finding, condition, look)]);
  }
  const seen = new Set([...examination.findings.map(({ slot }) => slot), ...(examination.unclear ?? [])]);
  for (const [name, slot] of before) {
    if (!seen.has(name)) verdicts.push([name, notFound(slot, condition, context.now)]);
  }
  return steps(state, sighting, { uid, object }, verdicts, condition, context);
}

/** An object with incidents is gone (or no longer matches): they end with it. */
export function vanishedObject(
  state: TriggerState,
  sighting: Sighting,
  uid: string,
  condition: CheckedCondition,
  context: PassContext,
): readonly Step[] {
  const memory = state.scope(sighting.scope).incidents.get(uid);
  if (!memory) return [];
  const forget: Patch = { kind: 'incident', scope: sighting.scope, uid, memory: undefined };
  const ends = memory.slots.flatMap((slot) => endOf(slot, condition));
  if (ends.length === 0) return [{ patches: [forget] }];
  return ends.map((told, at) => ({
    event: incidentEvent(state, sighting, { uid, memory }, told, condition, context),
    patches: at === ends.length - 1 ? [forget] : [],
  }));
}

/**
 * Time has come for an object. What has waited is told only if the object, read once more, still shows it (undefined:
 * it cannot be read now, so it waits on); an end that was waited for needs no object.
 */
export function dueObject(
  state: TriggerState,
  scope: string,
  uid: string,
  object: KubeObject | undefined,
  condition: CheckedCondition,
  context: PassContext,
): readonly Step[] {
  const memory = state.scope(scope).incidents.get(uid);
  if (!memory) return [];
  const findings =
    object && uidOf(object) === uid ? condition.rule.examine(object, context.settings.resource.kind).findings : [];
  const verdicts: (readonly [string, Verdict])[] = [];
  for (const slot of memory.slots) {
    if (dueAt(slot, condition) > context.now) continue;
    if (slot.phase === 'clearing') {
      verdicts.push([slot.slot, ended(slot, condition)]);
      continue;
    }
    const finding = findings.find((entry) => entry.slot === slot.slot && isSame(slot, entry, condition));
    if (!finding) continue;
    const after: Slot = { ...slot, phase: 'told', since: seconds(context.now) };
    verdicts.push([slot.slot, { after, told: [start(after, finding)] }]);
  }
  const sighting = { scope, gap: false, seed: false, partial: false };
  return steps(state, sighting, { uid, memory, ...(object ? { object } : {}) }, verdicts, condition, context);
}

function slotsOf(memory: IncidentMemory | undefined): ReadonlyMap<string, Slot> {
  return new Map((memory?.slots ?? []).map((slot) => [slot.slot, slot]));
}

interface Subject {
  readonly uid: string;
  readonly object?: KubeObject;
  readonly memory?: IncidentMemory;
}

/** One step for each thing to tell, so that each is remembered when it is handed over and not before. */
function steps(
  state: TriggerState,
  sighting: Sighting,
  subject: Subject,
  verdicts: readonly (readonly [string, Verdict])[],
  condition: CheckedCondition,
  context: PassContext,
): readonly Step[] {
  const { uid, object } = subject;
  const place = {
    namespace: object?.metadata.namespace ?? subject.memory?.namespace ?? '',
    name: object?.metadata.name ?? subject.memory?.name ?? '',
  };
  const slots = new Map(slotsOf(state.scope(sighting.scope).incidents.get(uid)));
  const result: Step[] = [];
  let changed = false;
  for (const [name, { after, told }] of verdicts) {
    changed ||= slots.get(name) !== after;
    if (after) slots.set(name, after);
    else slots.delete(name);
    const patches = remember(state, sighting.scope, uid, memoryOf(uid, place, [...slots.values()]));
    told.forEach((entry, at) => {
      const event = incidentEvent(state, sighting, subject, entry, condition, context);
      result.push({ event, patches: at === told.length - 1 ? patches : [] });
      changed = at === told.length - 1 ? false : changed;
    });
  }
  if (changed)
    result.push({ patches: remember(state, sighting.scope, uid, memoryOf(uid, place, [...slots.values()])) });
  return result;
}

/** Keeps the incidents of an object; where there is no room for them, that is what is kept. */
function remember(
  state: TriggerState,
  scope: string,
  uid: string,
  memory: IncidentMemory | undefined,
): readonly Patch[] {
  if (memory === undefined || state.scope(scope).incidents.fits(uid, memory)) {
    return [{ kind: 'incident', scope, uid, memory }];
  }
  return [
    { kind: 'incident', scope, uid, memory: undefined },
    { kind: 'overflow', scope },
  ];
}

function incidentEvent(
  state: TriggerState,
  sighting: Sighting,
  subject: Subject,
  told: Told,
  condition: CheckedCondition,
  context: PassContext,
): NonNullable<Step['event']> {
  const { uid, object, memory } = subject;
  const key = `${condition.name}:${told.slot.slot}:${told.name}`;
  return makeEvent(
    {
      type: told.type,
      identity: `${uid}!${key}${told.type === 'ended' ? ':end' : ''}`,
      gap: sighting.gap,
      uid,
      namespace: object?.metadata.namespace ?? memory?.namespace,
      name: object?.metadata.name ?? memory?.name,
      ...(object?.metadata.resourceVersion === undefined ? {} : { resourceVersion: object.metadata.resourceVersion }),
      ...(object === undefined ? {} : { object: condition.rule.show?.(object) ?? object }),
      ...(sighting.seed ? { existing: true } : {}),
      incident: { condition: condition.name, key, slot: told.slot.slot, facts: told.facts },
    },
    state,
    context,
  );
}
