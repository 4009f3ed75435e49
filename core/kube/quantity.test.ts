import { describe, expect, it } from '@jest/globals';
import { addQuantities, largerQuantity, parseQuantity, quantityText, ZERO } from './quantity';

const NANO = 1_000_000_000n;
const MAX = 2n ** 63n - 1n;

const read = (text: string) => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} is no quantity`);
  return quantity;
};

// Vectors of apimachinery's quantity_test.go.
const NANOS: readonly (readonly [string, bigint])[] = [
  ['0', 0n],
  ['0n', 0n],
  ['0Ki', 0n],
  ['1Ki', 1_024n * NANO],
  ['3Ei', 3n * 2n ** 60n * NANO],
  ['5n', 5n],
  ['4u', 4_000n],
  ['3m', 3_000_000n],
  ['8k', 8_000n * NANO],
  ['7.123456M', 7_123_456n * NANO],
  ['2.5P', 2_500_000_000_000_000n * NANO],
  ['1.01E', 1_010_000_000_000_000_000n * NANO],
  ['12E', MAX * NANO],
  ['1E-3', 1_000_000n],
  ['1e3', 1_000n * NANO],
  ['1.3E+6', 1_300_000n * NANO],
  ['0.5e-2', 5_000_000n],
  ['100.035k', 100_035n * NANO],
  ['0.0005k', 500_000_000n],
  ['3.001n', 4n],
  ['0.9n', 1n],
  ['1.1E-9', 2n],
  ['0.0000000001', 1n],
  ['0.00000012345', 124n],
  ['0.000000000001Ki', 2n],
  ['9Ei', MAX * NANO],
  ['9223372036854775807Ki', MAX * NANO],
  ['100.035Ki', 102_435_840_000_000n],
  ['0.5Mi', 524_288n * NANO],
  ['0.05Gi', 53_687_091_200_000_000n],
  ['.001', 1_000_000n],
  ['.0001k', 100_000_000n],
  ['1.', NANO],
  ['1.G', NANO * NANO],
  ['-1.5', -1_500_000_000n],
  ['+2', 2n * NANO],
];

describe('a quantity', () => {
  it.each(NANOS)('%s is %s billionths', (text, nanos) => {
    expect(read(text).nanos).toBe(nanos);
  });

  it.each([
    '',
    '1.1.M',
    '1+1.0M',
    '0.1mi',
    '0.1am',
    'aoeu',
    '.5i',
    '1i',
    '-3.01i',
    '-3.01e-',
    ' 1',
    '1 ',
    '1K',
    '.',
    '-',
  ])('%j is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('is none when it is something else, or too long to be one', () => {
    expect([undefined, null, {}, [], true, '1'.repeat(65), Number.NaN].map(parseQuantity)).toEqual(
      Array(7).fill(undefined),
    );
    expect(parseQuantity(2)).toEqual(read('2'));
  });

  it.each([
    ['1.5', '1500m'],
    ['1.5Gi', '1536Mi'],
    ['1000m', '1'],
    ['1024', '1024'],
    ['0.5Ki', '512'],
    ['1Ki', '1Ki'],
    ['100.035Ki', '102435840m'],
    ['1e3', '1e3'],
    ['1500e-3', '1500e-3'],
    ['-2Gi', '-2Gi'],
    ['0Gi', '0'],
  ])('%s is written %s, as Kubernetes does', (text, written) => {
    expect(quantityText(read(text))).toBe(written);
  });

  it('adds up exactly, and is written as the first', () => {
    expect(quantityText(addQuantities(read('1Gi'), read('1M')))).toBe('1074741824');
    expect(quantityText(addQuantities(ZERO, read('1Gi')))).toBe('1Gi');
    expect(quantityText(addQuantities(read('100m'), read('2')))).toBe('2100m');
  });

  it('compares across formats', () => {
    expect(largerQuantity(read('100Gi'), read('10000T'))).toEqual(read('10000T'));
    expect(largerQuantity(read('1Ki'), read('1024'))).toEqual(read('1Ki'));
  });
});
