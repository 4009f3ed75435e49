import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { isRecord, RESOURCES, type KubeObject } from '../kube';

/** What a Lease of coordination.k8s.io says. Its times are for people: clocks differ, nothing is decided by them. */
export interface LeaseRecord {
  readonly holder: string | undefined;
  /** So long after its last renewal the holder trusts in it, ms. */
  readonly durationMs: number;
  readonly transitions: number;
  /** Equal as long as nobody renewed, took or released it. */
  readonly fingerprint: string;
}

/** A record of others is believed within these bounds, seconds. */
const MAX_DURATION_SECONDS = 3600;

/** An identity that no other process has, and that tells a person which machine it is. */
export function uniqueHolder(): string {
  return `${hostname()}_${randomUUID()}`;
}

export function readLease(lease: KubeObject): LeaseRecord {
  const spec = isRecord(lease.spec) ? lease.spec : {};
  const { holderIdentity, leaseDurationSeconds, leaseTransitions } = spec;
  return {
    holder: typeof holderIdentity === 'string' && holderIdentity !== '' ? holderIdentity : undefined,
    durationMs: whole(leaseDurationSeconds, MAX_DURATION_SECONDS) * 1000,
    transitions: whole(leaseTransitions, Number.MAX_SAFE_INTEGER - 1),
    fingerprint: JSON.stringify([lease.metadata.uid, spec]),
  };
}

/** Who holds a lease from now on. */
export interface Holding {
  readonly holder: string;
  readonly durationMs: number;
  readonly now: number;
}

/**
 * A lease that somebody takes. Each taking is counted, also by the same holder again: by it a term knows its lease.
 *
 * @param before as it was read; undefined: a new one
 */
export function takenLease(before: KubeObject | undefined, name: string, holding: Holding): KubeObject {
  const acquireTime = microTime(holding.now);
  if (before) return heldLease(before, holding, { acquireTime, leaseTransitions: readLease(before).transitions + 1 });
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: RESOURCES.leases.kind, metadata: { name } };
  return heldLease(lease, holding, { acquireTime, leaseTransitions: 0 });
}

/** A lease that its holder renews. */
export function renewedLease(before: KubeObject, holding: Holding): KubeObject {
  return heldLease(before, holding, {});
}

function heldLease(before: KubeObject, { holder, durationMs, now }: Holding, taken: object): KubeObject {
  return {
    ...before,
    spec: {
      ...(isRecord(before.spec) ? before.spec : {}),
      holderIdentity: holder,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      renewTime: microTime(now),
      ...taken,
    },
  };
}

/** The same lease without a holder: whoever wants it need not wait. */
export function freeLease(before: KubeObject, now: number): KubeObject {
  const spec: Record<string, unknown> = { ...(isRecord(before.spec) ? before.spec : {}), renewTime: microTime(now) };
  Reflect.deleteProperty(spec, 'holderIdentity');
  return { ...before, spec };
}

/** The API server takes exactly six digits. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

function whole(value: unknown, max: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, max) : 0;
}
