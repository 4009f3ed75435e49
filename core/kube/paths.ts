import type { ApiResource } from './apiResource';
import { parameterError } from './errors';
import type { ObjectRef } from './kubeObject';

const MAX_NAME = 1024;
const MAX_SELECTOR = 16 * 1024;

/** Where objects of a resource are created and listed; `namespace` undefined means all namespaces. */
export function collectionPath(resource: ApiResource, namespace: string | undefined): string {
  const group = resource.group === '' ? '/api' : `/apis/${segment('group', resource.group)}`;
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${checkNamespace(namespace)}` : '';
  return `${group}/${segment('version', resource.version)}${scope}/${segment('resource', resource.plural)}`;
}

/** Where one object, or a subresource of it, is. */
export function objectPath(resource: ApiResource, ref: ObjectRef & { readonly namespace: string | undefined }): string {
  const subresource = ref.subresource === undefined ? '' : `/${segment('subresource', ref.subresource)}`;
  return `${collectionPath(resource, ref.namespace)}/${segment('name', ref.name)}${subresource}`;
}

/**
 * A name as one encoded segment of a path. What could become another path is refused before a request is made: empty,
 * `.`, anything with `..`, `/` or `%` (Kubernetes refuses these names itself), control characters, half surrogates.
 *
 * @throws NavinError `k8s_parameter_invalid`
 */
export function segment(parameter: string, name: string): string {
  const bad =
    name === '' ||
    name === '.' ||
    name.includes('..') ||
    name.length > MAX_NAME ||
    /[/%\u0000-\u0020\u007f-\u009f]/.test(name) ||
    /\p{Surrogate}/u.test(name);
  if (bad) {
    throw parameterError(
      parameter,
      `The ${parameter} cannot be used: it must not be empty and must not hold "..", "/", "%", spaces or control characters.`,
    );
  }
  return encodeURIComponent(name);
}

/** @throws NavinError `k8s_parameter_invalid` when it is no DNS label (RFC 1123), as every namespace is. */
export function checkNamespace(namespace: string): string {
  if (/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return namespace;
  throw parameterError(
    'namespace',
    'The namespace cannot be used: it consists of at most 63 small letters, digits and "-", and begins and ends with a letter or digit.',
  );
}

/** The query of a list or watch: what is not given is left out. @throws NavinError `k8s_parameter_invalid` */
export function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    const text = String(value);
    if (text.length > MAX_SELECTOR)
      throw parameterError(name, `The ${name} is longer than ${MAX_SELECTOR} characters.`);
    query.set(name, text);
  }
  return query;
}

/** @throws NavinError `k8s_parameter_invalid` unless it is a whole number in the range. */
export function checkInteger(parameter: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw parameterError(parameter, `The ${parameter} must be a whole number from ${min} to ${max}.`);
}
