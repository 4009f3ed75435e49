import { lookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { classifyAddress, type Classification } from '../core/egress';
import { isNavinError } from '../core/errors';
import { targetFromKubeconfig } from '../core/kubeconfig';
import { startCluster } from '../test/cluster';
import { kubeconfigCredential, type KubeconfigCredential } from '../test/e2e/n8n';
import { ALL_RIGHTS, createTroubledShop } from '../test/e2e/shop';
import { COMPONENT_RIGHTS, operatorHints, startDemoOperator, type DemoOperator } from './demoOperator';

/** A cluster that the demo works on. */
export interface DemoTarget {
  readonly apiServer: string;
  /** What n8n's credential holds. */
  readonly credential: KubeconfigCredential;
  readonly namespace: string;
  /** What n8n's process is told, so that the package may connect to this cluster and to no other private address. */
  readonly env: Readonly<Record<string, string>>;
  /** The Deployment that the example restarts; none: it is not run. */
  readonly deployment?: string;
  /** Whether the examples that change the cluster are run. */
  readonly mayChange: boolean;
  /** Changes the ConfigMap that an example waits for; absent where nothing is to be changed. */
  readonly changeSettings?: () => Promise<void>;
  /** Starts the operator with two components; absent where nothing is to be installed. */
  readonly operate?: () => Promise<DemoOperator>;
  /** How to go on with it. */
  readonly operatorHints?: readonly string[];
  /** What the demo is going to do to the cluster, said before it does. */
  readonly announcement: readonly string[];
  readonly stop: () => Promise<void>;
}

/** What a person says of an own cluster. */
export interface OwnClusterOptions {
  readonly kubeconfig: string;
  readonly apiServer: string;
  readonly namespace?: string;
  readonly allowChanges: boolean;
  readonly deployment?: string;
}

const NAMESPACE = 'shop';
/** The guard takes no more. */
const MAX_KUBECONFIG_BYTES = 256 * 1024;

/** Starts the disposable cluster with workloads, and an account for n8n that may do what the node can. */
export async function disposableTarget(): Promise<DemoTarget> {
  const cluster = await startCluster({ nodes: 3 });
  try {
    await createTroubledShop(cluster, NAMESPACE);
    const clusterRules = [...ALL_RIGHTS, COMPONENT_RIGHTS];
    const account = await cluster.serviceAccount({ namespace: NAMESPACE, name: 'n8n', clusterRules });
    return {
      apiServer: cluster.server,
      credential: kubeconfigCredential(cluster.server, account.kubeconfig),
      namespace: NAMESPACE,
      env: cluster.egressEnv,
      deployment: 'web',
      mayChange: true,
      changeSettings: async () => {
        const settings = `/api/v1/namespaces/${NAMESPACE}/configmaps/settings`;
        await cluster.api.patch(settings, { data: { 'log.level': 'debug' } });
      },
      operate: () => startDemoOperator(cluster),
      operatorHints: operatorHints(cluster),
      announcement: [
        `Kubernetes ${cluster.server}: a disposable control plane, gone at the end. Its nodes are simulated: nothing runs in containers, and their logs are made up.`,
        `Namespace ${NAMESPACE}: the Deployments web and api run; payments crashes, search never gets ready, and the Pod search-index finds no node.`,
      ],
      stop: async () => cluster.stop(),
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * Checks what a person gave for an own cluster. Nothing is connected to yet.
 *
 * @throws Error that says what to do
 */
export async function ownTarget(options: OwnClusterOptions): Promise<DemoTarget> {
  const { apiServer, allowChanges, deployment } = options;
  const kubeconfig = readKubeconfig(options.kubeconfig);
  const { hostname, port } = parseServer(apiServer);
  const reach = await reachOf(hostname, port, process.env);
  const namespace = checkedNamespace({ ...options, kubeconfig }, reach.env);
  return {
    apiServer,
    credential: {
      ...kubeconfigCredential(apiServer, kubeconfig, namespace),
      rightsToCheck: allowChanges ? ['read', 'jobs', ...(deployment === undefined ? [] : ['workloads'])] : ['read'],
    },
    namespace,
    env: reach.env,
    ...(allowChanges && deployment !== undefined ? { deployment } : {}),
    mayChange: allowChanges,
    announcement: [
      `Your cluster ${apiServer}, namespace ${namespace}.`,
      ...reach.said,
      'Reads: pods and events of the namespace.',
      ...changesOf(namespace, options),
      'The kubeconfig goes into the credential store of a throw-away n8n on 127.0.0.1 and is deleted with it at the end. Whoever logs in to its editor can use it until then.',
    ],
    stop: async () => Promise.resolve(),
  };
}

function changesOf(namespace: string, { allowChanges, deployment }: OwnClusterOptions): readonly string[] {
  if (!allowChanges) {
    return [
      'Changes nothing: the examples that restart a Deployment and run a Job are imported, not run (--allow-changes runs them).',
    ];
  }
  const restart =
    deployment === undefined
      ? 'Restarts no Deployment (name one by --deployment).'
      : `Restarts the Deployment ${deployment} in ${namespace}.`;
  return [
    `Creates one Job report-… (image busybox) in ${namespace}, which Kubernetes deletes an hour after it finished.`,
    restart,
  ];
}

function readKubeconfig(file: string): string {
  let size: number;
  try {
    size = statSync(file).size;
  } catch {
    throw new Error(`The kubeconfig ${file} cannot be read.`);
  }
  if (size > MAX_KUBECONFIG_BYTES) throw new Error(`The kubeconfig ${file} is larger than 256 KiB.`);
  return readFileSync(file, 'utf8');
}

function parseServer(apiServer: string): { readonly hostname: string; readonly port: number } {
  const url = URL.parse(apiServer);
  if (url?.protocol !== 'https:') throw new Error('--api-server must be an address like https://10.0.0.5:6443.');
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port) };
}

interface Reach {
  readonly env: Readonly<Record<string, string>>;
  readonly said: readonly string[];
}

/**
 * What lets the package reach the server: the settings of the person's environment where there are any, else exactly
 * the addresses that the server has now. Whoever starts the demo with an address is the administrator of its n8n.
 */
async function reachOf(host: string, port: number, own: NodeJS.ProcessEnv): Promise<Reach> {
  const given = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      /^NAVIN_(PRIVATE_NETWORKS(_FILE)?|DEV_API_SERVER)$/.test(entry[0]) && (entry[1] ?? '') !== '',
  );
  if (given.length > 0) {
    return {
      env: Object.fromEntries(given),
      said: [`Network grants: as ${given.map(([name]) => name).join(', ')} says.`],
    };
  }
  const found = (await addressesOf(host)).map(classifyAddress);
  const loopback = found.find((address) => address.class === 'loopback');
  if (loopback !== undefined) {
    const address = `${host.includes(':') ? `[${loopback.address}]` : loopback.address}:${port}`;
    return {
      env: { NAVIN_DEV_API_SERVER: address },
      said: [`Network grant for this run: ${address}, for development.`],
    };
  }
  const grants = found.filter(({ verdict }) => verdict === 'grantable').map((address) => grantOf(address, port));
  if (grants.length === 0) return { env: {}, said: [] };
  const text = JSON.stringify(grants);
  return { env: { NAVIN_PRIVATE_NETWORKS: text }, said: [`Network grant for this run: ${text}`] };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new Error(`The name ${host} of --api-server cannot be resolved.`);
  }
}

function grantOf({ address, embedded }: Classification, port: number): { cidr: string; ports: readonly number[] } {
  const plain = embedded ?? address;
  return { cidr: `${plain}/${isIP(plain) === 6 ? 128 : 32}`, ports: [port] };
}

/** The namespace to work in, once the guard has accepted the kubeconfig for the server. */
function checkedNamespace({ kubeconfig, apiServer, namespace }: OwnClusterOptions, env: Reach['env']): string {
  const dev = /^\[?([^\]]+)\]?:(\d+)$/.exec(env.NAVIN_DEV_API_SERVER ?? '');
  try {
    const { target } = targetFromKubeconfig({
      kubeconfig,
      server: apiServer,
      ...(namespace === undefined ? {} : { namespace }),
      ...(dev?.[1] === undefined ? {} : { devApiServer: { address: dev[1], port: Number(dev[2]) } }),
    });
    return target.namespace;
  } catch (error) {
    if (!isNavinError(error)) throw error;
    throw new Error([error.message, error.hint].filter(Boolean).join('\n'), { cause: error });
  }
}
