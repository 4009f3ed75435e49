import { join } from 'node:path';
import { readBoundedFile } from './boundedFile';
import { isNamespaceName } from './flagValues';
import { UsageError } from './usageError';

/** Where Kubernetes mounts the files of a ServiceAccount. */
export const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Where the program runs. */
export interface Place {
  readonly inCluster: boolean;
  /** That of the Pod, in a cluster whose files tell it. */
  readonly namespace?: string | undefined;
}

/** Kubernetes tells every container where its API server is. */
export function isInCluster(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env.KUBERNETES_SERVICE_HOST ?? '') !== '';
}

/** A namespace that cannot be read is none: whoever needs it says which flag gives one. */
export async function readPlace(
  env: Readonly<Record<string, string | undefined>>,
  directory: string = SERVICE_ACCOUNT_DIR,
): Promise<Place> {
  if (!isInCluster(env)) return { inCluster: false };
  try {
    const text = (await readBoundedFile('The namespace of the Pod', join(directory, 'namespace'), 1024)).trim();
    return { inCluster: true, namespace: isNamespaceName(text) ? text : undefined };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { inCluster: true };
  }
}
