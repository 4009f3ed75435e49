import { dump } from 'js-yaml';
import type { Cluster } from './cluster';
import { BEHAVIOUR_LABEL } from './kwok';

/** What the shop is to contain. */
export interface ShopOptions {
  /** Default `shop`. */
  readonly namespace?: string;
  /** Adds a Deployment `payments` whose only Pod crashes in a loop. Default false. */
  readonly trouble?: boolean;
}

/** Longest that the shop may take to open, in milliseconds. */
const OPENING_TIMEOUT_MS = 120_000;

/**
 * Creates a small realistic set of workloads and waits until it is up: Deployments `web` (3 replicas) and `api` (2, with a
 * sidecar), their Services, a ConfigMap, and a Job that completes. Its Events arise by themselves.
 *
 * @returns the namespace
 */
export async function createShop(cluster: Cluster, options: ShopOptions = {}): Promise<string> {
  const { namespace = 'shop', trouble = false } = options;
  await cluster.namespace(namespace);
  const objects = [...shop(), ...(trouble ? [payments()] : [])];
  await cluster.apply(objects.map((object) => dump(inNamespace(object, namespace))).join('---\n'));

  const apps = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const job = `/apis/batch/v1/namespaces/${namespace}/jobs/seed-catalogue`;
  const until = async (path: string, wanted: (status: Counts) => boolean): Promise<unknown> =>
    cluster.api.until<{ status?: Counts }>(path, (object) => wanted(object?.status ?? {}), OPENING_TIMEOUT_MS);
  await until(`${apps}/web`, ({ availableReplicas }) => availableReplicas === 3);
  await until(`${apps}/api`, ({ availableReplicas }) => availableReplicas === 2);
  await until(job, ({ succeeded }) => succeeded === 1);
  return namespace;
}

interface Counts {
  readonly availableReplicas?: number;
  readonly succeeded?: number;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly [field: string]: unknown;
}

function shop(): readonly Manifest[] {
  return [
    {
      ...head('v1', 'ConfigMap', 'settings'),
      data: { 'currency.default': 'EUR', 'log.level': 'info', 'catalogue.json': '{ "pageSize": 20 }' },
    },
    deployment('web', 3, [
      {
        name: 'nginx',
        image: 'docker.io/library/nginx:1.29.1',
        ports: [{ name: 'http', containerPort: 8080 }],
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
      },
    ]),
    deployment('api', 2, [
      {
        name: 'api',
        image: 'registry.example/shop/api:2.4.0',
        ports: [{ name: 'http', containerPort: 3000 }],
        envFrom: [{ configMapRef: { name: 'settings' } }],
        resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
      },
      { name: 'log-shipper', image: 'registry.example/tools/log-shipper:0.9.3' },
    ]),
    service('web', 80, 'http'),
    service('api', 3000, 'http'),
    {
      ...head('batch/v1', 'Job', 'seed-catalogue'),
      spec: {
        backoffLimit: 2,
        template: {
          metadata: { labels: labels('seed-catalogue') },
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'seed', image: 'registry.example/shop/seed:2.4.0', args: ['--products', '500'] }],
          },
        },
      },
    },
  ];
}

function payments(): Manifest {
  const container = { name: 'payments', image: 'registry.example/shop/payments:1.0.0' };
  return deployment('payments', 1, [container], { [BEHAVIOUR_LABEL]: 'failing' });
}

function deployment(name: string, replicas: number, containers: readonly Container[], podLabels = {}): Manifest {
  return {
    ...head('apps/v1', 'Deployment', name),
    spec: {
      replicas,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      template: { metadata: { labels: { ...labels(name), ...podLabels } }, spec: { containers } },
    },
  };
}

function service(name: string, port: number, targetPort: string): Manifest {
  return {
    ...head('v1', 'Service', name),
    spec: { selector: { 'app.kubernetes.io/name': name }, ports: [{ name: 'http', port, targetPort }] },
  };
}

function head(apiVersion: string, kind: string, name: string): Manifest {
  return { apiVersion, kind, metadata: { name, labels: labels(name) } };
}

function labels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'shop' };
}

function inNamespace(object: Manifest, namespace: string): Manifest {
  return { ...object, metadata: { ...object.metadata, ...{ namespace } } };
}
