import type { RelistCause, TriggerState } from './state';
import type { Note, Step } from './step';
import { makeEvent, type PassContext } from './triggerEvent';

type GapNote = Extract<Note, { kind: 'gap' }>;

const CAUSES: Readonly<Record<RelistCause, string>> = {
  seed: 'The first list.',
  reseed: 'The first list was broken off and done again.',
  expired: 'The history of the cluster no longer reaches back to what was seen last.',
  restored: 'The cluster was set back to an earlier state.',
  cluster: 'Another cluster answers at this address.',
  filter: 'Other fields are compared than before.',
  oversize: 'An event was too large to be read, so objects were compared by their metadata.',
};

/** What happened and what nobody can know, in words. */
export function gapMessage(cause: RelistCause, complete: boolean): string {
  const limits = complete
    ? 'Objects are compared with what was known: created, changed and deleted ones are told, marked as gap.'
    : 'Objects that were tracked are compared with what was known: changed and deleted ones are told, marked as gap; deletions of the others are not known.';
  return `${CAUSES[cause]} ${limits} Changes that were undone in between, and objects that came and went, are not known.`;
}

/** The gap as an event of its own, for users who want their workflow to start for it. */
export function gapStep(note: GapNote, state: TriggerState, context: PassContext): Step {
  const { scope, from, to, message } = note;
  const event = makeEvent(
    { type: 'gap', identity: `gap:${scope}:${from}:${to}`, gap: true, namespace: scope, name: '', uid: '', message },
    state,
    context,
  );
  return { event, patches: [] };
}
