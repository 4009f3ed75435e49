import { isNavinError } from '../errors';
import { KubeApiError, type FieldConflict, type KubeObject } from '../kube';
import { differingPaths, valueAt } from './differences';

/**
 * Why an object cannot be applied until somebody changes something. Everything else that goes wrong is an error, and is
 * tried again.
 *
 * `ForbiddenKind`, `ForbiddenNamespace`: not on the list, not in the scope. `UnknownKind`: the cluster does not serve it.
 * `DuplicateObject`: rendered twice. `ObjectOwned`: it exists and is not controlled by this owner. `Terminating`: it is
 * being deleted. `ApplyConflict`: other managers own fields. `ImmutableField`: it would have to be made anew, which never
 * happens. `ApplyRefused`: the API server
 * refuses it.
 */
export type RefusalReason =
  | 'ForbiddenKind'
  | 'ForbiddenNamespace'
  | 'UnknownKind'
  | 'DuplicateObject'
  | 'ObjectOwned'
  | 'Terminating'
  | 'ApplyConflict'
  | 'ImmutableField'
  | 'ApplyRefused';

/** A refusal, safe to show: it holds no values. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
  /** Fields that others own. */
  readonly conflicts?: readonly FieldConflict[];
  /** Fields that may not change, or are not valid. */
  readonly paths?: readonly string[];
}

/** How validation of the API server words it; there is no code for it (apimachinery, `ValidateImmutableField` and others). */
const IMMUTABLE =
  /\bimmutable\b|\bmay not (?:be )?change|\bcan(?:not| ?not be) change|\bcan only be modified in tandem\b|^updates to .{1,200} are forbidden/i;

/** Reads the refusal out of an error of an apply; undefined when it is none. @param live what exists */
export function refusalOf(error: unknown, wanted: KubeObject, live: KubeObject | undefined): Refusal | undefined {
  if (!(error instanceof KubeApiError)) return undefined;
  if (error.conflicts.length > 0) {
    return { reason: 'ApplyConflict', message: error.message, conflicts: error.conflicts };
  }
  // A right, a quota, an admission policy: nothing that passes by itself.
  if (error.code === 'k8s_forbidden') return { reason: 'ApplyRefused', message: error.message };
  if (error.code !== 'k8s_invalid') return undefined;
  const fields = error.causes.flatMap(({ field }) => field ?? []);
  const immutable = live && error.causes.filter((cause) => IMMUTABLE.test(cause.message ?? ''));
  if (!live || !immutable || immutable.length === 0) {
    return { reason: 'ApplyRefused', message: error.message, paths: [...new Set(fields)] };
  }
  const paths = immutable.flatMap(({ field }) => exactPaths(field ?? '', wanted, live));
  return { reason: 'ImmutableField', message: error.message, paths: [...new Set(paths)] };
}

/**
 * Whether what was read is no longer what is there, so that it is worth reading again. An apply that was to make an object
 * and meets a conflict of any kind has met one that exists.
 */
export function isStale(error: unknown, live: KubeObject | undefined): boolean {
  if (!isNavinError(error)) return false;
  if (!(error instanceof KubeApiError)) return error.code === 'k8s_conflict';
  if (error.causes.some(({ field }) => field === 'metadata.uid')) return true;
  return error.code === 'k8s_conflict' && (live === undefined || error.conflicts.length === 0);
}

/** Of a StatefulSet these may change, whatever else the API server says about its whole spec. */
const MUTABLE: ReadonlySet<string> = new Set(
  [
    'replicas',
    'ordinals',
    'template',
    'updateStrategy',
    'revisionHistoryLimit',
    'persistentVolumeClaimRetentionPolicy',
    'minReadySeconds',
  ].map((name) => `spec.${name}`),
);

/** The API server names a field that may be as coarse as `spec`: which ones differ below it is found by comparing. */
function exactPaths(field: string, wanted: KubeObject, live: KubeObject): readonly string[] {
  const differing = differingPaths(valueAt(wanted, field), valueAt(live, field), field);
  const fixed = differing.filter(
    (path) => wanted.kind !== 'StatefulSet' || !MUTABLE.has(path.split(/[.[]/, 2).join('.')),
  );
  return fixed.length > 0 ? fixed : [field];
}
