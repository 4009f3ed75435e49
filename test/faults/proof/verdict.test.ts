import { describe, expect, it } from '@jest/globals';
import { GapLedger } from './gapLedger';
import { verdict, type Evidence } from './verdict';
import type { HistoryEntry, Shape } from './witness';

function shape(uid: string, version: number, rest: Partial<Shape> = {}): Shape {
  return { uid, namespace: 'shop', name: uid, version, pick: 'in', mark: 'm1', ...rest };
}

/** `a` is made at 11, changed at 12 and deleted at 13. */
const A1 = shape('a', 11);
const A2 = shape('a', 12, { mark: 'm2' });
const LIFE: readonly HistoryEntry[] = [
  { version: 11, before: undefined, after: A1 },
  { version: 12, before: A1, after: A2 },
  { version: 13, before: A2, after: undefined },
];

function wrong(
  change: Partial<Omit<Evidence, 'setting'>> & { readonly setting?: Partial<Evidence['setting']> },
): readonly string[] {
  const { setting, ...rest } = change;
  return verdict({
    setting: {
      selective: false,
      types: ['added', 'modified', 'deleted'],
      modifiedWhen: 'any',
      tracked: 300,
      emitExisting: false,
      ...setting,
    },
    picked: 'in',
    scopes: ['shop'],
    before: [],
    entries: LIFE,
    began: new Map([['shop', 10]]),
    gaps: [],
    delivered: new Map(),
    runs: [],
    ...rest,
  }).map(({ kind, what }) => `${kind}: ${what}`);
}

function told(...identities: readonly string[]): ReadonlyMap<string, number> {
  return new Map(identities.map((identity) => [identity, 1]));
}

describe('the verdict on a run', () => {
  it('is content when every change was told', () => {
    expect(wrong({ delivered: told('a@11', 'a@12', 'a:gone') })).toEqual([]);
  });

  it('names what was lost', () => {
    expect(wrong({ delivered: told('a@11', 'a:gone') })).toEqual(['lost: modified a a at 12']);
    expect(wrong({ delivered: told('a@11', 'a@12') })).toEqual(['lost: deleted a a at 13']);
  });

  it('asks for nothing from before the first list', () => {
    expect(wrong({ began: new Map([['shop', 13]]) })).toEqual([]);
  });

  it('excuses what happened in a gap that was reported, and only in its own scope', () => {
    const gap = { scope: 'shop', from: 10, to: 13, cause: 'expired' };
    expect(wrong({ gaps: [gap] })).toEqual([]);
    expect(wrong({ gaps: [{ ...gap, scope: 'bank' }] })).toHaveLength(3);
    expect(wrong({ gaps: [{ ...gap, from: 11 }] })).toEqual(['lost: added a a at 11']);
  });

  it('demands of a gap what can still be known: the last state, and the deletion of what was known', () => {
    const gaps = [{ scope: 'shop', from: 11, to: 20, cause: 'expired' }];
    expect(wrong({ gaps, delivered: told('a@11') })).toEqual(['lost: the deletion of a a at 13']);
    expect(wrong({ gaps, delivered: told('a@11'), entries: LIFE.slice(0, 2) })).toEqual([
      'lost: the last state of a a at 12',
    ]);
  });

  it('knows that a list which broke in two may have missed what was gone before its second half', () => {
    const first = { scope: 'shop', from: 10, to: 12, cause: 'expired' };
    const gaps = [first, { ...first, from: 12, to: 20 }];
    const delivered = told('a@11');
    expect(wrong({ gaps, delivered })).toEqual(['lost: the deletion of a a at 13']);
    expect(wrong({ gaps: [{ ...first, torn: true }, ...gaps.slice(1)], delivered })).toEqual([]);
  });

  it('counts executions', () => {
    const delivered = new Map([
      ['a@11', 2],
      ['a@12', 1],
      ['a:gone', 1],
    ]);
    const runs = [{ key: 'k', runs: 2, about: 'a@12' }];
    expect(wrong({ delivered, runs })).toEqual(['repeated: a@12 ran 2 times', 'repeated: a@11 has 2 executions']);
  });

  it('notices what never happened', () => {
    expect(wrong({ delivered: told('a@11', 'a@12', 'a:gone', 'b:gone', 'a@14') })).toEqual([
      'invented: b:gone never happened',
      'invented: a@14 never happened',
    ]);
  });

  it('looks at the spec only where only that counts', () => {
    const touched = { version: 13, before: A2, after: { ...A2, version: 13 } };
    const entries = [...LIFE.slice(0, 2), touched];
    expect(wrong({ setting: { modifiedWhen: 'spec' }, entries, delivered: told('a@11', 'a@12') })).toEqual([]);
  });

  it('takes leaving a selector for a deletion, once a stay', () => {
    const out = shape('a', 12, { pick: 'out' });
    const back = shape('a', 13);
    const entries = [
      { version: 11, before: undefined, after: A1 },
      { version: 12, before: A1, after: out },
      { version: 13, before: out, after: back },
    ];
    const setting = { selective: true };
    expect(wrong({ setting, entries, delivered: told('a@11', 'a:left:11', 'a@13') })).toEqual([]);
    expect(wrong({ setting, entries, delivered: told('a@11', 'a:left:11', 'a:left:12', 'a@13') })).toEqual([
      'repeated: one end of a at 12 is told as a:left:11 and a:left:12',
    ]);
  });
});

describe('the ledger of gaps', () => {
  it('finds a gap that was gone past without a word', () => {
    const ledger = new GapLedger();
    ledger.expired('shop', '10');
    ledger.watchOpened('shop', '10');
    expect([ledger.real, ledger.met]).toEqual([0, 0]);
    ledger.expired('shop', '10');
    ledger.watchOpened('shop', '12');
    expect([ledger.real, ledger.met]).toEqual([1, 0]);
    expect(ledger.missed).toEqual(['after 10 history was gone in shop, and no gap was reported']);
  });

  it('marks the gap whose list broke in two', () => {
    const ledger = new GapLedger();
    ledger.report({ scope: 'shop', from: 10, to: 12, cause: 'expired' });
    ledger.report({ scope: 'bank', from: 10, to: 12, cause: 'expired' });
    ledger.listTorn('shop');
    expect(ledger.reported.map(({ scope, torn }) => [scope, torn])).toEqual([
      ['shop', true],
      ['bank', undefined],
    ]);
  });

  it('is content with a report, and takes a list that is done again for the same gap', () => {
    const ledger = new GapLedger();
    ledger.expired('shop', '10');
    ledger.report({ scope: 'shop', from: 10, to: 12, cause: 'expired' });
    ledger.report({ scope: 'shop', from: 10, to: 13, cause: 'expired' });
    ledger.watchOpened('shop', '13');
    expect([ledger.real, ledger.met, ledger.missed]).toEqual([1, 1, []]);
  });
});
