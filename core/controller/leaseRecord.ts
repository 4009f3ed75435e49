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

/** A lease that somebody takes or renews. @param before as it was read; undefined: a new one */
export function heldLease(
  before: KubeObject | undefined,
  held: { readonly name: string; readonly holder: string; readonly durationMs: number; readonly now: number },
): KubeObject {
  const { name, holder, durationMs, now } = held;
  const spec = isRecord(before?.spec) ? before.spec : {};
  const known = before && readLease(before);
  const renewal = known?.holder === holder;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: RESOURCES.leases.kind,
    metadata: before?.metadata ?? { name },
    spec: {
      ...spec,
      holderIdentity: holder,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      acquireTime: renewal ? (spec.acquireTime ?? microTime(now)) : microTime(now),
      renewTime: microTime(now),
      leaseTransitions: (known?.transitions ?? 0) + (known === undefined || renewal ? 0 : 1),
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
