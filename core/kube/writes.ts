import { apiVersionOf, holdsSecrets, type ApiResource } from './apiResource';
import { parameterError } from './errors';
import { isRecord, type ObjectRef } from './kubeObject';
import { checkInteger, collectionPath, objectPath, queryOf } from './paths';
import type { ApiRequest } from './requester';

/** Who the API server notes as owner of the fields we set, unless a caller says otherwise. */
export const FIELD_MANAGER = 'navin';

/** Options of a change. */
export interface WriteOptions {
  /** Everything is checked, nothing is stored. */
  readonly dryRun?: boolean | undefined;
  /** Default `navin`. */
  readonly fieldManager?: string | undefined;
  /** What happens to unknown fields: `Strict` refuses them. Default: the API server's (`Warn`: they are dropped). */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A patch, by its type. */
export type Patch =
  /** RFC 7386. */
  | { readonly type: 'merge'; readonly body: object }
  /** Kubernetes' own: lists are merged by key. Built-in kinds only. */
  | { readonly type: 'strategic'; readonly body: object }
  /** RFC 6902. */
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  /** Server-side apply. `force` takes fields over that others own. */
  | { readonly type: 'apply'; readonly body: object; readonly force?: boolean };

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Options of a deletion. */
export interface DeleteOptions extends Pick<WriteOptions, 'dryRun' | 'signal'> {
  /** What happens to what it owns. Default: that of the resource. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** Seconds to end in; 0 ends at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Deletes only this very object. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** Where a new object goes; with `name` and `subresource` it is created on an object (eviction, token). */
export interface CreateRef {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

const PATCH_TYPES: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  // JSON is YAML.
  apply: 'application/apply-patch+yaml',
};

type Placed<T> = T & { readonly namespace: string | undefined };

/** POST. @throws NavinError `k8s_parameter_invalid` */
export function createRequest(
  resource: ApiResource,
  ref: Placed<CreateRef>,
  body: object,
  options: WriteOptions,
): ApiRequest {
  const { name, subresource } = ref;
  if (subresource !== undefined && name === undefined)
    throw parameterError('name', 'A subresource needs the name of its object.');
  const path =
    name !== undefined && subresource !== undefined
      ? objectPath(resource, { ...ref, name })
      : collectionPath(resource, ref.namespace);
  const metadata = isRecord(body) && isRecord(body.metadata) ? body.metadata : {};
  const bodyName = typeof metadata.name === 'string' ? metadata.name : undefined;
  return {
    ...writeParts(resource, { ...ref, name: name ?? bodyName }, 'create', options),
    method: 'POST',
    path,
    query: writeQuery(options),
    body: { contentType: 'application/json', value: body },
  };
}

/** PUT. @throws NavinError `k8s_parameter_invalid` */
export function replaceRequest(
  resource: ApiResource,
  ref: Placed<ObjectRef>,
  body: object,
  options: WriteOptions,
): ApiRequest {
  return {
    ...writeParts(resource, ref, 'update', options),
    method: 'PUT',
    path: objectPath(resource, ref),
    query: writeQuery(options),
    body: { contentType: 'application/json', value: body },
  };
}

/** PATCH. @throws NavinError `k8s_parameter_invalid` */
export function patchRequest(
  resource: ApiResource,
  ref: Placed<ObjectRef>,
  patch: Patch,
  options: WriteOptions,
): ApiRequest {
  const force = patch.type === 'apply' && patch.force === true ? { force: true } : {};
  return {
    ...writeParts(resource, ref, 'patch', options),
    method: 'PATCH',
    path: objectPath(resource, ref),
    query: writeQuery(options, force),
    body: {
      contentType: PATCH_TYPES[patch.type],
      value: patch.type === 'apply' ? completeForApply(resource, ref, patch.body) : patch.body,
    },
  };
}

/** An apply names its type and object itself; what is missing is filled in, what differs is for the API server to refuse. */
function completeForApply(resource: ApiResource, ref: Placed<ObjectRef>, body: object): object {
  const given = isRecord(body) ? body : {};
  const metadata = isRecord(given.metadata) ? given.metadata : {};
  if (ref.subresource !== undefined) return given;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...given,
    metadata: { name: ref.name, ...metadata },
  };
}

/** DELETE. It answers the object as it ends, or a Status of success when it is gone at once. @throws NavinError `k8s_parameter_invalid` */
export function deleteRequest(resource: ApiResource, ref: Placed<ObjectRef>, options: DeleteOptions): ApiRequest {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  if (gracePeriodSeconds !== undefined) checkInteger('gracePeriodSeconds', gracePeriodSeconds, 0, 2 ** 31 - 1);
  return {
    ...writeParts(resource, ref, 'delete', options),
    method: 'DELETE',
    path: objectPath(resource, ref),
    body: {
      contentType: 'application/json',
      value: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
        ...(preconditions === undefined ? {} : { preconditions }),
        ...(dryRun ? { dryRun: ['All'] } : {}),
      },
    },
  };
}

/** The parts all changes share. A dry run stores nothing: it may be repeated like a read. */
function writeParts(
  resource: ApiResource,
  ref: Placed<CreateRef>,
  verb: string,
  options: Pick<WriteOptions, 'dryRun' | 'signal'>,
): Pick<ApiRequest, 'subject' | 'secret' | 'write' | 'signal'> {
  return {
    subject: {
      verb,
      group: resource.group,
      resource: resource.plural,
      kind: resource.kind,
      subresource: ref.subresource,
      namespace: resource.namespaced ? ref.namespace : undefined,
      name: ref.name,
    },
    secret: holdsSecrets(resource),
    write: options.dryRun !== true,
    signal: options.signal,
  };
}

function writeQuery(options: WriteOptions, more: Readonly<Record<string, boolean>> = {}): URLSearchParams {
  return queryOf({
    fieldManager: options.fieldManager ?? FIELD_MANAGER,
    dryRun: options.dryRun ? 'All' : undefined,
    fieldValidation: options.fieldValidation,
    ...more,
  });
}
