import type { KubeObject } from '../../../core/kube';
import { type FieldChange, fieldChanges, type Shown } from '../../shared/changes';

/** The option of a change to one object that only says what it would do. */
export const TRY_OPTION = {
  displayName: 'Dry Run',
  name: 'dryRun',
  type: 'boolean',
  default: false,
  description: 'Whether to store nothing and say field by field what would change; the API server checks all of it',
} as const;

/** So many changes are listed of an object. */
const MAX_CHANGES = 500;

/** What differs between two states of an object. */
export interface ObjectChanges {
  readonly changes: readonly FieldChange[];
  /** More changes than are listed. */
  readonly truncated?: true;
}

/**
 * What differs between two states of an object, but for its status and what changes with every change.
 * @param before undefined: there is none
 * @param shownOf an object as it may be shown
 */
export function objectChanges(
  before: KubeObject | undefined,
  after: KubeObject,
  shownOf: (object: KubeObject) => KubeObject,
): ObjectChanges {
  const changes = fieldChanges(comparable(before, shownOf), comparable(after, shownOf), MAX_CHANGES);
  return { changes, ...(changes.length < MAX_CHANGES ? {} : { truncated: true }) };
}

/** What the output of a change says when nothing was stored: {@link objectChanges}. Nothing when it was. */
export function tried(
  dryRun: boolean | undefined,
  before: KubeObject,
  after: KubeObject,
  shownOf: (object: KubeObject) => KubeObject = (object) => object,
): Partial<ObjectChanges> & { readonly dryRun?: true } {
  return dryRun === true ? { dryRun: true, ...objectChanges(before, after, shownOf) } : {};
}

/** Fields of `metadata` that change with every change. */
const ALWAYS_NEW: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'uid',
]);

/** The API server counts the templates of a DaemonSet in an annotation, too. */
const TEMPLATE_COUNT = 'deprecated.daemonset.template.generation';

function withoutCount(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== TEMPLATE_COUNT));
}

function comparable(object: KubeObject | undefined, shownOf: (object: KubeObject) => KubeObject): Shown {
  if (object === undefined) return { value: {}, shown: {} };
  return { value: settable(object), shown: settable(shownOf(object)) };
}

/** What of an object a write can change. */
function settable({ metadata, ...object }: KubeObject): object {
  const { annotations } = metadata;
  const noted = annotations === undefined ? metadata : { ...metadata, annotations: withoutCount(annotations) };
  const kept = Object.entries(noted).filter(([field]) => !ALWAYS_NEW.has(field));
  const fields = Object.entries(object).filter(([field]) => !['apiVersion', 'kind', 'status'].includes(field));
  return { metadata: Object.fromEntries(kept), ...Object.fromEntries(fields) };
}
