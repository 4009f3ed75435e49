import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { Mirror } from './mirror';
import { objectKey, Store } from './store';

function object(name: string, uid: string, version: number): KubeObject {
  return { metadata: { namespace: 'shop', name, uid, resourceVersion: String(version) } };
}

function world(maxObjects = 100) {
  const changes: string[] = [];
  const store = new Store();
  const text = ({ metadata }: KubeObject): string => `${metadata.uid ?? ''}@${metadata.resourceVersion ?? ''}`;
  const mirror = new Mirror({
    store,
    maxObjects,
    onChange: (before, after) => changes.push([before, after].map((side) => (side ? text(side) : '-')).join(' > ')),
  });
  const list = (version: number, ...pages: readonly (readonly KubeObject[])[]): void => {
    mirror.beginList();
    pages.forEach((items, page) => {
      mirror.page(items, String(version + page * 100));
    });
    mirror.endList();
  };
  return { changes, store, mirror, list };
}

describe('a list', () => {
  it('tells what is new, changed and gone since the last one, and nothing of what is the same', () => {
    const { changes, list } = world();
    list(10, [object('a', 'A', 1), object('b', 'B', 2)], [object('c', 'C', 3)]);
    changes.length = 0;
    list(20, [object('b', 'B', 2), object('c', 'C', 15), object('d', 'D', 16)]);
    expect(changes).toEqual(['C@3 > C@15', '- > D@16', 'A@1 > -']);
  });

  it('tells of another object of the same name that the one before is gone', () => {
    const { changes, list } = world();
    list(10, [object('a', 'A', 1)]);
    list(20, [object('a', 'A2', 12)]);
    expect(changes).toEqual(['- > A@1', 'A@1 > -', '- > A2@12']);
  });

  it('is watched from the version of its first page, also when that expired on the way', () => {
    const { mirror, list } = world();
    list(10, [object('a', 'A', 1)], [object('b', 'B', 55)]);
    expect(mirror.cursor).toBe('10');
  });

  it('is right also when its versions are older: the cluster was restored', () => {
    const { changes, list, store } = world();
    list(90, [object('a', 'A', 80)]);
    list(20, [object('a', 'A', 12)]);
    expect([changes.at(-1), store.get('shop/a')?.metadata.resourceVersion]).toEqual(['A@80 > A@12', '12']);
  });

  it('of more than can be kept is an error, and nothing is taken for gone', () => {
    const { changes, list, store } = world(2);
    list(10, [object('a', 'A', 1), object('b', 'B', 2)]);
    changes.length = 0;
    expect(() => {
      list(20, [object('a', 'A', 1), object('b', 'B', 2), object('c', 'C', 15)]);
    }).toThrow('There are more than 2 objects to keep.');
    expect([changes, store.size]).toEqual([[], 2]);
  });

  it('may be as large as can be kept when all of it is new', () => {
    const { list, store } = world(2);
    list(10, [object('a', 'A', 1), object('b', 'B', 2)]);
    list(20, [object('c', 'C', 15), object('d', 'D', 16)]);
    expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['c', 'd']);
  });
});

describe('events', () => {
  it('that are older than what the list showed change nothing', () => {
    const { changes, list, mirror } = world();
    list(10, [object('a', 'A2', 30), object('b', 'B', 35)]);
    changes.length = 0;
    for (const [type, what] of [
      ['MODIFIED', object('b', 'B', 15)],
      ['DELETED', object('a', 'A', 20)],
      ['ADDED', object('a', 'A2', 30)],
      ['MODIFIED', object('b', 'B', 35)],
    ] as const) {
      expect(mirror.event({ type, object: what })).toBe(true);
    }
    expect([changes, mirror.cursor]).toEqual([[], '35']);
    mirror.event({ type: 'MODIFIED', object: object('b', 'B', 40) });
    mirror.event({ type: 'DELETED', object: object('b', 'B', 41) });
    expect(changes).toEqual(['B@35 > B@40', 'B@40 > -']);
  });

  it('of the deletion of another object of the same name do not delete this one', () => {
    const { changes, list, mirror } = world();
    list(10, [object('a', 'A2', 5)]);
    mirror.event({ type: 'DELETED', object: object('a', 'A', 20) });
    expect(changes).toEqual(['- > A2@5']);
  });

  it('move the cursor, and bookmarks do; backwards means that a list must come', () => {
    const { list, mirror } = world();
    list(10, []);
    expect(mirror.event({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '99' } } })).toBe(true);
    expect(mirror.cursor).toBe('99');
    expect(mirror.event({ type: 'ADDED', object: object('a', 'A', 50) })).toBe(false);
    expect(mirror.cursor).toBe('99');
  });

  it('with versions that cannot be compared are taken as they come', () => {
    const { changes, list, mirror, store } = world();
    const odd = { ...object('a', 'A', 1), metadata: { ...object('a', 'A', 1).metadata, resourceVersion: 'x-7' } };
    list(10, [object('a', 'A', 5)]);
    mirror.event({ type: 'MODIFIED', object: odd });
    expect([changes.at(-1), store.get('shop/a')]).toEqual(['A@5 > A@x-7', odd]);
    expect(objectKey(odd)).toBe('shop/a');
  });
});
