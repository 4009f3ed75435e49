import { NavinError } from '../errors';
import type { ApiResource, KubeClient, KubeObject, ObjectMeta } from '../kube';
import { isRecord } from '../kube';
import { controllerReference, type Owner } from './owner';

/** What an apply is made with. */
export interface ApplyMeans {
  readonly client: Pick<KubeClient, 'patch'>;
  readonly fieldManager: string;
  readonly owner: Owner;
  readonly signal?: AbortSignal | undefined;
}

/**
 * No object has this version, so an apply that carries it makes the object or ends in a conflict: without it, an object
 * that somebody made a moment ago would be changed (seen on Kubernetes 1.37).
 */
const NEVER = '1';

/**
 * Server-side apply of one object for an owner, without force. An object that exists is changed only if it still is the
 * one that was read (uid and resourceVersion), one that does not exist is only made.
 */
export function applyObject(
  means: ApplyMeans,
  resource: ApiResource,
  wanted: KubeObject,
  live: KubeObject | undefined,
  options: { readonly dryRun: boolean },
): Promise<KubeObject> {
  const { client, fieldManager, owner, signal } = means;
  const { name, namespace } = wanted.metadata;
  if (name === undefined || name === '') {
    throw new NavinError('k8s_parameter_invalid', 'An object without a name cannot be applied.');
  }
  const body = {
    ...wanted,
    metadata: {
      ...wanted.metadata,
      ownerReferences: [controllerReference(owner)],
      ...(live ? versionOf(live.metadata) : { resourceVersion: NEVER }),
    },
  };
  return client.patch(resource, { name, namespace }, { type: 'apply', body }, { fieldManager, signal, ...options });
}

function versionOf({ uid, resourceVersion }: ObjectMeta): Pick<ObjectMeta, 'uid' | 'resourceVersion'> {
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

/** Fields of `metadata` that only the API server sets. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
  'ownerReferences',
  'generateName',
]);
const NAMESPACE: ReadonlySet<string> = new Set(['namespace']);
const STATUS: ReadonlySet<string> = new Set(['status']);

/**
 * A rendered object as it can be applied: in its namespace, without status, without what only the API server sets, and
 * without nulls, which an apply takes for values (kubernetes#108234).
 */
export function applicable(rendered: KubeObject, namespace: string | undefined): KubeObject {
  const metadata = without(rendered.metadata, SERVER_FIELDS);
  const placed = namespace === undefined ? without(metadata, NAMESPACE) : { ...metadata, namespace };
  return withoutNulls({ ...without(rendered, STATUS), metadata: placed }) as KubeObject;
}

/** An object but for some fields. */
export function without(object: object, fields: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !fields.has(name)));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) =>
      entry === null || entry === undefined ? [] : [[name, withoutNulls(entry)]],
    ),
  );
}
