/** How a quantity is written: `1500m`, `2Gi`, `1e3`. */
type Format = 'decimal' | 'binary' | 'exponent';

/** An amount of a resource, exact: Kubernetes knows billionths, and an amount may be larger than a double holds. */
export interface Quantity {
  /** In billionths. */
  readonly nanos: bigint;
  readonly format: Format;
}

/** Nothing. It takes the format of what is added to it. */
export const ZERO: Quantity = { nanos: 0n, format: 'decimal' };

const NANO = 1_000_000_000n;
/** The largest amount there is; larger ones are taken for it. */
const MAX = (2n ** 63n - 1n) * NANO;
/** Longer texts are no quantities. */
const MAX_LENGTH = 64;

/** Suffixes of powers of ten, smallest first, by exponent. */
const DECIMAL = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const;
/** Suffixes of powers of two, smallest first. */
const BINARY = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n } as const;

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d{1,3}))$/;

/**
 * Reads a quantity as apimachinery does: what is finer than a billionth is rounded away from zero, what is larger than
 * 2^63-1 is cut to that. Undefined when it is none.
 */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined;
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', binary, decimal = '', exponent] = found;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const power = (exponent === undefined ? DECIMAL[decimal as keyof typeof DECIMAL] : Number(exponent)) + 9;
  const factor = binary === undefined ? 1n : 2n ** BINARY[binary as keyof typeof BINARY];
  const shift = power - fraction.length;
  const amount = shift >= 0 ? digits * factor * 10n ** BigInt(shift) : divideUp(digits * factor, 10n ** BigInt(-shift));
  const cut = amount > MAX ? MAX : amount;
  const isSmall = binary !== undefined && cut < 1_024n * NANO;
  const format = exponent !== undefined ? 'exponent' : binary === undefined || isSmall ? 'decimal' : 'binary';
  return { nanos: sign === '-' ? -cut : cut, format };
}

/** The sum, written as the first of both is. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nanos: left.nanos + right.nanos, format: left.nanos === 0n ? right.format : left.format };
}

/** The larger one. */
export function largerQuantity(left: Quantity, right: Quantity): Quantity {
  return right.nanos > left.nanos ? right : left;
}

/** As Kubernetes writes it: the largest suffix that needs no fraction. */
export function quantityText({ nanos, format }: Quantity): string {
  const sign = nanos < 0n ? '-' : '';
  const amount = nanos < 0n ? -nanos : nanos;
  if (amount === 0n) return '0';
  if (format === 'binary' && amount >= 1_024n * NANO && amount % NANO === 0n) {
    const units = amount / NANO;
    const [suffix, power] = Object.entries(BINARY).findLast(([, bits]) => units % 2n ** bits === 0n) ?? ['', 0n];
    return `${sign}${String(units / 2n ** power)}${suffix}`;
  }
  const [suffix, power] =
    Object.entries(DECIMAL).findLast(([, exponent]) => amount % 10n ** BigInt(exponent + 9) === 0n) ??
    (['n', -9] as const);
  const mantissa = String(amount / 10n ** BigInt(power + 9));
  if (format !== 'exponent') return `${sign}${mantissa}${suffix}`;
  return `${sign}${mantissa}${power === 0 ? '' : `e${String(power)}`}`;
}

function divideUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}
