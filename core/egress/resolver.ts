import { promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isNavinError } from '../errors';
import { connectionFault, isDnsFailure } from './connectionError';
import type { Destination } from './destination';
import { EgressRefusedError } from './errors';
import { hostAndPort } from './host';

/** One answer of a resolver. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Gives every address of a name, of both families. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** Another authority that must agree to a connection: throws to refuse. */
export type ExternalFilter = (url: URL) => Promise<void>;

/** More answers than any real API server has: a list this long is refused as a whole. */
const MAX_ANSWERS = 256;

/** The resolver of the operating system: also /etc/hosts and search domains, as everything else on the host. */
export const systemResolver: Resolver = async (hostname) =>
  (await dns.lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

/** A refusal by a lookup function that is not ours. */
class LookupRefusal extends Error {}

/**
 * Makes a resolver of a Node lookup function, for n8n's own egress filter: with
 * `lookupResolver(helpers.getSecureEgressFilter().createSecureLookup())` the answers n8n has checked are the ones that
 * are checked again here and connected to. An error that is not about DNS is a refusal of that filter.
 */
export function lookupResolver(lookup: LookupFunction): Resolver {
  return (hostname) =>
    new Promise((resolve, reject) => {
      lookup(hostname, { all: true }, (error, address, family) => {
        if (error !== null) {
          reject(isDnsFailure(error) ? error : new LookupRefusal('Refused', { cause: error }));
          return;
        }
        const answers = typeof address === 'string' ? [{ address, family }] : address;
        resolve(answers.map((answer) => ({ address: answer.address, family: answer.family === 6 ? 6 : 4 })));
      });
    });
}

/**
 * Asks a resolver for the addresses of a name, bounded in time and number.
 *
 * @throws NavinError `k8s_dns_failed`, `k8s_timeout` (`phase: dns`), or the refusal of an external filter.
 */
export async function answersFor(
  name: string,
  destination: Destination,
  resolver: Resolver,
  timeoutMs: number,
): Promise<readonly ResolvedAddress[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(connectionFault('timeout', destination, undefined, { phase: 'dns' }));
    }, timeoutMs);
  });
  try {
    const answers = await Promise.race([resolver(name), tooLate]);
    if (answers.length === 0 || answers.length > MAX_ANSWERS) throw connectionFault('dns', destination);
    return answers;
  } catch (error) {
    throw resolverError(error, destination);
  } finally {
    clearTimeout(timer);
  }
}

function resolverError(error: unknown, destination: Destination): Error {
  if (isNavinError(error)) return error;
  return error instanceof LookupRefusal
    ? refusedByFilter(destination, error.cause)
    : connectionFault('dns', destination, error);
}

/**
 * Asks an external filter.
 *
 * @throws EgressRefusedError (`external-filter`), or `k8s_dns_failed` when the filter could not resolve the name.
 */
export async function applyExternalFilter(filter: ExternalFilter, destination: Destination): Promise<void> {
  const { host, port } = destination;
  try {
    await filter(new URL(`https://${hostAndPort(host, port)}/`));
  } catch (error) {
    if (isNavinError(error)) throw error;
    throw isDnsFailure(error) ? connectionFault('dns', destination, error) : refusedByFilter(destination, error);
  }
}

function refusedByFilter(destination: Destination, cause: unknown): EgressRefusedError {
  const target = hostAndPort(destination.host, destination.port);
  return new EgressRefusedError('external-filter', `${target} is refused by n8n's own egress filter.`, {
    destination,
    hint: 'The administrator of the n8n host can admit it with N8N_SSRF_ALLOWED_IP_RANGES or N8N_SSRF_ALLOWED_HOSTNAMES (docs/private-networks.md).',
    cause,
  });
}
