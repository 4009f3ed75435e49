/** Starts the disposable cluster for a person: says how to use it, and removes it at Ctrl-C. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createShop, startCluster, type ClusterOptions, type OwnCluster } from '../test/cluster';
import { prepare } from './prepare';

interface Options {
  readonly nodes: number;
  readonly pods: 'fast' | 'slow' | 'failing';
  readonly compaction?: string;
  readonly auditLog?: string;
  readonly kubeconfig?: string;
  readonly port?: number;
  readonly exec: boolean;
  readonly workloads: boolean;
}

async function main(): Promise<void> {
  const options = new Command('npm run cluster --')
    .description('A real Kubernetes control plane with simulated nodes, gone at Ctrl-C.')
    .option('--nodes <number>', 'simulated nodes', wholeNumber(0, 1000), 3)
    .addOption(
      new Option('--pods <behaviour>', 'how Pods behave that choose nothing else by label')
        .choices(['fast', 'slow', 'failing'])
        .default('fast'),
    )
    .option('--compaction <duration>', 'how often old versions are thrown away, e.g. 10s (default 5m)', duration)
    .option('--audit-log <file>', 'write an audit log there')
    .option('--kubeconfig <file>', "write the administrator's kubeconfig there; removed at the end")
    .option('--port <number>', 'port of the API server (default: a free one)', wholeNumber(1, 65535))
    .option('--exec', 'let `kubectl exec` run the command as a process on this machine', false)
    .option('--workloads', 'create the namespace `shop` with some workloads', false)
    .parse()
    .opts<Options>();
  if (options.kubeconfig !== undefined && existsSync(options.kubeconfig)) {
    throw new Error(`${options.kubeconfig} exists already: name a new file, nothing of yours is overwritten.`);
  }

  // Until the cluster stands, Ctrl-C ends this process at once; the supervisor cleans up behind it.
  await prepare({ cluster: true });
  const cluster = await startCluster(clusterOptions(options));
  const interrupted = interruption();
  try {
    if (options.workloads) await createShop(cluster, { trouble: true });
    const kubeconfig = options.kubeconfig === undefined ? cluster.adminKubeconfigPath : resolve(options.kubeconfig);
    if (options.kubeconfig !== undefined) {
      writeFileSync(kubeconfig, cluster.adminKubeconfig, { mode: 0o600, flag: 'wx' });
    }
    console.log(usage(cluster, kubeconfig));
    // A cluster alone does not keep its process alive.
    const alive = setInterval(() => undefined, 3_600_000);
    await interrupted;
    clearInterval(alive);
  } finally {
    await cluster.stop();
    if (options.kubeconfig !== undefined) rmSync(options.kubeconfig, { force: true });
  }
  console.log('\nThe cluster is gone.');
}

function clusterOptions({ nodes, pods, compaction, auditLog, port, exec }: Options): ClusterOptions {
  return {
    nodes,
    podBehaviour: pods,
    exec,
    ...(compaction === undefined ? {} : { compactionInterval: compaction }),
    ...(auditLog === undefined ? {} : { auditLog: resolve(auditLog) }),
    ...(port === undefined ? {} : { apiServerPort: port }),
  };
}

/** What a person needs to know. */
function usage(cluster: OwnCluster, kubeconfig: string): string {
  const { facts, egressEnv } = cluster;
  return `
Kubernetes is ready after ${facts.startSeconds.toFixed(1)} s.

  API server    ${facts.server}
  kubeconfig    ${kubeconfig}   (administrator)
  kubectl       ${facts.kubectl}

Use it:
  export KUBECONFIG=${kubeconfig}
  alias kubectl=${facts.kubectl}
  kubectl get nodes
  kubectl create deployment web --image=nginx --replicas=3

Use it from n8n. Addresses of the own machine are refused unless n8n is started with
  NAVIN_DEV_API_SERVER=${egressEnv.NAVIN_DEV_API_SERVER}
Register the API server above, with the kubeconfig above or one of a ServiceAccount with rights of your choice:
  kubectl create serviceaccount n8n
  kubectl create rolebinding n8n --clusterrole=view --serviceaccount=default:n8n
  TOKEN=$(kubectl create token n8n --duration=24h)
  kubectl --kubeconfig=n8n.kubeconfig config set-cluster test --server=${facts.server} \\
    --embed-certs --certificate-authority=${facts.caFile}
  kubectl --kubeconfig=n8n.kubeconfig config set-credentials n8n --token="$TOKEN"
  kubectl --kubeconfig=n8n.kubeconfig config set-context test --cluster=test --user=n8n
  kubectl --kubeconfig=n8n.kubeconfig config use-context test

Nodes are simulated: Pods get Ready, Jobs complete, nothing in a container runs. Pods behave otherwise with the label
  navin.test/behaviour: slow | failing | image-pull-error | never-ready | endless

Ctrl-C ends the cluster and removes everything.`;
}

/** Settles at the first Ctrl-C or request to end. Later ones change nothing: npm hands one Ctrl-C on a second time. */
function interruption(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        done();
      });
    }
  });
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

function duration(text: string): string {
  if (/^\d+(ms|s|m|h)$/.test(text)) return text;
  throw new InvalidArgumentError('Give a duration, e.g. 10s or 5m.');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
