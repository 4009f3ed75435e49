import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An IP address in its one canonical spelling. */
export interface Address {
  readonly family: 4 | 6;
  /** Dotted decimal, or RFC 5952 with hexadecimal groups only. */
  readonly text: string;
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
}

/** A range of addresses: the first address and the length of the prefix in bits. */
export interface Cidr {
  readonly base: Address;
  readonly prefix: number;
  readonly list: BlockList;
}

/** The longest text of an IPv6 address: six groups and a dotted IPv4 address. */
const LONGEST_ADDRESS = 45;

/** The host name as the WHATWG URL parser writes it; undefined when it refuses it. */
export function whatwgHost(host: string): string | undefined {
  try {
    return new URL(`https://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

/**
 * Reads the text of an IP address. Only plain addresses: no brackets, no zone (`%eth0`), no octal or short IPv4 forms
 * (host.ts reads those, as a URL does).
 */
export function parseAddress(text: string): Address | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  if (isIPv4(text)) return { family: 4, text, bytes: text.split('.').map(Number) };
  if (!isIPv6(text)) return undefined;
  const canonical = whatwgHost(`[${text}]`)?.slice(1, -1);
  return canonical === undefined ? undefined : { family: 6, text: canonical, bytes: ipv6Bytes(canonical) };
}

function ipv6Bytes(canonical: string): number[] {
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Reads `address/prefix`; undefined when it is not one. Bits after the prefix must be zero. */
export function parseCidr(text: string): Cidr | undefined {
  const parts = /^([0-9a-fA-F:.]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  if (parts === null) return undefined;
  const base = parseAddress(parts[1] ?? '');
  const prefix = Number(parts[2]);
  if (base === undefined || prefix > base.bytes.length * 8) return undefined;
  if (base.bytes.some((byte, index) => (byte & hostMask(prefix, index)) !== 0)) return undefined;
  const list = new BlockList();
  list.addSubnet(base.text, prefix, blockListFamily(base));
  return { base, prefix, list };
}

/** The bits of the byte at `index` that come after the prefix. */
function hostMask(prefix: number, index: number): number {
  return 0xff >> Math.min(8, Math.max(0, prefix - index * 8));
}

/** Whether a range holds an address. Families never mix: an IPv4-mapped address is not in an IPv4 range. */
export function contains(range: Cidr, address: Address): boolean {
  return range.base.family === address.family && range.list.check(address.text, blockListFamily(address));
}

/** Whether two ranges have an address in common. */
export function overlaps(one: Cidr, other: Cidr): boolean {
  return contains(one, other.base) || contains(other, one.base);
}

function blockListFamily(address: Address): 'ipv4' | 'ipv6' {
  return address.family === 4 ? 'ipv4' : 'ipv6';
}
