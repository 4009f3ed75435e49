import { apiVersionOf, holdsSecrets, type ApiResource } from './apiResource';
import type { NavinError } from '../errors';
import { responseError } from './errors';
import { parseJson } from './json';
import { isRecord, type KubeObject } from './kubeObject';
import { dropManagedFields, isPlain, withoutManagedFields } from './managedFields';
import { PackedItems, unpackList } from './packedItems';
import { checkInteger, collectionPath, queryOf } from './paths';
import type { ApiRequest, Requester } from './requester';

/** What to list. */
export interface ListOptions {
  /** Absent or `*`: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects a page at most, 1 to 10,000. Absent: all at once. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** Only `metadata` of each object (PartialObjectMetadata). */
  readonly metadataOnly?: boolean | undefined;
  /** Leave `metadata.managedFields` out: a third less to parse and to hold. Default false: objects come as they are. */
  readonly dropManagedFields?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One page of a list. */
export interface ListPage<Items = KubeObject[]> {
  /** As the API server sent them: items of built-in kinds have no `apiVersion` and `kind`. */
  readonly items: Items;
  /** Where a watch goes on from here. Of a list in pages it is that of the first page. */
  readonly resourceVersion: string;
  /** Token of the next page; absent on the last. */
  readonly continue?: string;
  /** How many are left; the API server leaves it out with selectors. */
  readonly remainingItemCount?: number;
  /** From here on the list is not of one moment: the history of the first page expired on the way. */
  readonly inconsistent: boolean;
}

/** More objects a page are not asked for. */
export const MAX_PAGE_SIZE = 10_000;

const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** The request for one page. @throws NavinError `k8s_parameter_invalid` */
export function listRequest(resource: ApiResource, options: ListOptions): ApiRequest {
  const namespace = listedNamespace(resource, options.namespace);
  if (options.limit !== undefined) checkInteger('limit', options.limit, 1, MAX_PAGE_SIZE);
  return {
    method: 'GET',
    path: collectionPath(resource, namespace),
    query: queryOf({
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.continue === undefined ? options.resourceVersion : undefined,
      resourceVersionMatch: options.continue === undefined ? options.resourceVersionMatch : undefined,
    }),
    accept: options.metadataOnly ? PARTIAL_LIST : undefined,
    subject: { verb: 'list', group: resource.group, resource: resource.plural, kind: resource.kind, namespace },
    secret: holdsSecrets(resource),
    write: false,
    signal: options.signal,
    reduce: options.dropManagedFields && isPlain(resource) ? withoutManagedFields : undefined,
  };
}

/** The namespace of a list or watch; undefined means all, or that the resource has none. */
export function listedNamespace(resource: ApiResource, namespace: string | undefined): string | undefined {
  return resource.namespaced && namespace !== '*' && namespace !== '' ? namespace : undefined;
}

/** Is told of a page before it is whole. */
export interface PageObserver {
  /** The token of the next page, as soon as it is known. */
  readonly onToken: (token: string) => void;
  /** The bytes of the page, unpacked. */
  readonly onSize: (bytes: number) => void;
}

/** One page. @throws NavinError of the request; `k8s_response_invalid` when the answer is no list. */
export async function listPage(
  requester: Requester,
  resource: ApiResource,
  options: ListOptions,
  observer?: PageObserver,
): Promise<ListPage> {
  const request = listRequest(resource, options);
  const page = parsePage(await requester.json(observer ? observed(request, observer) : request), resource);
  if (options.dropManagedFields) dropManagedFields(page.items);
  return page;
}

/** One page, its objects not parsed yet. @throws NavinError as {@link listPage} */
export async function packedPage(
  requester: Requester,
  resource: ApiResource,
  options: ListOptions,
  observer: PageObserver,
): Promise<ListPage<PackedItems>> {
  const { json, release } = await requester.packedJson(observed(listRequest(resource, options), observer));
  const list = unpackList(json);
  // What is no list is refused; an empty one may have null for its items.
  const page = parsePage(list?.envelope ?? parseJson(json.toString('utf8')), resource);
  if (page.items.length > 0) throw noList(resource);
  const items = new PackedItems(json, list?.ends ?? [], options.dropManagedFields !== true, release);
  return { ...page, items };
}

function observed(request: ApiRequest, observer: PageObserver): ApiRequest {
  return {
    ...request,
    onHead: (head) => {
      const token = tokenInHead(head);
      if (token !== undefined) observer.onToken(token);
    },
    reduce: (json) => {
      observer.onSize(json.length);
      return request.reduce ? request.reduce(json) : json;
    },
  };
}

/** Looks at the list only, not at its items: a page holds a thousand. */
function parsePage(answer: unknown, resource: ApiResource): ListPage {
  const metadata = isRecord(answer) && isRecord(answer.metadata) ? answer.metadata : undefined;
  if (!isRecord(answer) || !metadata || (answer.items !== null && !Array.isArray(answer.items))) {
    throw noList(resource);
  }
  const token = metadata.continue;
  const remaining = metadata.remainingItemCount;
  return {
    // Go writes an empty slice that was never made as null.
    items: (answer.items ?? []) as KubeObject[],
    resourceVersion: typeof metadata.resourceVersion === 'string' ? metadata.resourceVersion : '',
    ...(typeof token === 'string' && token !== '' ? { continue: token } : {}),
    ...(typeof remaining === 'number' ? { remainingItemCount: remaining } : {}),
    inconsistent: false,
  };
}

function noList(resource: ApiResource): NavinError {
  return responseError(`The answer is no list of ${resource.plural} (${apiVersionOf(resource)}).`);
}

/**
 * The token of the next page, from the first bytes of a page: built-in kinds write `metadata` before `items`. Undefined
 * where it is not there (custom resources write it last); then it is known when the page was parsed.
 */
export function tokenInHead(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, 4096);
  return /^\{(?:"(?:kind|apiVersion)":"[\w./-]*",){0,2}"metadata":\{[^{}]*?"continue":"([\w+/=.-]+)"/.exec(text)?.[1];
}
