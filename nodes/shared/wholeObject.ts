import { NavinError } from '../../core/errors';
import { type ApiResource, apiVersionOf, isKubeObject, type KubeObject, type ObjectMeta } from '../../core/kube';
import { withoutSecretValues } from './secretValues';

interface Options {
  readonly managedFields?: boolean | undefined;
}

/**
 * An object as the API server has it, but for `managedFields`, which only field managers read, and the values of Secrets.
 * It says its apiVersion and kind, which the API server leaves out in lists.
 * @throws NavinError `k8s_response_invalid` when the server sent something that is no object
 */
export function wholeObject(object: KubeObject, resource: ApiResource, options: Options = {}): object {
  const { metadata, ...rest } = withoutSecretValues(checkedObject(object), resource);
  return { ...typeOf(resource), ...rest, metadata: keptOf(metadata, options) };
}

/** The metadata of an object that was read without the rest of it. @throws as {@link wholeObject} */
export function metadataOf(object: KubeObject, resource: ApiResource, options: Options = {}): object {
  const { metadata } = withoutSecretValues(checkedObject(object), resource);
  return { ...typeOf(resource), metadata: keptOf(metadata, options) };
}

function typeOf(resource: ApiResource) {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

function keptOf({ managedFields, ...metadata }: ObjectMeta, options: Options): object {
  return options.managedFields === true ? { ...metadata, managedFields } : metadata;
}

/** An object of a list, of which nothing is known but the word of the server. @throws as {@link wholeObject} */
export function checkedObject(object: KubeObject): KubeObject {
  if (isKubeObject(object)) return object;
  throw new NavinError('k8s_response_invalid', 'The answer holds something that is no object');
}
