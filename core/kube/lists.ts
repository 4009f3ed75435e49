import { apiVersionOf, holdsSecrets, type ApiResource } from './apiResource';
import { KubeApiError, responseError } from './errors';
import { isRecord, type KubeObject } from './kubeObject';
import { NavinError } from '../errors';
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
  readonly signal?: AbortSignal | undefined;
}

/** One page of a list. */
export interface ListPage {
  /** As the API server sent them: items of built-in kinds have no `apiVersion` and `kind`. */
  readonly items: KubeObject[];
  /** Where a watch goes on from here. Of a list in pages it is that of the first page. */
  readonly resourceVersion: string;
  /** Token of the next page; absent on the last. */
  readonly continue?: string;
  /** How many are left; the API server leaves it out with selectors. */
  readonly remainingItemCount?: number;
  /** From here on the list is not of one moment: the history of the first page expired on the way. */
  readonly inconsistent: boolean;
}

/** Options of `pages`. */
export interface PagesOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** Objects a page, default {@link DEFAULT_PAGE_SIZE}. */
  readonly pageSize?: number | undefined;
  /** Ends after so many objects. Default: all. */
  readonly maxItems?: number | undefined;
}

/**
 * Measured on 10,000 pods (docs/benchmarks.md): 500, 1,000 and 2,000 take 1 : 0.93 : 0.90 of the time, while the memory
 * of a page grows with it. 1,000 is the largest whose peak stays within the budget with the next page under way.
 */
export const DEFAULT_PAGE_SIZE = 1000;
const MAX_PAGE_SIZE = 10_000;

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
  };
}

/** The namespace of a list or watch; undefined means all, or that the resource has none. */
export function listedNamespace(resource: ApiResource, namespace: string | undefined): string | undefined {
  return resource.namespaced && namespace !== '*' && namespace !== '' ? namespace : undefined;
}

/** One page. @throws NavinError of the request; `k8s_response_invalid` when the answer is no list. */
export async function listPage(requester: Requester, resource: ApiResource, options: ListOptions): Promise<ListPage> {
  return parsePage(await requester.json(listRequest(resource, options)), resource);
}

/** Looks at the list only, not at its items: pages hold thousands. */
function parsePage(answer: unknown, resource: ApiResource): ListPage {
  const metadata = isRecord(answer) && isRecord(answer.metadata) ? answer.metadata : undefined;
  if (!isRecord(answer) || !metadata || (answer.items !== null && !Array.isArray(answer.items))) {
    throw responseError(`The answer is no list of ${resource.plural} (${apiVersionOf(resource)}).`);
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

/**
 * All pages, one after another; the next is fetched while the last is used, so at most two are in memory. Leaving the
 * loop early stops the fetch.
 *
 * When the history of the first page expires on the way (410), the list goes on with the token the API server gives for
 * this, and `inconsistent` is true from then on: objects may be missing or old that changed in between. Without such a
 * token the list cannot be finished: `k8s_expired`.
 *
 * @throws NavinError of the requests
 */
export async function* listPages(
  fetchPage: (options: ListOptions) => Promise<ListPage>,
  options: PagesOptions,
): AsyncGenerator<ListPage, void, undefined> {
  const { pageSize = DEFAULT_PAGE_SIZE, maxItems = Number.POSITIVE_INFINITY, signal, ...filter } = options;
  checkInteger('pageSize', pageSize, 1, MAX_PAGE_SIZE);
  if (maxItems !== Number.POSITIVE_INFINITY) checkInteger('maxItems', maxItems, 0, Number.MAX_SAFE_INTEGER);
  if (maxItems === 0) return;
  const stop = new AbortController();
  const forward = (): void => {
    stop.abort();
  };
  if (signal?.aborted) stop.abort();
  signal?.addEventListener('abort', forward, { once: true });
  const fetch = (token: string | undefined, wanted: number): Promise<ListPage> => {
    const page = fetchOrContinue(fetchPage, {
      ...filter,
      limit: Math.min(pageSize, wanted),
      continue: token,
      signal: stop.signal,
    });
    // It is awaited only when the consumer comes back; until then a failure must not count as unhandled.
    page.catch(() => undefined);
    return page;
  };
  try {
    let handedOut = 0;
    let inconsistent = false;
    let lastToken: string | undefined;
    let next: Promise<ListPage> | undefined = fetch(undefined, maxItems);
    while (next) {
      const page: ListPage = await next;
      inconsistent ||= page.inconsistent;
      const items = page.items.slice(0, maxItems - handedOut);
      handedOut += items.length;
      const token = handedOut < maxItems ? page.continue : undefined;
      if (token !== undefined && token === lastToken) throw responseError('The API server gives the same page again.');
      lastToken = token;
      next = token === undefined ? undefined : fetch(token, maxItems - handedOut);
      yield { ...page, items, inconsistent };
    }
  } finally {
    signal?.removeEventListener('abort', forward);
    stop.abort();
  }
}

/** A page; when its token has expired, the same page by the token that the 410 brings. */
async function fetchOrContinue(
  fetchPage: (options: ListOptions) => Promise<ListPage>,
  options: ListOptions,
): Promise<ListPage> {
  try {
    return await fetchPage(options);
  } catch (error) {
    if (options.continue === undefined || !(error instanceof KubeApiError) || error.code !== 'k8s_expired') throw error;
    if (error.continueToken === undefined) {
      throw new NavinError('k8s_expired', 'The list could not be finished: its history expired while it was read.', {
        hint: 'List again with larger pages or a narrower selector, and use each page faster: clusters keep about five minutes of history.',
        details: error.details,
        cause: error,
      });
    }
    const page = await fetchPage({ ...options, continue: error.continueToken });
    return { ...page, inconsistent: true };
  }
}
