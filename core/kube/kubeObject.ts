/** Metadata of an object as the API server sends it; fields we do not name are kept. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Opaque. Compared as a decimal string by {@link compareResourceVersions}, never as a number. */
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: unknown;
  readonly [field: string]: unknown;
}

/** The owner of an object: what deletes it with itself. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object of the API, as raw JSON: no field is dropped. Items of built-in lists carry no `apiVersion` and `kind`. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Which object. A namespaced resource without `namespace` means the namespace of the target. */
export interface ObjectRef {
  readonly namespace?: string | undefined;
  readonly name: string;
  /** For instance `status`, `scale`, `eviction`. */
  readonly subresource?: string | undefined;
}

/** Narrows an unknown value to a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has the least an object of the API must have. */
export function isKubeObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value.metadata);
}

/**
 * Which of two resourceVersions of one resource is newer (KEP-5504): digits without a leading zero are compared by
 * length, then character by character; they may have up to 39 digits. `undefined` when one of them is of another form
 * (older servers, odd aggregated APIs): such versions can only be compared for equality.
 */
export function compareResourceVersions(left: string, right: string): -1 | 0 | 1 | undefined {
  if (left === right) return 0;
  if (!/^[1-9]\d*$/.test(left) || !/^[1-9]\d*$/.test(right)) return undefined;
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  return left < right ? -1 : 1;
}
