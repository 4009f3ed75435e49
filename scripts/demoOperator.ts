import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComponentSpec } from '../core/components';
import { eventually, type Cluster, type PolicyRule } from '../test/cluster';
import { kubeconfigOf, requestToken } from '../test/cluster/access';
import { findHelm } from '../test/helm';
import { buildOperator } from './buildOperator';

/** The operator of the demo with its components. */
export interface DemoOperator {
  /** What the components confirm, and how to go on. */
  readonly said: readonly string[];
  readonly stop: () => Promise<void>;
}

const CONFIG = join(__dirname, '..', 'operator', 'config');
const CHARTS = join(__dirname, '..', 'examples', 'charts');
/** As the manifests name them. */
const [OWN, MANAGED, ACCOUNT] = ['navin-system', 'navin-platform', 'navin-operator'];
const FILES = [
  'crd/platform.navin.ai_managedcomponents.yaml',
  'namespace.yaml',
  'rbac/service_account.yaml',
  'rbac/role.yaml',
  'rbac/role_binding.yaml',
  'rbac/leader_election.yaml',
];
const COMPONENTS: Readonly<Record<string, ComponentSpec>> = {
  storefront: { source: { chart: { path: 'web' } }, replicas: 3, pdb: { minAvailable: 2 } },
  shop: { source: { chart: { path: 'shop' } } },
};
/** What the examples of maintenance need of an account. */
export const COMPONENT_RIGHTS: PolicyRule = {
  apiGroups: ['platform.navin.ai'],
  resources: ['managedcomponents'],
  verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
};

const CONVERGED_MS = 120_000;

/**
 * Installs the operator's definition and rights as its README tells, starts the program with exactly these rights, and has
 * it run two components: one is installed and restarted within its budget, one has a subchart.
 */
export async function startDemoOperator(cluster: Cluster): Promise<DemoOperator> {
  const folder = mkdtempSync(join(tmpdir(), 'navin-demo-operator-'));
  const [program, helm] = await Promise.all([buildOperator(), findHelm()]);
  await cluster.namespace(MANAGED);
  for (const file of FILES) await cluster.kubectl(['apply', '--server-side', '-f', join(CONFIG, file)]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/managedcomponents.platform.navin.ai']);
  const kubeconfig = join(folder, 'kubeconfig');
  const token = await requestToken(cluster.api, OWN, ACCOUNT);
  writeFileSync(kubeconfig, kubeconfigOf(cluster.facts, { token }, MANAGED), { mode: 0o600 });

  const flags = {
    ...{ namespaces: MANAGED, 'charts-dir': CHARTS, kubeconfig, 'api-server': cluster.server },
    ...{ 'lease-namespace': OWN, listen: '127.0.0.1:0' },
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const env = { PATH: process.env.PATH, TMPDIR: folder, HELM_BIN: helm, ...cluster.egressEnv };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(folder, 'operator.log'));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const ended = new Promise<void>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    log.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { said: await showComponents(cluster, log.path.toString()), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function showComponents(cluster: Cluster, log: string): Promise<readonly string[]> {
  for (const [name, spec] of Object.entries(COMPONENTS)) {
    const metadata = { name, namespace: MANAGED };
    await cluster.apply(
      JSON.stringify({ apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata, spec }),
    );
  }
  await untilConverged(cluster, log);
  const restart = JSON.stringify({ spec: { restartRequestedAt: new Date().toISOString() } });
  await kubectl(cluster, ['patch', 'managedcomponent', 'storefront', '--type=merge', '-p', restart]);
  await untilConverged(cluster, log);
  const table = await kubectl(cluster, ['get', 'managedcomponents']);
  return [
    'The operator runs two components; this is what their workloads confirm:',
    '',
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'storefront was installed, and then restarted one Pod after the other: its budget asks for two of three.',
  ];
}

/** Ways to go on while the demo is open. */
export function operatorHints(cluster: Cluster): readonly string[] {
  const patch = (spec: object): string =>
    `kubectl -n ${MANAGED} patch mc storefront --type=merge -p '${JSON.stringify({ spec })}'`;
  return [
    'The operator is open, too. In another terminal:',
    '',
    `  export KUBECONFIG=${cluster.adminKubeconfigPath}`,
    `  alias kubectl=${cluster.facts.kubectl}`,
    '',
    `  kubectl -n ${MANAGED} get managedcomponents -w`,
    `  ${patch({ replicas: 5 })}`,
    `  ${patch({ maintenance: true, desiredState: 'Stopped' })}`,
    '',
    'docs/tutorial.md goes on from here.',
  ];
}

async function untilConverged(cluster: Cluster, log: string): Promise<void> {
  let last = '';
  await eventually(
    async () => {
      last = await kubectl(cluster, ['get', 'managedcomponents', '-o', 'json']);
      const { items } = JSON.parse(last) as {
        readonly items: readonly {
          readonly metadata: { readonly generation: number };
          readonly status?: { readonly observedGeneration?: number; readonly converged?: boolean };
        }[];
      };
      return items.every(
        ({ metadata, status }) => status?.converged === true && status.observedGeneration === metadata.generation,
      );
    },
    'the components',
    CONVERGED_MS,
    () => `The log of the operator: ${log}. Last seen: ${last}`,
  );
}

function kubectl(cluster: Cluster, args: readonly string[]): Promise<string> {
  return cluster.kubectl(['--namespace', MANAGED, ...args]);
}
