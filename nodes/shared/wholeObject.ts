import { NavinError } from '../../core/errors';
import { type ApiResource, apiVersionOf, isKubeObject, type KubeObject } from '../../core/kube';
import { withoutSecretValues } from './secretValues';

/**
 * An object as the API server has it, but for `managedFields`, which only field managers read, and the values of Secrets.
 * It says its apiVersion and kind, which the API server leaves out in lists.
 * @throws NavinError `k8s_response_invalid` when the server sent something that is no object
 */
export function wholeObject(
  object: KubeObject,
  resource: ApiResource,
  options: { readonly managedFields?: boolean | undefined } = {},
): object {
  const { metadata, ...rest } = withoutSecretValues(checkedObject(object), resource);
  const { managedFields, ...kept } = metadata;
  return {
    ...typeOf(resource),
    ...rest,
    metadata: options.managedFields === true ? { ...kept, managedFields } : kept,
  };
}

/** The metadata of an object that was read without the rest of it. */
export function metadataOf(object: KubeObject, resource: ApiResource): object {
  const { metadata } = withoutSecretValues(checkedObject(object), resource);
  return { ...typeOf(resource), metadata };
}

function typeOf(resource: ApiResource) {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

function checkedObject(object: KubeObject): KubeObject {
  if (isKubeObject(object)) return object;
  throw new NavinError('k8s_response_invalid', 'The answer holds something that is no object');
}
