import { parseAddress, whatwgHost, type Address } from './address';

/** A host as a URL would have it: an address, or a name in lower case and Punycode with at most one trailing dot. */
export type Host = { readonly address: Address } | { readonly name: string };

/** RFC 1035: 253 characters of text; one more for the trailing dot. */
const LONGEST_NAME = 254;

/** White space, control characters and what ends or splits the host of a URL. A WHATWG parser drops some of them. */
const NOT_IN_A_HOST = /[\s\p{Cc}/\\?#@]/u;

/**
 * Reads a host as the WHATWG URL parser does, so that every spelling of an address (`0x7f.1`, `2130706433`, `①②⑦.0.0.1`,
 * `[::1]`) is found; IPv6 with or without brackets. Undefined: not a host.
 */
export function parseHost(text: string): Host | undefined {
  if (text.length > LONGEST_NAME || text === '' || NOT_IN_A_HOST.test(text)) return undefined;
  const plain = parseAddress(text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text);
  if (plain !== undefined) return { address: plain };
  if (/[[\]:]/.test(text)) return undefined;
  const hostname = whatwgHost(text);
  if (hostname === undefined || hostname.length > LONGEST_NAME) return undefined;
  const address = parseAddress(hostname);
  if (address !== undefined) return { address };
  return hostname.startsWith('.') || hostname.includes('..') ? undefined : { name: hostname };
}

/** A host name without its trailing dot: for comparing, and for TLS, where names have none. */
export function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** A host for an error: its canonical spelling, or words in its place when it is none, as it may be anything then. */
export function hostText(host: string): string {
  const parsed = parseHost(host);
  if (parsed === undefined) return '(not a host)';
  return 'name' in parsed ? parsed.name : parsed.address.text;
}

/** `host:port` for an error text, IPv6 in brackets. */
export function hostAndPort(host: string, port: number): string {
  const text = hostText(host);
  return text.includes(':') ? `[${text}]:${port}` : `${text}:${port}`;
}
