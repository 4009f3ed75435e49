import { parseAddress, parseCidr } from '../address';

/** Addresses as numbers: arithmetic apart from the code under test, which compares by BlockList. */

/** The text of an address, from its number. */
export function addressText(value: bigint, family: 4 | 6): string {
  const parts = family === 4 ? 4 : 8;
  const width = family === 4 ? 8n : 16n;
  const groups = Array.from({ length: parts }, (_, index) => {
    const group = (value >> (width * BigInt(parts - 1 - index))) & ((1n << width) - 1n);
    return group.toString(family === 4 ? 10 : 16);
  });
  return canonical(groups.join(family === 4 ? '.' : ':'));
}

/** The number of an address. */
export function addressNumber(text: string): bigint {
  const bytes = parseAddress(text)?.bytes;
  if (bytes === undefined) throw new RangeError(`${text} is not an address`);
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** The canonical text of an address. */
export function canonical(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new RangeError(`${text} is not an address`);
  return address.text;
}

/** The first and last number of a range, and its family. */
export function bounds(cidr: string): { first: bigint; last: bigint; family: 4 | 6 } {
  const range = parseCidr(cidr);
  if (range === undefined) throw new RangeError(`${cidr} is not a range`);
  const { family, text, bytes } = range.base;
  const first = addressNumber(text);
  return { first, last: first + (1n << BigInt(bytes.length * 8 - range.prefix)) - 1n, family };
}
