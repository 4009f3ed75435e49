import { COMPONENTS, type ManagedComponent } from '../../../../core/components';
import { NavinError } from '../../../../core/errors';
import { isRecord, type KubeClient, type KubeObject } from '../../../../core/kube';

/** One component. */
export interface ComponentRef {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads a component.
 * @throws NavinError `k8s_not_found`: with how to install the definition where that is what is missing
 */
export async function readComponent(client: KubeClient, { namespace, name }: ComponentRef): Promise<ManagedComponent> {
  return asComponent(await served(async () => await client.get(COMPONENTS, { namespace, name })));
}

/** An object as a component: it has a spec. All else of it is read with care. */
export function asComponent(object: KubeObject): ManagedComponent {
  if (isRecord(object.spec)) return object as ManagedComponent;
  throw new NavinError('k8s_response_invalid', 'The answer holds a component without a spec');
}

/**
 * Makes a request about components.
 * @throws NavinError of the request; where the cluster does not know components, one that says how it gets to
 */
export async function served<T>(request: () => Promise<T>): Promise<T> {
  return await request().catch((error: unknown) => Promise.reject(explained(error)));
}

/** The error of a cluster that does not know components says how it gets to. */
export function explained(error: unknown): Error {
  if (error instanceof NavinError && error.code === 'k8s_not_found' && error.details.missing === 'kind') {
    return new NavinError('k8s_not_found', 'The cluster does not know ManagedComponents: their definition is missing', {
      hint: 'An administrator of the cluster installs the Navin Platform Operator with its definition (operator/config, operator/README.md)',
      details: error.details,
      cause: error,
    });
  }
  return error instanceof Error ? error : new Error('not an error');
}
