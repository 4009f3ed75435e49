import { NavinError } from '../errors';
import { KubeApiError, responseError } from './errors';
import type { Requester } from './requester';

/** A check of the API server about itself. */
export interface HealthCheck {
  /** For instance `etcd` or `poststarthook/rbac/bootstrap-roles`. */
  readonly name: string;
  readonly ok: boolean;
}

/** What the API server says of itself. */
export interface Health {
  readonly ok: boolean;
  readonly checks: readonly HealthCheck[];
}

/** `readyz`: whether it may be asked; `livez`: whether it should be restarted. */
export type HealthEndpoint = 'readyz' | 'livez';

/**
 * The checks of the API server. A check that fails is an answer, not an error; why it fails is withheld by the server.
 * @throws NavinError `k8s_forbidden` where the cluster has taken the right from everybody
 */
export async function readHealth(
  requester: Requester,
  endpoint: HealthEndpoint,
  signal?: AbortSignal,
): Promise<Health> {
  try {
    const { status, text } = await requester.text({
      method: 'GET',
      path: `/${endpoint}`,
      query: new URLSearchParams({ verbose: 'true' }),
      accept: 'text/plain',
      write: false,
      alsoGood: [500],
      signal,
    });
    const checks = parseChecks(text);
    if (checks.length === 0) throw responseError('The answer holds no health checks.');
    return { ok: status === 200, checks };
  } catch (error) {
    throw error instanceof KubeApiError && error.code === 'k8s_forbidden' ? forbiddenHealth(endpoint) : error;
  }
}

/** `[+]ping ok`, `[-]etcd failed: reason withheld`; what is no check is left out. */
export function parseChecks(text: string): readonly HealthCheck[] {
  return [...text.matchAll(/^\[([+-])\]([A-Za-z0-9][A-Za-z0-9./_-]{0,252}) /gm)].map(([, sign, name = '']) => ({
    name,
    ok: sign === '+',
  }));
}

function forbiddenHealth(endpoint: HealthEndpoint): NavinError {
  return new NavinError('k8s_forbidden', 'The credential may not read the health checks of the API server.', {
    hint: `Bind the ClusterRole system:public-info-viewer, which every cluster has, or one with this rule:\n  - nonResourceURLs: [/${endpoint}]\n    verbs: [get]`,
    details: { verb: 'get', path: `/${endpoint}` },
  });
}
