import { describe, expect, it } from '@jest/globals';
import { valuesFile } from './values';

describe('the file of values', () => {
  it('ends with a line end, without which helm 4 may lose all of it', () => {
    expect(valuesFile({})).toBe('{}\n');
    expect(valuesFile({ a: 'x'.repeat(4_096 - 8) })).toHaveLength(4_097);
  });

  it('is the same for the same values', () => {
    expect(valuesFile({ b: [{ d: 1, c: null }], a: true })).toBe('{"a":true,"b":[{"c":null,"d":1}]}\n');
    expect(valuesFile({ a: true, b: [{ c: null, d: 1 }] })).toBe('{"a":true,"b":[{"c":null,"d":1}]}\n');
  });

  it('keeps fields of every name', () => {
    expect(valuesFile(JSON.parse('{"constructor":1,"__proto__":{"a":1}}') as Record<string, unknown>)).toBe(
      '{"__proto__":{"a":1},"constructor":1}\n',
    );
  });

  it('writes signs that YAML does not allow by their number', () => {
    expect(valuesFile({ a: '\u0085\u2028\ufeff\u{1f600}é' })).toBe('{"a":"\\u0085\\u2028\\ufeff\u{1f600}é"}\n');
  });
});
