import { isIP } from 'node:net';
import { UsageError } from './usageError';

/** What the entries of a list must be. */
export interface Entries {
  readonly flag: string;
  /** For instance `the name of a namespace`. */
  readonly what: string;
  readonly most: number;
  readonly isOne: (text: string) => boolean;
  /** Two entries with the same are the same. Default: their text. */
  readonly identityOf?: (text: string) => string;
}

/** Where the probes listen. */
export interface ListenAddress {
  /** IPv6 without brackets. */
  readonly address: string;
  /** 0: a free one. */
  readonly port: number;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAMESPACE = new RegExp(`^${LABEL}$`);
const OBJECT = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** RFC 1123 label. */
export function isNamespaceName(text: string): boolean {
  return NAMESPACE.test(text);
}

/** RFC 1123 subdomain, as Secrets and Leases are named. */
export function isObjectName(text: string): boolean {
  return OBJECT.test(text);
}

/**
 * A comma separated list; spaces around entries do not count.
 *
 * @throws UsageError
 */
export function readList(text: string, { flag, what, most, isOne, identityOf }: Entries): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > most) throw new UsageError(`${flag} has more than ${most} entries.`);
  const known = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const number = index + 1;
    if (!isOne(entry)) throw new UsageError(`${flag}: entry ${number} of the list must be ${what}.`);
    const identity = identityOf?.(entry) ?? entry;
    const before = known.get(identity);
    if (before !== undefined)
      throw new UsageError(`${flag}: entries ${before} and ${number} of the list are the same.`);
    known.set(identity, number);
  }
  return entries;
}

/** @throws UsageError */
export function readWhole(text: string, flag: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}.`);
}

/** `address:port`, IPv6 in brackets. @throws UsageError */
export function readListenAddress(text: string, flag: string): ListenAddress {
  const [, ipv6, ipv4, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text) ?? [];
  const address = ipv6 ?? ipv4 ?? '';
  const port = Number(digits);
  const family = isIP(address);
  if (family === (ipv6 === undefined ? 4 : 6) && port <= 65_535) return { address, port };
  throw new UsageError(`${flag} must be an IP address and a port, like 127.0.0.1:8080 or [::]:8080.`);
}

/** @throws UsageError */
export function readPath(text: string, flag: string): string {
  if (text !== '' && text.length <= 4096 && !text.includes('\0')) return text;
  throw new UsageError(`${flag} must be a path.`);
}
