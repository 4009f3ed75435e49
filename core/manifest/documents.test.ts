import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNavinError } from '../errors';
import { readManifest } from './documents';

const parse = (text: string): unknown => readManifest(text)[0];

describe('reading a manifest as kubectl does', () => {
  // What kubectl 1.37 makes of `a: …`.
  it.each([
    ['yes', true],
    ['on', true],
    ['On', true],
    ['y', true],
    ['Y', true],
    ['TRUE', true],
    ['off', false],
    ['OFF', false],
    ['NO', false],
    ['n', false],
    ['tRue', 'tRue'],
    ['=', '='],
    ['0644', 420],
    ['0400', 256],
    ['-0644', -420],
    ['0o644', 420],
    ['0O17', 15],
    ['0777', 511],
    ['08', 8],
    ['-08', -8],
    ['09', 9],
    ['0008.5', 8.5],
    ['-0o17', -15],
    ['0o8', '0o8'],
    ['0o', '0o'],
    ['1_000', 1_000],
    ['1__0', 10],
    ['0_7', 7],
    ['1_', 1],
    ['_1', '_1'],
    ['0b11', 3],
    ['-0b11', -3],
    ['0b', '0b'],
    ['0x1F', 31],
    ['+0x1F', 31],
    ['-0x1F', -31],
    ['0x_1F', 31],
    ['0x', '0x'],
    ['0', 0],
    ['-0', 0],
    ['000', 0],
    ['+5', 5],
    ['1e3', 1_000],
    ['1E+3', 1_000],
    ['1.e3', 1_000],
    ['1_0e3', 10_000],
    ['1_0.5', 10.5],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1.', 1],
    ['1e', '1e'],
    ['e3', 'e3'],
    ['.', '.'],
    ['+', '+'],
    ['1e400', '1e400'],
    ['12:30:45', '12:30:45'],
    ['1:30', '1:30'],
    ['2026-01-01', '2026-01-01'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['123456789012345678901', 123_456_789_012_345_680_000],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['nULL', 'nULL'],
    ['"yes"', 'yes'],
    ['"0644"', '0644'],
    ['"~"', '~'],
    ['<<', '<<'],
  ])('reads %s', (text, value) => {
    expect(parse(`a: ${text}`)).toEqual({ a: value });
  });

  it('keeps as text what JavaScript cannot hold', () => {
    expect(parse('[9007199254740993, -9223372036854775808, .inf]')).toEqual([
      '9007199254740993',
      '-9223372036854775808',
      '.inf',
    ]);
  });

  it('makes text of keys after it has read them', () => {
    expect(parse('{n: 1, on: 2, 0644: 3, 1.50: 4}')).toEqual({ false: 1, true: 2, 420: 3, 1.5: 4 });
    expect(() => parse('{y: 1, on: 2}')).toThrow('The manifest is not valid YAML or JSON, line 1');
  });

  it('takes several documents, without the empty ones', () => {
    expect(readManifest('---\na: 1\n---\n---\n# nothing\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(readManifest('')).toEqual([]);
  });

  it('takes anchors and merge keys', () => {
    expect(parse('a: &a {c: 1}\nb: {<<: *a, d: 2}')).toEqual({ a: { c: 1 }, b: { c: 1, d: 2 } });
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
