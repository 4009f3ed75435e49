import { escapeText, packUid, unescapeText, unpackUid } from './rowText';

/**
 * Where an incident is. `waiting`: it must last longer before it is told; `told`; `clearing`: told and not seen any more,
 * its end is not believed yet; `closed`: over, kept for its number.
 */
export type SlotPhase = 'waiting' | 'told' | 'clearing' | 'closed';

/** The incident of one slot of an object. */
export interface Slot {
  readonly slot: string;
  readonly key: string;
  readonly number: number;
  readonly phase: SlotPhase;
  /** Since when it is in this phase (`waiting` with a deadline: the moment the deadline counts to), whole s since 1970. */
  readonly since: number;
}

/** What is remembered of the incidents of one object. */
export interface IncidentMemory {
  readonly namespace: string;
  readonly name: string;
  readonly slots: readonly Slot[];
  /** How it is written into the state. */
  readonly row: string;
}

const PHASES: readonly SlotPhase[] = ['waiting', 'told', 'clearing', 'closed'];

/** The memory of an object, or undefined when there is nothing to remember. */
export function memoryOf(
  uid: string,
  place: { readonly namespace: string; readonly name: string },
  slots: readonly Slot[],
): IncidentMemory | undefined {
  if (slots.length === 0) return undefined;
  const { namespace, name } = place;
  const parts = slots.map(({ slot, key, number, phase, since }) =>
    [escapeText(slot), escapeText(key), number, PHASES.indexOf(phase), since.toString(36)].join(','),
  );
  return { namespace, name, slots, row: [packUid(uid), escapeText(namespace), escapeText(name), ...parts].join(',') };
}

/** Reads a row; undefined when it is none. Never throws. */
export function readMemory(row: string): readonly [string, IncidentMemory] | undefined {
  const [packed = '', namespace, name, ...parts] = row.split(',');
  const uid = unpackUid(packed);
  if (uid === undefined || namespace === undefined || name === undefined) return undefined;
  if (parts.length === 0 || parts.length % 5 !== 0) return undefined;
  const slots: Slot[] = [];
  for (let at = 0; at < parts.length; at += 5) {
    const [slot = '', key = '', number = '', phase = '', since = ''] = parts.slice(at, at + 5);
    const known = PHASES[Number(phase)];
    const seconds = Number.parseInt(since, 36);
    if (known === undefined || !/^\d{1,9}$/.test(number) || !Number.isSafeInteger(seconds)) return undefined;
    slots.push({
      slot: unescapeText(slot),
      key: unescapeText(key),
      number: Number(number),
      phase: known,
      since: seconds,
    });
  }
  return [uid, { namespace: unescapeText(namespace), name: unescapeText(name), slots, row }];
}
