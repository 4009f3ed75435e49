import { holdsSecrets, type ApiResource } from './apiResource';
import type { ObjectRef } from './kubeObject';
import { objectPath } from './paths';
import type { ApiRequest } from './requester';

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
