import { describe, expect, it } from '@jest/globals';
import { ownerMark } from './identity';
import { begin } from './loading';
import { runPass } from './pass';
import { TriggerState } from './state';
import { writeState, type StoredState } from './stateCodec';
import { contextOf, listed, objectOf, OWNER, settingsFor } from './testing/objects';

const settings = settingsFor({ watch: { modifiedWhen: 'spec' } });

function stored(lineage: string, commits: number, cursor = '100'): StoredState {
  const state = new TriggerState({ owner: ownerMark(OWNER), lineage, collection: settings.collection }, [''], 300);
  state.filter = settings.filter;
  state.commits = commits;
  Object.assign(state.scope(''), { cursor, relist: undefined });
  return writeState(state);
}

describe('where a trigger begins', () => {
  it('begins anew without a state', () => {
    const { fresh, state, notes } = begin(OWNER, settings, { stored: undefined, carried: undefined });
    expect([fresh, notes]).toEqual([true, []]);
    expect(state.scope('')).toMatchObject({ cursor: '', relist: 'seed', overflow: false });
  });

  it.each([
    ['damaged', 7],
    ['newer', { v: 2 }],
    ['foreign', { ...stored('line', 1), o: 'other' }],
    ['other-collection', { ...stored('line', 1), c: 'other' }],
  ])('begins anew with one that is %s, and says why', (problem, value) => {
    const { fresh, notes } = begin(OWNER, settings, { stored: value, carried: undefined });
    expect(fresh).toBe(true);
    expect(notes).toMatchObject([{ kind: 'reseeded', problem }]);
  });

  it.each([
    ['what n8n saved, alone', stored('line', 5, '150'), undefined, '150', []],
    ['what this process remembers, alone', undefined, stored('line', 5, '160'), '160', []],
    ['the newer of one lineage: of n8n', stored('line', 9, '190'), stored('line', 5, '150'), '190', []],
    [
      'the newer of one lineage: of this process',
      stored('line', 5, '150'),
      stored('line', 9, '190'),
      '190',
      ['rolled-back'],
    ],
    ['of two lineages that of n8n', stored('one', 5, '150'), stored('two', 9, '190'), '150', []],
    ['what this process remembers, when n8n has something damaged', 7, stored('line', 5, '160'), '160', []],
  ])('goes on from %s', (_, fromN8n, carried, cursor, notes) => {
    const beginning = begin(OWNER, settings, { stored: fromN8n, carried });
    expect(beginning.fresh).toBe(false);
    expect(beginning.state.scope('').cursor).toBe(cursor);
    expect(beginning.notes.map(({ kind }) => kind)).toEqual(notes);
  });

  it('compares everything anew when other fields count, and does not mix what it knew', () => {
    const other = settingsFor({ watch: { modifiedWhen: 'fields', fields: ['data'] } });
    const before = runPass(
      begin(OWNER, settings, { stored: undefined, carried: undefined }).state,
      [listed(100, [objectOf('a', 50, { metadata: { generation: 3 }, data: 'x' }), objectOf('b', 60)])],
      contextOf(settings),
    ).state;
    const { state, fresh } = begin(OWNER, other, { stored: writeState(before), carried: undefined });
    expect([fresh, state.scope('').relist, state.scope('').known.get('uid-a')?.spec]).toEqual([false, 'filter', '']);
    const after = runPass(
      state,
      [listed(200, [objectOf('a', 50, { data: 'x' }), objectOf('b', 150, { data: 'y' })])],
      contextOf(other),
    );
    expect(after.events.map(({ identity, gap, previousUnknown }) => [identity, gap, previousUnknown])).toEqual([
      ['uid-b@150', true, true],
    ]);
    expect(after.state.scope('').known.get('uid-a')?.values).toEqual(['sx']);
  });

  it('lists once more, marked, when the first list was broken off', () => {
    const half = { ...stored('line', 1), p: [['', '', 'seed', 0]] };
    const { state, fresh } = begin(OWNER, settings, { stored: half, carried: undefined });
    expect([fresh, state.scope('').relist]).toEqual([false, 'reseed']);
    const { notes } = runPass(state, [listed(100, [objectOf('a', 50)])], contextOf(settings));
    expect(notes[0]).toMatchObject({ kind: 'gap', cause: 'reseed', from: '', to: '100' });
  });
});
