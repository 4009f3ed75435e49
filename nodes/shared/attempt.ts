import { isNavinError, type NavinError } from '../../core/errors';

/** What came of something that may end in an error the caller has an answer to. */
export type Attempt<T> = { readonly value: T; readonly error?: never } | { readonly error: NavinError };

/** The value or the error of core; a stop of the execution and faults of the package are thrown on. */
export async function attempt<T>(action: () => Promise<T>): Promise<Attempt<T>> {
  return await action().then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!isNavinError(error) || error.code === 'k8s_aborted') throw error;
      return { error };
    },
  );
}
