import type { Cluster } from '../../cluster';

const API = '/apis/metrics.k8s.io/v1beta1';

/** Amounts as a metrics server writes them: `{ cpu: '12345678n', memory: '131072Ki' }`. */
type Amounts = Readonly<Record<string, string>>;

/**
 * Lets the API server serve metrics.k8s.io: by CustomResourceDefinitions in the place of an aggregated metrics server,
 * which needs kubelets that run something. Path, lists, selectors, rights and errors are those of the real API server; only
 * the numbers are the test's own. They stay for the other tests of the cluster, which see two kinds more in discovery.
 */
export async function serveMetrics(cluster: Cluster): Promise<void> {
  const definitions = [
    ['pods', 'PodMetrics', 'Namespaced'],
    ['nodes', 'NodeMetrics', 'Cluster'],
  ].map(([plural, kind, scope]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${String(plural)}.metrics.k8s.io`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, in the place of a metrics server in tests' },
    },
    spec: {
      group: 'metrics.k8s.io',
      scope,
      names: { plural, kind, listKind: `${String(kind)}List` },
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }));
  await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: definitions }));
  for (const plural of ['pods', 'nodes']) {
    await cluster.api.until(`${API}/${plural}`, (list) => list !== undefined);
  }
}

const MEASURED = { timestamp: '2026-01-31T12:00:00Z', window: '15.062s' };

/** What a pod uses, by container; labels are those of the pod, as a metrics server copies them. */
export async function measurePod(
  cluster: Cluster,
  pod: { readonly namespace: string; readonly name: string; readonly labels?: Readonly<Record<string, string>> },
  containers: Readonly<Record<string, Amounts>>,
): Promise<void> {
  const { namespace, name, labels = {} } = pod;
  await put(cluster, `${API}/namespaces/${namespace}/pods/${name}`, {
    kind: 'PodMetrics',
    metadata: { name, namespace, labels },
    containers: Object.entries(containers).map(([container, usage]) => ({ name: container, usage })),
  });
}

/** What a node uses. */
export async function measureNode(
  cluster: Cluster,
  node: { readonly name: string; readonly labels?: Readonly<Record<string, string>> },
  usage: Amounts,
): Promise<void> {
  const { name, labels = {} } = node;
  await put(cluster, `${API}/nodes/${name}`, { kind: 'NodeMetrics', metadata: { name, labels }, usage });
}

async function put(cluster: Cluster, path: string, object: object): Promise<void> {
  await cluster.api.expect('PATCH', `${path}?fieldManager=metrics-server&force=true`, {
    body: { apiVersion: 'metrics.k8s.io/v1beta1', ...MEASURED, ...object },
    contentType: 'application/apply-patch+yaml',
  });
}
