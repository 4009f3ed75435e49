import type { ReceivedRequest } from '..';

/** A change that an operator asks for. */
export interface Change {
  readonly kind: 'lease' | 'status' | 'finalizers' | 'apply' | 'replicas' | 'delete' | 'other';
  /** `deployments/web` */
  readonly object: string;
  readonly isDryRun: boolean;
  readonly body: Body;
}

/** What the rules of changes look at. */
export interface Body {
  readonly metadata?: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly finalizers?: readonly string[];
  };
  readonly preconditions?: { readonly uid?: string };
  readonly status?: unknown;
}

/** What a request changes; undefined: nothing, it only reads. */
export function changeOf({ method, url, body }: ReceivedRequest): Change | undefined {
  if (method === 'GET') return undefined;
  const { pathname, searchParams: query } = new URL(url, 'https://server');
  const parts = pathname.split('/').filter((part) => part !== '');
  const [plural = '', name = '', subresource = ''] = parts.slice(parts[0] === 'api' ? 4 : 5);
  const parsed = body === '' ? {} : (JSON.parse(body) as Body);
  const isDryRun = query.get('dryRun') === 'All';
  const common = { object: `${plural}/${name}`, isDryRun, body: parsed };
  if (plural === 'leases') return { ...common, kind: 'lease' };
  if (method === 'DELETE') return { ...common, kind: 'delete' };
  if (plural === 'managedcomponents') return { ...common, kind: subresource === 'status' ? 'status' : 'finalizers' };
  if (method !== 'PATCH') return { ...common, kind: 'other' };
  return { ...common, kind: query.get('fieldManager')?.endsWith('-handover') === true ? 'replicas' : 'apply' };
}

/**
 * What a change lacks that would keep it from somebody else's work: the version that was seen, so that the API server
 * refuses it when there is another one by now.
 */
export function unguarded({ kind, body }: Change): string | undefined {
  const { uid, resourceVersion } = body.metadata ?? {};
  switch (kind) {
    case 'lease':
      return undefined;
    case 'delete':
      return body.preconditions?.uid === undefined ? 'a uid' : undefined;
    case 'status':
    case 'finalizers':
    case 'apply':
    case 'replicas':
      if (resourceVersion === undefined) return 'a version';
      // No object has the version 1: an apply that carries it makes one, or nothing.
      return uid === undefined && resourceVersion !== '1' ? 'a uid' : undefined;
    case 'other':
      return 'a place in this list';
  }
}
