import type { AccessAttributes } from './rbac';
import { oneLine } from './serverText';

/** What a request is about, for its errors: the right it needs, and the kind in words. */
export interface RequestSubject extends AccessAttributes {
  /** For instance `Pod`; absent: the plural name of the resource stands for it. */
  readonly kind?: string | undefined;
}

/** `Pod "web-1" in namespace "shop"`, `pods in all namespaces`, `Node "n1"`. */
export function describeSubject(subject: RequestSubject, namespaced = subject.namespace !== undefined): string {
  const kind = subject.kind ?? subject.resource;
  const part = subject.subresource ? `${subject.subresource} of ` : '';
  if (subject.name !== undefined) return `${part}${kind} ${quoted(subject.name)}${place(subject.namespace)}`;
  if (subject.verb === 'create') return `${part}a ${kind}${place(subject.namespace)}`;
  return `${part}${subject.resource}${namespaced ? place(subject.namespace) : ''}`;
}

function place(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`;
}

/** A name in quotation marks, on one line and bounded. */
export function quoted(name: string): string {
  return `"${oneLine(name, 253) ?? ''}"`;
}

/** The words for a verb of Kubernetes: `list` reads as itself, `update` as "replace". */
export function describeVerb(verb: string): string {
  const words: Record<string, string> = { get: 'read', update: 'replace', patch: 'change', deletecollection: 'delete' };
  return words[verb] ?? verb;
}
