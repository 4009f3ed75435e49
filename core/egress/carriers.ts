import type { Address } from './address';

/**
 * The IPv4 addresses an IPv6 address holds, the likeliest first. Public holes of other filters come from the forms they
 * did not unwrap (ipaddr.js#203, private-ip#32), so every form of an RFC is here:
 * IPv4-compatible `::/96`, -mapped `::ffff:0:0/96`, -translated `::ffff:0:0:0/96`, NAT64 `64:ff9b::/96` and
 * `64:ff9b:1::/48`, 6to4 `2002::/16`, Teredo `2001::/32` (the client, inverted), ISATAP interface identifiers.
 */
export function carriedIpv4(address: Address): Address[] {
  if (address.family === 4) return [];
  const { bytes } = address;
  const last = ipv4At(bytes, [12, 13, 14, 15]);
  if (startsWith(bytes, LAST_32_BITS)) return [last];
  if (startsWith(bytes, [LOCAL_NAT64])) return [last, ...shorterNat64Prefixes(bytes)];
  if (startsWith(bytes, [SIX_TO_FOUR])) return [ipv4At(bytes, [2, 3, 4, 5])];
  if (startsWith(bytes, [TEREDO]))
    return [
      ipv4At(
        bytes.map((byte) => byte ^ 0xff),
        [12, 13, 14, 15],
      ),
    ];
  if (isIsatap(bytes)) return [last];
  return [];
}

const ZEROS_8 = [0, 0, 0, 0, 0, 0, 0, 0];
const LAST_32_BITS = [
  [...ZEROS_8, 0, 0, 0, 0],
  [...ZEROS_8, 0, 0, 0xff, 0xff],
  [...ZEROS_8, 0xff, 0xff, 0, 0],
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
];
const LOCAL_NAT64 = [0, 0x64, 0xff, 0x9b, 0, 1];
const SIX_TO_FOUR = [0x20, 0x02];
const TEREDO = [0x20, 0x01, 0, 0];

function startsWith(bytes: readonly number[], prefixes: readonly (readonly number[])[]): boolean {
  return prefixes.some((prefix) => prefix.every((byte, index) => bytes[index] === byte));
}

/**
 * A network chooses the length of its prefix inside 64:ff9b:1::/48, and the place of the IPv4 address follows it (RFC
 * 6052, 2.2: /48, /56, /64, around the zero byte 8). We cannot know it, so all places count, except one that holds
 * 0.x.x.x: that is where the zeros of a longer prefix stand.
 */
function shorterNat64Prefixes(bytes: readonly number[]): Address[] {
  const places = [
    [6, 7, 9, 10],
    [7, 9, 10, 11],
    [9, 10, 11, 12],
  ];
  return places.map((place) => ipv4At(bytes, place)).filter((carried) => carried.bytes[0] !== 0);
}

/** RFC 5214: the interface identifier 0000:5efe (private IPv4) or 0200:5efe (global IPv4) below any prefix. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function ipv4At(bytes: readonly number[], place: readonly number[]): Address {
  const four = place.map((index) => bytes[index] ?? 0);
  return { family: 4, text: four.join('.'), bytes: four };
}
