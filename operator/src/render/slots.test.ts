import { describe, expect, it } from '@jest/globals';
import { renderingsAtOnce, Slots } from './slots';

describe('slots', () => {
  it('let so many work at once, and the others in order', async () => {
    const slots = new Slots(2);
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string): Promise<void> =>
      slots.run(() => {
        events.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      });
    const all = ['a', 'b', 'c', 'd'].map(work);
    expect(events).toEqual(['a', 'b']);
    ends.get('b')?.();
    await all[1];
    await Promise.resolve();
    expect(events).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c']) ends.get(name)?.();
    await Promise.all([all[0], all[2]]);
    await new Promise(setImmediate);
    ends.get('d')?.();
    await all[3];
    expect(events).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are free again after a failure', async () => {
    const slots = new Slots(1);
    await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run(() => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});

it('as many renderings run at once as there are cores, and as fit into memory', () => {
  const GIB = 1024 ** 3;
  expect(renderingsAtOnce(8, 2.5 * GIB)).toBe(2);
  expect(renderingsAtOnce(2, 64 * GIB)).toBe(2);
  expect(renderingsAtOnce(4, 0.25 * GIB)).toBe(1);
  expect(renderingsAtOnce(4, 0)).toBe(4);
  expect(renderingsAtOnce(4, 2 ** 63)).toBe(4);
});
