import { NavinError, type JsonValue } from '../errors';
import { CLASSES, type AddressClass } from './classes';
import type { Classification } from './classify';
import type { Destination } from './destination';
import { grantAsWritten, type Grant, type MissingGrant } from './grant';
import { hostAndPort, hostText } from './host';

/**
 * Why a connection was refused. `never`: the class of the address. `no-grant`, `grant-port`, `grant-credential`: a
 * private address that no grant admits. `scheme`, `userinfo`: the URL. `redirect`: there are too many, or one leads
 * nowhere. `external-filter`: n8n's own egress filter. `peer`: the socket is connected to another address than those
 * that were checked.
 */
export type RefusalReason = 'never' | MissingGrant | 'scheme' | 'userinfo' | 'redirect' | 'external-filter' | 'peer';

/** What a refusal says beside its reason and message. */
export interface RefusalOptions {
  readonly destination: Destination;
  readonly found?: Classification;
  readonly hint?: string;
  /** The grants that would admit the destination together. */
  readonly grants?: readonly Grant[];
  readonly cause?: unknown;
}

/**
 * A connection that is not allowed, code `k8s_egress_refused`. `details` holds `reason`, `class`, `host`, `port`; where
 * an address was refused `address` and `embedded`; and where grants would help, `grant` (the first) and `grants`: the
 * entries to add to NAVIN_PRIVATE_NETWORKS.
 */
export class EgressRefusedError extends NavinError {
  readonly reason: RefusalReason;
  readonly addressClass: AddressClass;
  readonly grants: readonly Grant[];

  constructor(reason: RefusalReason, message: string, options: RefusalOptions) {
    const { hint, cause } = options;
    super('k8s_egress_refused', message, {
      ...(hint === undefined ? {} : { hint }),
      details: detailsOf(reason, options),
      cause,
    });
    this.reason = reason;
    this.addressClass = options.found?.class ?? 'invalid';
    this.grants = options.grants ?? [];
  }
}

/** A setting of the egress guard that cannot be used, code `k8s_egress_policy_invalid`. `details.variable` names it. */
export class EgressPolicyError extends NavinError {
  constructor(variable: string, problem: string) {
    super('k8s_egress_policy_invalid', `${variable} ${problem}.`, {
      hint: 'Correct it on the n8n host and restart n8n, main and worker processes alike (docs/private-networks.md).',
      details: { variable },
    });
  }
}

function detailsOf(reason: RefusalReason, options: RefusalOptions): Record<string, JsonValue> {
  const { destination, found, grants = [] } = options;
  const written = grants.map(grantAsWritten);
  return {
    reason,
    class: found?.class ?? 'invalid',
    host: hostText(destination.host),
    port: destination.port,
    ...(found === undefined ? {} : { address: hostText(found.address) }),
    ...(found?.embedded === undefined ? {} : { embedded: found.embedded }),
    ...(written[0] === undefined ? {} : { grant: written[0], grants: written }),
  };
}

/** A refusal of an address or name that is never connected to. */
export function neverAllowed(destination: Destination, found: Classification): EgressRefusedError {
  const sentence = `${whatItIs(destination, found)}. It is never connected to, and no grant can admit it.`;
  return new EgressRefusedError('never', sentence, { destination, found, hint: neverHint(found) });
}

/** So many grants are written into a hint. */
const MAX_SHOWN_GRANTS = 8;

const MISSING: Readonly<Record<MissingGrant, (port: number) => string>> = {
  'no-grant': () => 'no grant of the administrator of the n8n host admits it',
  'grant-port': (port) => `the grant that covers it does not name port ${port}`,
  'grant-credential': () => 'the grant that covers it is for other credentials',
};

/** A refusal of a private address that no grant admits. */
export function notGranted(
  destination: Destination,
  found: Classification,
  missing: MissingGrant,
  grants: readonly Grant[],
): EgressRefusedError {
  const sentence = `${whatItIs(destination, found)}, and ${MISSING[missing](destination.port)}.`;
  const shown = grants.slice(0, MAX_SHOWN_GRANTS);
  const entries = shown.map((grant) => JSON.stringify(grantAsWritten(grant))).join(',');
  const more = grants.length > shown.length ? ` The name has ${grants.length} such addresses: grant their range.` : '';
  const hint = `The administrator of the n8n host can admit it by adding ${entries} to the list in NAVIN_PRIVATE_NETWORKS (docs/private-networks.md).${more}`;
  return new EgressRefusedError(missing, sentence, { destination, found, grants: shown, hint });
}

/** "api.example.com:6443 resolves to 10.0.0.1, a private address". */
function whatItIs(destination: Destination, found: Classification): string {
  const target = hostAndPort(destination.host, destination.port);
  const { words } = CLASSES[found.class];
  const isItself = hostAndPort(found.address, destination.port) === target;
  if (found.embedded !== undefined) {
    const holder = isItself ? target : `${target} resolves to ${hostText(found.address)}, which`;
    return `${holder} holds the IPv4 address ${found.embedded}, ${words}`;
  }
  return isItself ? `${target} is ${words}` : `${target} resolves to ${hostText(found.address)}, ${words}`;
}

function neverHint(found: Classification): string {
  if (found.class === 'loopback' || found.class === 'unspecified') {
    return 'Use an address at which the n8n host reaches the API server from outside. For development only, the administrator of the n8n host can set NAVIN_DEV_API_SERVER=127.0.0.1:6443, which admits exactly that address and port (docs/private-networks.md).';
  }
  return 'Check the host of the API server: a cluster has a public or a private address (docs/private-networks.md).';
}
