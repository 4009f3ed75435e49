import { describe, expect, it } from '@jest/globals';
import { LruCache } from './lruCache';

describe('a cache', () => {
  it('forgets what was not used for the longest time', () => {
    const cache = new LruCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('weighs a value once that is set again', () => {
    const cache = new LruCache<string>(10);
    for (let times = 0; times < 5; times += 1) cache.set('a', 'A', 6);
    cache.set('b', 'B', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual(['A', 'B']);
  });

  it('does not take what is too heavy by itself, nor keep the old value of it', () => {
    const cache = new LruCache<string>(10);
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    cache.set('b', 'huge', 11);
    expect([cache.get('a'), cache.get('b')]).toEqual(['A', undefined]);
  });
});
