import { NavinError } from '../errors';
import { KubeApiError, responseError } from './errors';
import { MAX_PAGE_SIZE, type ListOptions, type ListPage } from './lists';
import { checkInteger } from './paths';

/** Options of {@link listPages}. */
export interface PagesOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** Objects a page, default {@link DEFAULT_PAGE_SIZE}. */
  readonly pageSize?: number | undefined;
  /** Ends after so many objects. Default: all. */
  readonly maxItems?: number | undefined;
}

/** Fetches a page; `onToken` may be told the token of the next one before the page is whole. */
export type FetchPage = (options: ListOptions, onToken: (token: string) => void) => Promise<ListPage>;

/** Measured on 10,000 pods: docs/benchmarks.md. Larger pages are hardly faster, but hold more memory. */
export const DEFAULT_PAGE_SIZE = 500;

/**
 * All pages, one after another. The next page is asked for as soon as its token is known, which for built-in kinds is when
 * the first bytes of a page arrive: so the API server works on one page while the one before is read, parsed and used. At
 * most two pages are held beside the one that is used. Leaving the loop early stops the fetch.
 *
 * When the history of the first page expires on the way (410), the list goes on with the token the API server gives for
 * this, and `inconsistent` is true from then on: objects may be missing or old that changed in between. Without such a
 * token the list cannot be finished: `k8s_expired`.
 *
 * @throws NavinError of the requests
 */
export async function* listPages(
  fetchPage: FetchPage,
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
  const start = (token: string | undefined, wanted: number): PageUnderWay =>
    startPage(fetchPage, { ...filter, limit: Math.min(pageSize, wanted), continue: token, signal: stop.signal });
  try {
    let handedOut = 0;
    let inconsistent = false;
    let current: PageUnderWay | undefined = start(undefined, maxItems);
    while (current) {
      // A full page is expected; what it lacks is asked for afterwards.
      const expected: number = handedOut + current.limit;
      const early: string | undefined = expected < maxItems ? await current.token : undefined;
      let next: PageUnderWay | undefined = early === undefined ? undefined : start(early, maxItems - expected);
      const page: ListPage = await current.page;
      inconsistent ||= page.inconsistent;
      const items = page.items.slice(0, maxItems - handedOut);
      handedOut += items.length;
      const token = handedOut < maxItems ? page.continue : undefined;
      if (token !== undefined && token === current.from)
        throw responseError('The API server gives the same page again.');
      if (token !== early) next = token === undefined ? undefined : start(token, maxItems - handedOut);
      yield { ...page, items, inconsistent };
      current = next;
    }
  } finally {
    signal?.removeEventListener('abort', forward);
    stop.abort();
  }
}

/** A page that is being fetched. */
interface PageUnderWay {
  readonly limit: number;
  /** The token it was asked for with. */
  readonly from: string | undefined;
  readonly page: Promise<ListPage>;
  /** The token of the next page, as soon as it is known; undefined when there is none, or no page. */
  readonly token: Promise<string | undefined>;
}

function startPage(fetchPage: FetchPage, options: ListOptions & { readonly limit: number }): PageUnderWay {
  let onToken: (token: string | undefined) => void = () => undefined;
  const token = new Promise<string | undefined>((resolve) => {
    onToken = resolve;
  });
  const page = fetchOrContinue(fetchPage, options, onToken);
  // It is awaited only when the consumer comes back; until then a failure must not count as unhandled.
  page.then(
    (whole) => {
      onToken(whole.continue);
    },
    () => {
      onToken(undefined);
    },
  );
  return { limit: options.limit, from: options.continue, page, token };
}

/** A page; when its token has expired, the same page by the token that the 410 brings. */
async function fetchOrContinue(
  fetchPage: FetchPage,
  options: ListOptions,
  onToken: (token: string) => void,
): Promise<ListPage> {
  try {
    return await fetchPage(options, onToken);
  } catch (error) {
    if (options.continue === undefined || !(error instanceof KubeApiError) || error.code !== 'k8s_expired') throw error;
    if (error.continueToken === undefined) {
      throw new NavinError('k8s_expired', 'The list could not be finished: its history expired while it was read.', {
        hint: 'List again with larger pages or a narrower selector, and use each page faster: clusters keep about five minutes of history.',
        details: error.details,
        cause: error,
      });
    }
    const page = await fetchPage({ ...options, continue: error.continueToken }, onToken);
    return { ...page, inconsistent: true };
  }
}
