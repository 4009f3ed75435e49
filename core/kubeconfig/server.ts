import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { classifyAddress, classifyHostname, type DevApiServer } from '../egress';
import { KubeconfigError, type Place, ServerMismatchError } from './errors';
import type { DocsSection } from './rules';

/** The address of an API server in its one canonical form. */
export interface ServerUrl {
  /** `https://host[:port][/path]`: lower case, punycode, no default port, no trailing slash. */
  readonly href: string;
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Empty, or begins with a slash and does not end with one. */
  readonly path: string;
}

const MAX_LENGTH = 2048;
/** Authority and path of an https address; what `URL` would repair or drop is not in the grammar. */
const ADDRESS = /^https:\/\/(\[[^\]/?#@\\]*\]|[^:/?#@\\[\]]+)(?::(\d{1,10}))?(\/.*)?$/u;
const PATH = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Reads the address of an API server. It must be written as its canonical form is, apart from the case of the host, the
 * default port, zeros before the port, the spelling of an IPv6 address, Unicode or punycode, and one trailing slash:
 * two readers can never take it for different servers. `subject` stands in the error.
 * @throws KubeconfigError `server-scheme`, `server-address`
 */
export function parseServerUrl(text: string, subject: string | Place = 'The API server'): ServerUrl {
  const fail = (why: string): KubeconfigError => refusal('server-address', why, subject);
  if (text === '') throw fail('is empty');
  if (text.length > MAX_LENGTH) throw fail('is longer than 2,048 characters');
  if (/[\s\p{Cc}\p{Cs}\p{Zs}]/u.test(text)) throw fail('has spaces or control characters');
  if (!text.startsWith('https://')) throw refusal('server-scheme', 'does not begin with https://', subject);
  if (text.includes('\\')) throw fail('has a backslash');
  if (/^https:\/\/[^/?#]*@/.test(text)) throw fail('has a user name or password');
  if (/[?#]/.test(text)) throw fail('has a query or a fragment');
  if (text.includes('%')) throw fail('has percent-encoded characters');

  const [, rawHost, rawPort, rawPath = ''] = ADDRESS.exec(text) ?? [];
  if (rawHost === undefined) throw fail('is not of the form https://HOST[:PORT][/PATH]');
  const port = rawPort === undefined ? 443 : Number(rawPort);
  if (port < 1 || port > 65_535) throw fail('has a port outside 1 to 65535');
  const path = rawPath.replace(/\/$/, '');
  if (!PATH.test(path) || /\/\.{1,2}(?:\/|$)/.test(path)) {
    throw fail('has a path with empty parts, dots or characters other than letters, digits and plain punctuation');
  }
  const host = canonicalHost(rawHost);
  if (host === undefined) throw fail('has a host that is not a plain DNS name or IP address');
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}${port === 443 ? '' : `:${port}`}`;
  return { href: `https://${authority}${path}`, host, port, path };
}

/**
 * Refuses the addresses that core/egress never connects to (loopback, link-local, cloud metadata …), apart from the one
 * that a development setting admits. Names are resolved, and checked again, when the connection is made.
 * @throws KubeconfigError `server-address`
 */
export function refuseForbiddenHost(
  server: ServerUrl,
  subject: string | Place,
  options: { readonly devApiServer?: DevApiServer | undefined; readonly docs?: DocsSection | undefined } = {},
): void {
  const { devApiServer, docs } = options;
  const found = isIP(server.host) === 0 ? classifyHostname(server.host) : classifyAddress(server.host);
  if (found?.verdict !== 'never') return;
  if (
    found.class === 'loopback' &&
    devApiServer?.port === server.port &&
    found.address === classifyAddress(devApiServer.address).address
  ) {
    return;
  }
  throw refusal('server-address', `is never connected to (${found.class}): ${server.href}`, subject, docs);
}

/**
 * The server of the kubeconfig must be the registered one: same host, port and path after normalisation.
 * @throws ServerMismatchError
 */
export function requireSameServer(found: ServerUrl, registered: ServerUrl): void {
  const differs = (['host', 'port', 'path'] as const).filter((part) => found[part] !== registered[part]);
  if (differs.length > 0) throw new ServerMismatchError(found.href, registered.href, differs);
}

/** `undefined` where the spelling differs from the canonical one by more than case, Unicode, or zeros in IPv6. */
function canonicalHost(raw: string): string | undefined {
  let host: string;
  try {
    host = new URL(`https://${raw}/`).hostname;
  } catch {
    return undefined;
  }
  if (raw.startsWith('[')) return host.slice(1, -1);
  const lower = raw.toLowerCase().normalize('NFC');
  // IPv4 in hexadecimal, octal, short or full-width spelling comes out as another text.
  const plain = lower === host || (lower === domainToUnicode(host) && isIP(host) === 0);
  return plain && (isIP(host) === 4 || DNS_NAME.test(host)) ? host : undefined;
}

function refusal(
  rule: 'server-scheme' | 'server-address',
  why: string,
  subject: string | Place,
  docs?: DocsSection,
): KubeconfigError {
  return typeof subject === 'string'
    ? new KubeconfigError(rule, `${subject} ${why}`, { docs })
    : new KubeconfigError(rule, why, { place: subject, docs });
}
