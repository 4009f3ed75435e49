import { apiVersionOf, RESOURCES, type ApiResource } from '../../../core/kube';
import type { ServerObject } from '../../cluster';

/** A light kind that objects of a run have. */
export interface ObjectKind {
  readonly resource: ApiResource;
  /** The field that changes. */
  readonly field: string;
  /** Path of the collection; without a namespace of all of them. */
  path(namespace?: string): string;
  /** An object as it is created. */
  body(name: string, pick: string, note: string): object;
  /** A merge patch that changes the field. */
  change(note: string): object;
  /** Tells two contents apart: the generation, or where there is none, the content. */
  markOf(object: ServerObject): string;
}

/** The label that a run's selector looks at. */
export const PICK_LABEL = 'navin.test/pick';

export type KindName = 'configmaps' | 'networkpolicies';

function kindOf(resource: ApiResource, rest: Pick<ObjectKind, 'field' | 'change' | 'markOf'>): ObjectKind {
  const version = apiVersionOf(resource);
  const root = resource.group === '' ? `/api/${version}` : `/apis/${version}`;
  return {
    ...rest,
    resource,
    path: (namespace) =>
      namespace === undefined ? `${root}/${resource.plural}` : `${root}/namespaces/${namespace}/${resource.plural}`,
    body: (name, pick, note) => ({ metadata: { name, labels: { [PICK_LABEL]: pick } }, ...rest.change(note) }),
  };
}

/** One kind without generations, and one with. No controller writes to either. */
export const KINDS: Readonly<Record<KindName, ObjectKind>> = {
  configmaps: kindOf(RESOURCES.configmaps, {
    field: 'data.note',
    change: (note) => ({ data: { note } }),
    markOf: ({ data }) => JSON.stringify(data ?? {}),
  }),
  networkpolicies: kindOf(RESOURCES.networkpolicies, {
    field: 'spec.podSelector.matchLabels.note',
    change: (note) => ({ spec: { podSelector: { matchLabels: { note } } } }),
    markOf: ({ metadata }) => String(metadata.generation ?? 0),
  }),
};
