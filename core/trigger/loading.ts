import { randomBytes } from 'node:crypto';
import { ownerMark, type TriggerOwner } from './identity';
import { TriggerState } from './state';
import { readState, type ReadState, type StateProblem } from './stateCodec';
import type { CheckedSettings } from './settings';
import type { Note } from './step';

/** Where a trigger begins. */
export interface Beginning {
  readonly state: TriggerState;
  /** There is nothing to go on from: what exists is listed before the trigger counts as activated. */
  readonly fresh: boolean;
  readonly notes: readonly Note[];
}

/** What can be gone on from: what n8n saved, and what this process remembers. */
export interface Sources {
  readonly stored: unknown;
  readonly carried: unknown;
}

const PROBLEMS: Readonly<Record<StateProblem, string>> = {
  absent: 'There is no stored state.',
  foreign: 'The stored state is of another workflow or node (an import or a copy).',
  'other-collection': 'Another resource, other namespaces or another selector were chosen.',
  newer: 'The stored state was written by a newer version of this package.',
  damaged: 'The stored state cannot be read.',
};

/**
 * Chooses the state to go on from. Of two states of one lineage the one with more commits is newer: n8n's may have been
 * rolled back (a Code node that uses static data, an import), this process's may be of before another process led. Of
 * different lineages n8n's counts.
 */
export function begin(owner: TriggerOwner, settings: CheckedSettings, sources: Sources): Beginning {
  const mark = ownerMark(owner);
  const stored = readState(sources.stored, mark, settings);
  const carried = readState(sources.carried, mark, settings);
  const notes: Note[] = [];
  const chosen = choose(stored, carried, notes);
  if (chosen === undefined) {
    const problem = 'problem' in stored ? stored.problem : 'absent';
    if (problem !== 'absent') {
      const message = `${PROBLEMS[problem]} The trigger begins anew: what happened before now is not told.`;
      notes.push({ kind: 'reseeded', problem, message });
    }
    const lineage = randomBytes(6).toString('base64url');
    const identity = { owner: mark, lineage, collection: settings.collection };
    const state = new TriggerState(identity, settings.scopes, settings.tracked);
    state.filter = settings.filter;
    return { state, fresh: true, notes };
  }
  // Between a first list that was broken off and the next nobody watched.
  for (const [scope, { relist }] of chosen.scopes) {
    if (relist === 'seed') chosen.apply([{ kind: 'relist', scope, cause: 'reseed' }]);
  }
  if (chosen.filter !== settings.filter) {
    chosen.apply([
      { kind: 'filter', filter: settings.filter },
      ...[...chosen.scopes]
        .filter(([, scope]) => scope.relist === undefined)
        .map(([scope]) => ({ kind: 'relist', scope, cause: 'filter' }) as const),
    ]);
  }
  return { state: chosen, fresh: false, notes };
}

function choose(stored: ReadState, carried: ReadState, notes: Note[]): TriggerState | undefined {
  if (!('state' in stored))
    return 'state' in carried && stored.problem !== 'other-collection' ? carried.state : undefined;
  if (!('state' in carried)) return stored.state;
  const sameLineage = stored.state.identity.lineage === carried.state.identity.lineage;
  if (!sameLineage || stored.state.commits >= carried.state.commits) return stored.state;
  const commits = carried.state.commits - stored.state.commits;
  notes.push({
    kind: 'rolled-back',
    commits,
    message: `The state that n8n saved is older than the one this process remembers (by ${commits} steps); the newer one is used.`,
  });
  return carried.state;
}
