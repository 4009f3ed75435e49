import { parseAddress } from './address';
import type { AddressClass } from './classes';
import { classifyAddress, classifyHostname, type Classification } from './classify';
import { destinationOf, type Destination } from './destination';
import { EgressRefusedError, neverAllowed, notGranted } from './errors';
import { findGrant, grantFor, type Grant, type GrantRequest, type MissingGrant } from './grant';
import { hostAndPort, parseHost } from './host';
import { isDevApiServer, type EgressPolicy } from './policy';
import { answersFor, systemResolver, type Resolver } from './resolver';

declare const CHECKED: unique symbol;

/** An address that may be connected to for one destination. Only {@link checkAddress} makes one. */
export interface CheckedAddress {
  /** Canonical text. */
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
  readonly class: AddressClass;
  /** Why it may be: public, the grant, or NAVIN_DEV_API_SERVER. */
  readonly admittedBy: 'public' | 'development' | Grant;
  readonly [CHECKED]: true;
}

/** How long a name may take to resolve, in milliseconds, unless the caller says otherwise. */
export const DNS_TIMEOUT_MS = 10_000;

/** An address that may not be connected to; without `missing` it never may. */
interface Refused {
  readonly found: Classification;
  readonly missing?: MissingGrant;
}

/**
 * Checks one address for a destination.
 *
 * @param address the text of an IP address, without brackets.
 * @throws EgressRefusedError
 */
export function checkAddress(policy: EgressPolicy, address: string, destination: Destination): CheckedAddress {
  const result = judge(policy, address, destination);
  if ('found' in result) throw refusalOf(result, [result], destination);
  return result;
}

/** Admits all addresses or none: the worst refusal is thrown, with the grants for everything that needs one. */
function admitAll(policy: EgressPolicy, addresses: readonly string[], destination: Destination): CheckedAddress[] {
  const judged = addresses.map((address) => judge(policy, address, destination));
  const refused = judged.filter((result) => 'found' in result);
  const worst = refused.find(({ missing }) => missing === undefined) ?? refused[0];
  if (worst !== undefined) throw refusalOf(worst, refused, destination);
  return judged.filter((result) => 'address' in result);
}

function refusalOf(worst: Refused, all: readonly Refused[], destination: Destination): EgressRefusedError {
  if (worst.missing === undefined) return neverAllowed(destination, worst.found);
  const grants = all.map(({ found }) => grantFor(requestFor(found, destination)));
  return notGranted(destination, worst.found, worst.missing, grants);
}

function judge(policy: EgressPolicy, text: string, destination: Destination): CheckedAddress | Refused {
  const found = classifyAddress(text);
  if (found.verdict === 'allow') return admit(found, destination, 'public');
  if (found.verdict === 'never') {
    const isDev = isDevApiServer(policy, found.address, destination.port);
    return isDev ? admit(found, destination, 'development') : { found };
  }
  const grant = findGrant(policy.grants, requestFor(found, destination));
  return typeof grant === 'string' ? { found, missing: grant } : admit(found, destination, grant);
}

function requestFor(found: Classification, destination: Destination): GrantRequest {
  const { port, credentialId } = destination;
  return { address: found.embedded ?? found.address, port, ...(credentialId === undefined ? {} : { credentialId }) };
}

function admit(found: Classification, { port }: Destination, admittedBy: CheckedAddress['admittedBy']): CheckedAddress {
  const family = parseAddress(found.address)?.family ?? 4;
  return { address: found.address, family, port, class: found.class, admittedBy } as CheckedAddress;
}

/**
 * Finds the addresses of a destination and checks all of them: one refused answer refuses the name. A host that is an
 * address is checked as it is (Node never calls a custom `lookup` for one).
 *
 * @param timeoutMs the longest time for DNS.
 * @returns at least one address, in the order of the answers, each once.
 * @throws EgressRefusedError, or NavinError `k8s_dns_failed` or `k8s_timeout` (`phase: dns`).
 */
export async function resolveDestination(
  policy: EgressPolicy,
  destination: Destination,
  resolver: Resolver = systemResolver,
  timeoutMs: number = DNS_TIMEOUT_MS,
): Promise<readonly CheckedAddress[]> {
  const host = parseHost(destination.host);
  if (host !== undefined && 'address' in host) return [checkAddress(policy, host.address.text, destination)];
  const known = classifyHostname(destination.host);
  if (host === undefined || known !== undefined) {
    throw neverAllowed(destination, known ?? classifyAddress(destination.host));
  }
  const answers = await answersFor(host.name, destination, resolver, timeoutMs);
  return admitAll(policy, [...new Set(answers.map(({ address }) => address))], destination);
}

/** So much of a wrong scheme is repeated. */
const MAX_SCHEME = 16;

/** What a check of a URL may be told. */
export interface CheckOptions {
  /** The id of the n8n credential. Absent: only grants for every credential count. */
  readonly credentialId?: string;
  /** Default: the resolver of the operating system. */
  readonly resolver?: Resolver;
  /** The longest time for DNS in milliseconds. Default {@link DNS_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

/**
 * Checks the URL of an API server before any connection: https, no user name or password in it, and every address of
 * its host.
 *
 * @returns the addresses; they are resolved again for each connection, because DNS may answer otherwise then.
 * @throws EgressRefusedError, or NavinError `k8s_dns_failed` or `k8s_timeout`.
 */
export async function checkServerUrl(
  policy: EgressPolicy,
  url: URL,
  options: CheckOptions = {},
): Promise<readonly CheckedAddress[]> {
  const destination = destinationOf(url, options.credentialId);
  const target = hostAndPort(destination.host, destination.port);
  if (url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, MAX_SCHEME);
    const message = `The URL of the API server ${target} begins with ${scheme} and only https is used.`;
    throw new EgressRefusedError('scheme', message, { destination });
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressRefusedError('userinfo', `The URL of the API server ${target} has a user name or password in it.`, {
      destination,
    });
  }
  return resolveDestination(policy, destination, options.resolver, options.timeoutMs);
}
