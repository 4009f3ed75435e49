import { contains, parseAddress, parseCidr, type Address, type Cidr } from './address';
import { carriedIpv4 } from './carriers';
import { CLASSES, LOOPBACK_NAMES, METADATA_NAMES, RANGES, type AddressClass, type Verdict } from './classes';
import { parseHost, withoutDot } from './host';

/** What an address or host name is and whether it may be connected to. */
export interface Classification {
  readonly class: AddressClass;
  readonly verdict: Verdict;
  /** The address or name in its canonical spelling; what was given when it is neither. */
  readonly address: string;
  /** The IPv4 address inside an IPv6 address, when it decided. */
  readonly embedded?: string;
}

/** A row of the table with its range, ready to be compared. */
export interface ClassifiedRange {
  readonly class: AddressClass;
  readonly text: string;
  readonly cidr: Cidr;
}

/** The ranges of {@link RANGES}, in their order. */
export const CLASSIFIED_RANGES: readonly ClassifiedRange[] = RANGES.map((range) => {
  const cidr = parseCidr(range.cidr);
  if (cidr === undefined) throw new RangeError(`The range ${range.cidr} of the table is not one`);
  return { class: range.class, text: range.cidr, cidr };
});

/** The ranges that lie behind grants: those of private networks. */
export const GRANTABLE_RANGES: readonly string[] = CLASSIFIED_RANGES.filter(
  (range) => CLASSES[range.class].verdict === 'grantable',
).map(({ text }) => text);

const SEVERITY: Readonly<Record<Verdict, number>> = { allow: 0, grantable: 1, never: 2 };

/**
 * Classifies an IP address. Where an IPv6 address holds IPv4 addresses, the worst of them and of the IPv6 range
 * decides. Never throws: what is not an address is `invalid`, so `never`.
 *
 * @param text a plain address, without brackets or zone.
 */
export function classifyAddress(text: string): Classification {
  const address = parseAddress(text);
  return address === undefined ? invalid(text) : classifyParsed(address);
}

function classifyParsed(address: Address): Classification {
  const outer = classified(classOf(address), address.text);
  const inner = carriedIpv4(address).map((ipv4) => classified(classOf(ipv4), address.text, ipv4.text));
  const candidates = outer.class === 'public' ? [...inner, outer] : [outer, ...inner];
  return candidates.reduce((worst, next) => (SEVERITY[next.verdict] > SEVERITY[worst.verdict] ? next : worst));
}

function classOf(address: Address): AddressClass {
  const listed = CLASSIFIED_RANGES.find((range) => contains(range.cidr, address));
  return listed?.class ?? (address.family === 4 ? 'public' : 'reserved');
}

/**
 * Classifies a host name before DNS. An address in any spelling a URL accepts is classified as that address.
 *
 * @returns undefined: nothing is known of the name, so it has to be resolved and every answer classified.
 */
export function classifyHostname(name: string): Classification | undefined {
  const host = parseHost(name);
  if (host === undefined) return invalid(name);
  if ('address' in host) return classifyParsed(host.address);
  const bare = withoutDot(host.name);
  if (METADATA_NAMES.has(bare)) return classified('metadata', host.name);
  if (bare === 'localhost' || bare.endsWith('.localhost') || LOOPBACK_NAMES.has(bare)) {
    return classified('loopback', host.name);
  }
  return undefined;
}

function classified(addressClass: AddressClass, address: string, embedded?: string): Classification {
  const { verdict } = CLASSES[addressClass];
  return { class: addressClass, verdict, address, ...(embedded === undefined ? {} : { embedded }) };
}

function invalid(text: string): Classification {
  return classified('invalid', text);
}
