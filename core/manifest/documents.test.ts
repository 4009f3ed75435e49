import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNavinError } from '../errors';
import { readManifest } from './documents';

const parse = (text: string): unknown => readManifest(text)[0];

describe('reading a manifest as kubectl does', () => {
  it.each([
    ['yes', true],
    ['On', true],
    ['off', false],
    ['NO', false],
    ['y', 'y'],
    ['0644', 420],
    ['0o644', 420],
    ['-0x1F', -31],
    ['0b101', 5],
    ['1_000', 1_000],
    ['08', '08'],
    ['0', 0],
    ['+5', 5],
    ['12:30', '12:30'],
    ['1.5', 1.5],
    ['1e3', 1_000],
    ['1.', 1],
    ['9007199254740993', '9007199254740993'],
    ['2026-01-31', '2026-01-31'],
    ['~', null],
    ['null', null],
    ['"yes"', 'yes'],
    ['.inf', '.inf'],
    ['<<', '<<'],
  ])('reads %s', (text, value) => {
    expect(parse(`a: ${text}`)).toEqual({ a: value });
  });

  it('takes several documents, without the empty ones', () => {
    expect(readManifest('---\na: 1\n---\n---\n# nothing\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(readManifest('')).toEqual([]);
  });

  it('takes anchors and merge keys', () => {
    expect(parse('x: &x {a: 1}\ny: {<<: *x, b: 2}')).toEqual({ x: { a: 1 }, y: { a: 1, b: 2 } });
  });

  it('keeps a key named __proto__ as a key', () => {
    const value = parse('{"__proto__": {"polluted": true}}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['a syntax error', 'a: [1', /^The manifest is not valid YAML or JSON, line 1: /],
    ['a key twice', 'a: 1\na: 2', /^The manifest is not valid YAML or JSON, line 2: /],
    ['an unknown tag', 'a: !!js/function "x"', /^The manifest is not valid YAML or JSON/],
    ['something nested very deeply', '['.repeat(200) + ']'.repeat(200), /^The manifest is not valid YAML or JSON/],
    [
      'a laugh',
      laughs(9),
      /^The manifest (holds more than 50000 values, or refers to itself|is not valid YAML or JSON)/,
    ],
    [
      'a document that holds itself',
      '&a [*a]',
      /^The manifest (holds more than 50000 values, or refers to itself|is not valid YAML or JSON)/,
    ],
  ])('refuses %s', (_what, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('never repeats the text, and never fails in another way', () => {
    const secret = 's3cr3t-value';
    const piece = fc.constantFrom(
      'a: ',
      '- ',
      '\n',
      '  ',
      secret,
      '"',
      "'",
      '&a ',
      '*a',
      '!!x ',
      '{',
      '}',
      '[',
      ']',
      '|',
      '? ',
      '%',
      '@',
      '`',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parse(pieces.join(''));
        } catch (error) {
          if (!isNavinError(error)) throw error;
          expect([error.code, error.message.includes(secret)]).toEqual(['k8s_parameter_invalid', false]);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Nine lists of nine lists … by anchors: small as text, enormous as values. */
function laughs(levels: number): string {
  const lines = ['l0: &l0 [lol]'];
  for (let level = 1; level <= levels; level += 1) {
    lines.push(
      `l${String(level)}: &l${String(level)} [${Array.from({ length: 9 }, () => `*l${String(level - 1)}`).join(', ')}]`,
    );
  }
  return lines.join('\n');
}
