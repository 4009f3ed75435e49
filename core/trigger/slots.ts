import type { Finding } from './conditions';
import type { IncidentMemory, Slot } from './memory';
import type { CheckedCondition } from './settings';

/** Something to tell of an incident. */
export interface Told {
  readonly type: 'started' | 'ended';
  readonly slot: Slot;
  readonly facts: Finding['facts'];
  /** Names the incident in its identity. */
  readonly name: string;
}

/** What an examination changes in one slot. */
export interface Verdict {
  /** Undefined: nothing is remembered of the slot any more. */
  readonly after: Slot | undefined;
  readonly told: readonly Told[];
}

/** Whether time alone changes something: an incident has waited, or was away, long enough. */
export function isDue(memory: IncidentMemory, condition: CheckedCondition, now: number): boolean {
  return memory.slots.some((slot) => dueAt(slot, condition) <= now);
}

/** When time alone changes something, ms since 1970; Infinity: never. */
export function nextDue(memory: IncidentMemory, condition: CheckedCondition): number {
  return Math.min(...memory.slots.map((slot) => dueAt(slot, condition)));
}

/** When time alone changes something in a slot, ms since 1970. */
export function dueAt(slot: Slot, condition: CheckedCondition): number {
  const since = slot.since * 1000;
  if (slot.phase === 'clearing') return since + (condition.rule.clearMs ?? 0);
  if (slot.phase !== 'waiting') return Number.POSITIVE_INFINITY;
  return condition.rule.timer === 'deadline' ? since - condition.aheadMs : since + condition.holdMs;
}

/** When a finding is looked at. */
export interface Look {
  /** Wall clock, ms since 1970. */
  readonly now: number;
  /** The first list, and the user does not want to be told of what holds already. */
  readonly silent: boolean;
}

/** A slot shows something. */
export function found(slot: Slot | undefined, finding: Finding, condition: CheckedCondition, look: Look): Verdict {
  const now = seconds(look.now);
  const { rule } = condition;
  // A rollback shows the version it is going to with the mark of the one it comes from: believed at first sight only.
  if (finding.past && slot !== undefined) return { after: slot, told: [] };
  if (slot && isSame(slot, finding, condition)) {
    if (slot.phase === 'waiting') return settleWaiting(clampHold(slot, condition, now), finding, condition, look.now);
    return { after: slot.phase === 'clearing' ? { ...slot, phase: 'told', since: now } : slot, told: [] };
  }
  const before = slot === undefined ? [] : endOf(slot, condition);
  const number = nextNumber(slot, condition);
  const key = rule.counted ? `${finding.key}-${number}` : finding.key;
  const since = finding.since === undefined ? now : Math.floor(finding.since / 1000);
  const fresh: Slot = { slot: finding.slot, key, number, phase: 'waiting', since };
  if (finding.unsure && (slot !== undefined || !look.silent)) return { after: slot, told: [] };
  const waits = rule.timer !== undefined && dueAt(fresh, condition) > look.now;
  if ((look.silent && !waits) || finding.past) return { after: { ...fresh, phase: 'told', since: now }, told: before };
  const verdict = settleWaiting(fresh, finding, condition, look.now);
  return { after: verdict.after, told: [...before, ...verdict.told] };
}

/** A finding that waits is told as soon as it has waited long enough; without a timer that is at once. */
function settleWaiting(slot: Slot, finding: Finding, condition: CheckedCondition, now: number): Verdict {
  const waits = condition.rule.timer !== undefined && dueAt(slot, condition) > now;
  if (waits) return { after: slot, told: [] };
  const after: Slot = { ...slot, phase: 'told', since: seconds(now) };
  return { after, told: [start(after, finding)] };
}

/** A slot shows nothing any more. */
export function notFound(slot: Slot, condition: CheckedCondition, now: number): Verdict {
  const { rule } = condition;
  if (rule.sticky || slot.phase === 'closed') return { after: slot, told: [] };
  if (slot.phase === 'waiting') return { after: undefined, told: [] };
  const clearMs = rule.clearMs ?? 0;
  if (slot.phase === 'told' && clearMs > 0)
    return { after: { ...slot, phase: 'clearing', since: seconds(now) }, told: [] };
  if (dueAt(slot, condition) > now && slot.phase === 'clearing') return { after: slot, told: [] };
  return ended(slot, condition);
}

/** The incident of a slot is over. */
export function ended(slot: Slot, condition: CheckedCondition): Verdict {
  const after: Slot | undefined = condition.rule.counted ? { ...slot, phase: 'closed' } : undefined;
  return { after, told: endOf(slot, condition) };
}

/** The end of a slot's incident, where it was told of and ends can be told. */
export function endOf(slot: Slot, condition: CheckedCondition): readonly Told[] {
  const open = slot.phase === 'told' || slot.phase === 'clearing';
  if (!open || !condition.rule.lasting || !condition.tellEnd) return [];
  return [{ type: 'ended', slot, facts: {}, name: slot.key }];
}

/** Whether a finding belongs to the incident of a slot. */
export function isSame(slot: Slot, finding: Finding, { rule }: CheckedCondition): boolean {
  return slot.phase !== 'closed' && (rule.oneAtATime === true || slot.key === finding.key);
}

function nextNumber(slot: Slot | undefined, { rule }: CheckedCondition): number {
  return rule.counted && slot ? slot.number + 1 : 0;
}

/** A clock that was set back must not make an incident wait for years. */
function clampHold(slot: Slot, { rule }: CheckedCondition, now: number): Slot {
  return rule.timer === 'hold' && slot.since > now ? { ...slot, since: now } : slot;
}

/** Tells the beginning of the incident of a slot. */
export function start(slot: Slot, finding: Finding): Told {
  return { type: 'started', slot, facts: finding.facts, name: finding.name ?? slot.key };
}

/** Whole seconds of a time in ms. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
