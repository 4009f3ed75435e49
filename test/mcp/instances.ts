import { randomBytes } from 'node:crypto';
import type { Cluster } from '../cluster';

/** The labels of a managed instance, with those a test adds. */
export function instanceLabels(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/managed-by': 'eai-mcp-runtime', ...more };
}

/** Makes a namespace as the lifecycle controller does; others get the labels that are given. */
export async function instanceNamespace(
  cluster: Cluster,
  labels: Readonly<Record<string, string>> = { 'eai.io/mcp-runtime': 'true' },
): Promise<string> {
  const name = await cluster.namespace(`mcp-${randomBytes(6).toString('hex')}`);
  await cluster.api.patch(`/api/v1/namespaces/${name}`, { metadata: { labels } });
  return name;
}

/** What is said of an instance beside its place. */
interface Instance {
  readonly labels?: Readonly<Record<string, string>>;
  readonly status?: object;
  readonly finalizers?: readonly string[];
  /** Default `v1alpha1`, which all definitions serve. */
  readonly version?: string;
}

/** Makes an MCPServer. */
export async function makeInstance(
  cluster: Cluster,
  namespace: string,
  name: string,
  { labels = instanceLabels(), status, finalizers = [], version = 'v1alpha1' }: Instance = {},
): Promise<void> {
  const apiVersion = `toolhive.stacklok.dev/${version}`;
  const path = `/apis/${apiVersion}/namespaces/${namespace}/mcpservers`;
  const kind = 'MCPServer';
  const spec = { image: 'fetch:1', transport: 'stdio', env: [{ name: 'TOKEN', value: 'hunter2' }] };
  await cluster.api.create(path, { apiVersion, kind, metadata: { name, labels, finalizers }, spec });
  if (status !== undefined) await cluster.api.patch(`${path}/${name}/status`, { status });
}

/** Makes the Deployment that ToolHive would make for an instance. */
export async function makeProxy(cluster: Cluster, namespace: string, name: string): Promise<void> {
  const labels = { app: 'mcpserver', 'toolhive-name': name };
  await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'proxy', image: 'proxyrunner:1' }] } },
    },
  });
}
