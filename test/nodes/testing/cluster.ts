import { afterAll, beforeAll, jest } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Cluster, ServiceAccountOptions } from '../../cluster';
import { sharedCluster } from '../../cluster/jest';

/** The real cluster of a test file, with a namespace of its own. */
export interface TestCluster {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** A credential with all rights in the namespace of the test. */
  readonly credential: ICredentialDataDecryptedObject;
}

/**
 * Gives a test file a cluster and a namespace of its own, and lets the egress policy admit the cluster.
 * @param prefix begins the name of the namespace
 * @param of the cluster; the shared one when none is given
 */
export function useTestCluster(prefix: string, of: () => Cluster = sharedCluster()): () => TestCluster {
  // Pods take seconds to run, and the machine may be busy: a bound against hanging only.
  jest.setTimeout(120_000);
  const before = process.env.NAVIN_DEV_API_SERVER;
  let test: TestCluster | undefined;
  beforeAll(async () => {
    const cluster = of();
    Object.assign(process.env, cluster.egressEnv);
    const namespace = await cluster.freshNamespace(prefix);
    test = { cluster, namespace, credential: await credentialFor(cluster, { namespace, clusterRules: EVERYTHING }) };
  });
  afterAll(() => {
    if (before === undefined) delete process.env.NAVIN_DEV_API_SERVER;
    else process.env.NAVIN_DEV_API_SERVER = before;
  });
  return () => {
    if (test === undefined) throw new Error('the cluster is there within tests and hooks only');
    return test;
  };
}

const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

/** A credential of a ServiceAccount with exactly some rights, in its namespace. */
export async function credentialFor(
  cluster: Cluster,
  account: ServiceAccountOptions,
): Promise<ICredentialDataDecryptedObject> {
  const { token } = await cluster.serviceAccount(account);
  return {
    authentication: 'token',
    apiServer: cluster.server,
    ca: cluster.caPem,
    token,
    namespace: account.namespace,
    rightsToCheck: ['read'],
  };
}

/** A Deployment of some pods of one container. */
export function deploymentManifest(name: string, replicas: number, extra: object = {}, pod: object = {}): object {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'nginx:1' }], ...pod } },
      ...extra,
    },
  };
}

/** A StatefulSet of some pods of one container. */
export function statefulSetManifest(name: string, replicas: number, extra: object = {}): object {
  return { ...deploymentManifest(name, replicas, { serviceName: name, ...extra }), kind: 'StatefulSet' };
}

/** A DaemonSet of one container. */
export function daemonSetManifest(name: string, extra: object = {}): object {
  return { ...deploymentManifest(name, 0, { replicas: undefined, ...extra }), kind: 'DaemonSet' };
}

/** A pod of one container, or of those given. */
export function podManifest(name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'app', image: 'nginx:1' }], ...spec },
  };
}
