import fc from 'fast-check';

/** A random source that fast-check draws and shrinks. */
export const chance = fc
  .infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true }))
  .map((stream) => () => (stream.next() as IteratorYieldResult<number>).value);
