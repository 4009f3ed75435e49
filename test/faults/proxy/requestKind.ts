/** What a request to the API server is about. */
export interface RequestKind {
  readonly kind: 'watch' | 'list' | 'read';
  /** The namespace; '' is all, or a resource without namespaces. */
  readonly scope: string;
  /** resourceVersion and token of the query. */
  readonly version: string;
  readonly token: string | undefined;
  readonly timeoutSeconds: number;
}

/** Reads a request: `/api/v1/namespaces/shop/pods?watch=1` is a watch of `shop`. */
export function requestKind(url: string): RequestKind {
  const { pathname, searchParams: query } = new URL(url, 'https://server');
  const parts = pathname.split('/').filter((part) => part !== '');
  const places = parts.slice(parts[0] === 'api' ? 2 : 3);
  // A collection has a name at the end of an odd row: pods; namespaces, shop, pods.
  const collection = places.length % 2 === 1;
  const watch = ['1', 'true'].includes(query.get('watch') ?? '');
  return {
    kind: !collection ? 'read' : watch ? 'watch' : 'list',
    scope: places[0] === 'namespaces' && places.length > 2 ? (places[1] ?? '') : '',
    version: query.get('resourceVersion') ?? '',
    token: query.get('continue') ?? undefined,
    timeoutSeconds: Number(query.get('timeoutSeconds') ?? 0),
  };
}

/** The same list in pages of so many objects at most: a server may give fewer than were asked for. */
export function limited(url: string, most: number): string {
  const parsed = new URL(url, 'https://server');
  if (Number(parsed.searchParams.get('limit') ?? 0) > most) parsed.searchParams.set('limit', String(most));
  return `${parsed.pathname}${parsed.search}`;
}
