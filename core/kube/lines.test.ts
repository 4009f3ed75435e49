import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineSplitter } from './lines';

function split(chunks: readonly Buffer[], maxBytes = 1000): { lines: string[]; rest: string } {
  const splitter = new LineSplitter(maxBytes);
  const lines = chunks.flatMap((chunk) => [...splitter.push(chunk)].map((line) => line.toString('utf8')));
  return { lines, rest: splitter.rest().toString('utf8') };
}

describe('LineSplitter', () => {
  it('splits at \\n only', () => {
    expect(split([Buffer.from('a\rb\u2028c\u0085d\r\ne\n\nf')])).toEqual({
      lines: ['a\rb\u2028c\u0085d\r', 'e', ''],
      rest: 'f',
    });
  });

  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ' '))),
        fc.array(fc.nat({ max: 7 })),
        (texts, cuts) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''), 'utf8');
          const chunks: Buffer[] = [];
          let at = 0;
          for (const cut of cuts) {
            chunks.push(bytes.subarray(at, at + cut));
            at += cut;
          }
          chunks.push(bytes.subarray(at));
          expect(split(chunks)).toEqual({ lines: texts, rest: '' });
        },
      ),
    );
  });

  it('notices a line that grows too long before it ends', () => {
    const splitter = new LineSplitter(10);
    expect([...splitter.push(Buffer.from('0123456789'))]).toEqual([]);
    expect(splitter.tooLong).toBe(false);
    expect([...splitter.push(Buffer.from('0'))]).toEqual([]);
    expect(splitter.tooLong).toBe(true);
    expect(splitter.rest().toString()).toBe('01234567890');
    expect(splitter.tooLong).toBe(false);
  });
});
