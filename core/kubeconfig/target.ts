import { createHash } from 'node:crypto';
import type { Identity } from './identity';

declare const checked: unique symbol;

/**
 * A cluster and an identity on it, checked by the guard. Only this module makes one, so whoever holds one may connect
 * to it (within the egress policy). Frozen.
 */
export interface ClusterTarget {
  /** `https://host[:port][/path]` in canonical form, no trailing slash. */
  readonly server: string;
  /** PEM bundle that must have signed the server's certificate. Absent: the public CAs. */
  readonly ca?: string;
  readonly identity: Identity;
  /** The namespace that operations use unless they name one. */
  readonly namespace: string;
  /** SHA-256 in hex over server, CA and identity: equal for equal targets only. A key for caches, not to be shown. */
  readonly fingerprint: string;
  readonly [checked]: true;
}

/** Makes the target from checked parts. */
export function makeTarget(parts: {
  readonly server: string;
  readonly ca: string | undefined;
  readonly identity: Identity;
  readonly namespace: string;
}): ClusterTarget {
  const { server, ca, identity, namespace } = parts;
  const target = {
    server,
    ...(ca === undefined ? {} : { ca }),
    identity,
    namespace,
    fingerprint: fingerprintOf(parts),
  };
  // The brand exists in the types only.
  return Object.freeze(target) as unknown as ClusterTarget;
}

/** The same with another identity of the same owner. */
export function retarget(target: ClusterTarget, identity: Identity): ClusterTarget {
  return Object.freeze({ ...target, identity });
}

/** Every part goes in with its length, so that no two different lists of parts give the same bytes. */
function fingerprintOf(parts: {
  readonly server: string;
  readonly ca: string | undefined;
  readonly identity: Identity;
}): string {
  const { server, ca, identity } = parts;
  const credentials = identity.type === 'token' ? [identity.token] : [identity.certificate, identity.key];
  const hash = createHash('sha256');
  for (const part of [
    'navin-cluster-target-1',
    server,
    ca === undefined ? 'public' : `bundle ${ca}`,
    identity.type,
    ...credentials,
  ]) {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return hash.digest('hex');
}
