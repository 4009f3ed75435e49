import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  ILoadOptionsFunctions,
  INodeCredentialTestResult,
  INodeListSearchResult,
} from 'n8n-workflow';

/** What a node requires on first use, as far as the editor calls it. */
interface Run<Target> {
  readonly search: (
    context: ILoadOptionsFunctions,
    what: Target,
    filter: string | undefined,
    token: string | undefined,
  ) => Promise<INodeListSearchResult>;
  readonly test: (credential: ICredentialsDecrypted) => Promise<INodeCredentialTestResult>;
}

type ListSearch = (this: ILoadOptionsFunctions, filter?: string, token?: string) => Promise<INodeListSearchResult>;
type CredentialTest = (
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

/** The methods of a node for the editor, which load what they need when they are called. */
export interface LazyMethods<Target> {
  /** A "From List". */
  readonly searchFor: (what: Target) => ListSearch;
  /** The connection test of the credential. */
  readonly navinKubernetesApiTest: CredentialTest;
}

/**
 * n8n requires the file of a node in every process at start, so it holds the description only.
 *
 * @param load `() => import('./run')`
 */
/* @__NO_SIDE_EFFECTS__ */
export function lazyMethods<Target>(load: () => Promise<Run<Target>>): LazyMethods<Target> {
  return {
    searchFor: (what) =>
      async function (this: ILoadOptionsFunctions, filter?: string, token?: string) {
        const { search } = await load();
        return await search(this, what, filter, token);
      },
    async navinKubernetesApiTest(this: ICredentialTestFunctions, credential) {
      const { test } = await load();
      return await test(credential);
    },
  };
}
