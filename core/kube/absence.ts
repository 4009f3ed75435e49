import { isNavinError } from '../errors';

/** Whether there is no such object, namespace or kind. */
export function isNotFound(error: unknown): error is Error & { readonly details: { readonly missing?: unknown } } {
  return isNavinError(error) && error.code === 'k8s_not_found';
}

/** What was asked for; undefined when there is no such object, namespace or kind. @throws any other error */
export async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
