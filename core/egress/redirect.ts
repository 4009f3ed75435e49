import { checkServerUrl, type CheckedAddress, type CheckOptions } from './check';
import { destinationOf } from './destination';
import { EgressRefusedError } from './errors';
import { hostAndPort } from './host';
import type { EgressPolicy } from './policy';

/** The most redirects that are followed in a row. */
export const MAX_REDIRECTS = 5;

/** A redirect that may be followed. */
export interface Hop {
  readonly url: URL;
  readonly addresses: readonly CheckedAddress[];
  /** How many redirects have been followed with this one: what the next call is given. */
  readonly followed: number;
  /** Tokens, client certificates and every other credential stay behind, also on the same host. */
  readonly dropCredentials: true;
}

/** What following a redirect may be told. A grant for certain credentials does not hold, as the credential stays. */
export interface HopOptions extends Omit<CheckOptions, 'credentialId'> {
  /** How many redirects were followed already. */
  readonly followed: number;
}

/**
 * Checks where a redirect leads, as if it were a new destination. Redirects are off everywhere (a Kubernetes API server
 * sends none); a client that must follow one calls this for every hop.
 *
 * @param from the URL that answered.
 * @param location the Location header: a URL, or relative to `from`.
 * @throws EgressRefusedError: `redirect` after {@link MAX_REDIRECTS} or for what is not a URL, `scheme` for anything but
 * https, or what {@link checkServerUrl} throws.
 */
export async function nextHop(policy: EgressPolicy, from: URL, location: string, options: HopOptions): Promise<Hop> {
  const { followed, ...checkOptions } = options;
  if (followed >= MAX_REDIRECTS) throw refused(from, `redirects more than ${MAX_REDIRECTS} times`);
  const url = targetOf(from, location);
  if (url === undefined) throw refused(from, 'redirects to something that is not a URL');
  const addresses = await checkServerUrl(policy, url, checkOptions);
  return { url, addresses, followed: followed + 1, dropCredentials: true };
}

function targetOf(from: URL, location: string): URL | undefined {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
}

function refused(from: URL, problem: string): EgressRefusedError {
  const destination = destinationOf(from);
  const message = `${hostAndPort(destination.host, destination.port)} ${problem}.`;
  return new EgressRefusedError('redirect', message, { destination });
}
