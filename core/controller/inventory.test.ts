import { describe, expect, it } from '@jest/globals';
import { mergeInventory, readInventory, type InventoryEntry } from './inventory';

const entry = (name: string, uid: string): InventoryEntry => ({
  group: 'apps',
  kind: 'Deployment',
  namespace: 'shop',
  name,
  uid,
});

describe('an inventory', () => {
  it('has one entry an object, the newest, and forgets nothing', () => {
    expect(mergeInventory([entry('b', '1'), entry('a', '2')], [entry('b', '3'), entry('c', '')])).toEqual([
      entry('a', '2'),
      entry('b', '3'),
      entry('c', ''),
    ]);
    expect(mergeInventory([entry('a', '2')], [entry('a', '')])).toEqual([entry('a', '2')]);
  });

  it('is read from what somebody may have written by hand', () => {
    const long = 'x'.repeat(254);
    const odd = [
      null,
      'a',
      {},
      { kind: 'X' },
      { kind: 'X', name: '' },
      { kind: 'X', name: long },
      { kind: 1, name: 'a' },
    ];
    expect(readInventory([...odd, entry('a', '1'), { kind: 'Service', name: 'b', namespace: 'shop' }])).toEqual([
      entry('a', '1'),
      { group: '', kind: 'Service', namespace: 'shop', name: 'b', uid: '' },
    ]);
    expect([readInventory({}), readInventory(Array.from({ length: 2000 }, () => entry('a', '1'))).length]).toEqual([
      [],
      1000,
    ]);
  });
});
