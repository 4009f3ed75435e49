import { afterAll, beforeAll } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cacheDirectory,
  startCluster,
  type ClusterOptions,
  type OwnCluster,
  type ServiceAccountAccess,
} from '../cluster';
import {
  installN8n,
  startN8n,
  type CredentialReference,
  type Execution,
  type N8n,
  type WorkflowNode,
  chain,
} from './n8n';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, kubeconfigCredential, NODE_TYPE } from './package';
import { ALL_RIGHTS, createTroubledShop } from './shop';

/** The namespace with workloads. */
export const SHOP = 'shop';

/** What the tests of this folder share: a cluster with workloads, and n8n with the package and a credential for it. */
export interface World {
  readonly cluster: OwnCluster;
  readonly n8n: N8n;
  /** Who the credential speaks for. */
  readonly account: ServiceAccountAccess;
  readonly credential: CredentialReference;
}

type Environment = Readonly<Record<string, string>>;

/** The programs may have to be built and n8n installed first. */
const HOOK_TIMEOUT_MS = 30 * 60_000;

/**
 * Starts the world before the tests and ends it after them. n8n's log stays in `logs/n8n.log` of the cache folder.
 *
 * @param options of the cluster
 * @param settings more environment for n8n, asked for before it starts
 * @returns asks for the world; only within tests and hooks
 */
export function useWorld(options: ClusterOptions = {}, settings: () => Environment = () => ({})): () => World {
  let world: World | undefined;
  let end: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const cluster = await startCluster({ nodes: 3, ...options });
    const parts: { n8n?: N8n } = {};
    end = async () => {
      if (parts.n8n !== undefined) keepLog(parts.n8n);
      await Promise.all([parts.n8n?.stop(), cluster.stop()]);
    };
    const shop = createTroubledShop(cluster, SHOP);
    parts.n8n = await startN8n({ program: await installN8n(), env: { ...cluster.egressEnv, ...settings() } });
    await shop;
    const account = await cluster.serviceAccount({ namespace: SHOP, name: 'n8n', clusterRules: ALL_RIGHTS });
    const credential = await parts.n8n.addCredential(
      CREDENTIAL_NAME,
      CREDENTIAL_TYPE,
      kubeconfigCredential(cluster.server, account.kubeconfig),
    );
    world = { cluster, n8n: parts.n8n, account, credential };
  }, HOOK_TIMEOUT_MS);
  afterAll(async () => {
    await end?.();
  }, HOOK_TIMEOUT_MS);
  return () => {
    if (world === undefined) throw new Error('the world is there within tests and hooks only');
    return world;
  };
}

/** A Kubernetes node of a workflow. */
export function kubernetes(
  { credential }: Pick<World, 'credential'>,
  parameters: Readonly<Record<string, unknown>>,
  more: Partial<WorkflowNode> = {},
): WorkflowNode {
  return { name: 'Kubernetes', type: NODE_TYPE, parameters, credentials: { [CREDENTIAL_TYPE]: credential }, ...more };
}

/** A value of a resource locator that is typed in. */
export function byName(value: string): object {
  return { __rl: true, mode: 'name', value };
}

/** Runs one Kubernetes node in a workflow of its own. */
export async function runNode(
  world: World,
  parameters: Readonly<Record<string, unknown>>,
  more: Partial<WorkflowNode> = {},
): Promise<Execution> {
  const name = `${String(parameters.resource)} ${String(parameters.operation)}`;
  return world.n8n.runOnce(chain(name, [kubernetes(world, parameters, more)]));
}

/** The items of one Kubernetes node; the workflow must succeed. */
export async function itemsOf(
  world: World,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const execution = await runNode(world, parameters);
  if (execution.status !== 'success') {
    throw new Error(`the workflow ended with ${execution.status}: ${JSON.stringify(execution.error)}`);
  }
  return execution.items('Kubernetes').map(({ json }) => json);
}

function keepLog(n8n: N8n): void {
  const folder = join(cacheDirectory(), 'logs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'n8n.log'), n8n.logs(), { mode: 0o600 });
}
