import { holdsSecrets, type ApiResource } from './apiResource';
import type { ObjectRef } from './kubeObject';
import { objectPath } from './paths';
import type { ApiRequest } from './requester';

/** Options of a read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** False: no further request finds out whether it is the namespace that is missing. */
  readonly looksForNamespace?: boolean | undefined;
}

/** GET of one object or of a subresource. @throws NavinError `k8s_parameter_invalid` */
export function readObjectRequest(
  resource: ApiResource,
  ref: ObjectRef & { readonly namespace: string | undefined },
  signal: AbortSignal | undefined,
): ApiRequest {
  return {
    method: 'GET',
    path: objectPath(resource, ref),
    subject: {
      verb: 'get',
      group: resource.group,
      resource: resource.plural,
      kind: resource.kind,
      subresource: ref.subresource,
      namespace: ref.namespace,
      name: ref.name,
    },
    secret: holdsSecrets(resource),
    write: false,
    signal,
  };
}
