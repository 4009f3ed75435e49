import { contains, parseAddress, parseCidr, type Cidr } from './address';

/** What the administrator of the n8n host allows: these ports of this private range, for all credentials or for some. */
export interface Grant {
  /** A range that lies wholly inside one grantable range, for example `10.20.0.0/16`. */
  readonly cidr: string;
  /** 1 to 65535; at least one. */
  readonly ports: readonly number[];
  /** Ids of n8n credentials; absent: every credential. */
  readonly credentialIds?: readonly string[];
}

/** What a grant is asked for. */
export interface GrantRequest {
  /** The address to be connected to, or the IPv4 address inside it that decides. */
  readonly address: string;
  readonly port: number;
  readonly credentialId?: string;
}

/** Why no grant admits an address: none covers it, or one does but not this port, or not this credential. */
export type MissingGrant = 'no-grant' | 'grant-port' | 'grant-credential';

/** Ids n8n makes: letters and digits; numbers in old databases. */
export const CREDENTIAL_ID = /^[A-Za-z0-9_-]{1,64}$/;

const parsed = new WeakMap<Grant, Cidr | null>();

function rangeOf(grant: Grant): Cidr | null {
  const known = parsed.get(grant);
  if (known !== undefined) return known;
  const range = parseCidr(grant.cidr) ?? null;
  parsed.set(grant, range);
  return range;
}

/** Finds the grant that admits an address, or says what is missing. */
export function findGrant(grants: readonly Grant[], request: GrantRequest): Grant | MissingGrant {
  const address = parseAddress(request.address);
  const covering = grants.filter((grant) => {
    const range = rangeOf(grant);
    return address !== undefined && range !== null && contains(range, address);
  });
  if (covering.length === 0) return 'no-grant';
  const withPort = covering.filter((grant) => grant.ports.includes(request.port));
  if (withPort.length === 0) return 'grant-port';
  const admitting = withPort.find(
    ({ credentialIds }) =>
      credentialIds === undefined ||
      (request.credentialId !== undefined && credentialIds.includes(request.credentialId)),
  );
  return admitting ?? 'grant-credential';
}

/** The smallest grant that would admit an address. */
export function grantFor(request: GrantRequest): Grant {
  const bits = parseAddress(request.address)?.family === 6 ? 128 : 32;
  const grant = { cidr: `${request.address}/${bits}`, ports: [request.port] };
  const { credentialId } = request;
  return credentialId !== undefined && CREDENTIAL_ID.test(credentialId)
    ? { ...grant, credentialIds: [credentialId] }
    : grant;
}

/** A grant as the administrator writes it into the list. */
export function grantAsWritten(grant: Grant): {
  cidr: string;
  ports: readonly number[];
  credentials?: readonly string[];
} {
  const { cidr, ports, credentialIds } = grant;
  return { cidr, ports, ...(credentialIds === undefined ? {} : { credentials: credentialIds }) };
}
