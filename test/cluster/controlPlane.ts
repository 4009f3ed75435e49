import { join } from 'node:path';
import type { ClusterPki } from './pki';
import type { Program } from './processes';
import type { ProgramPaths } from './sources';

/** Service range; its first address is in the API server's certificate. */
const SERVICE_RANGE = '10.96.0.0/16';

/** Loopback ports of the programs. */
export interface Ports {
  readonly apiServer: number;
  readonly kwok: number;
}

/** Settings of the control plane that a test may choose. */
export interface ControlPlaneSettings {
  /** How often etcd's history is compacted, as a Go duration; small values give real 410 answers. Default `5m0s`. */
  readonly compactionInterval?: string;
  /** Whether the API server answers reads from its watch cache. Default true. */
  readonly watchCache?: boolean;
  /** Further API server flags, e.g. `--event-ttl=1m`. */
  readonly apiServerFlags?: readonly string[];
  /** Further controller manager flags. */
  readonly controllerManagerFlags?: readonly string[];
}

/** What the command lines are made of. */
export interface ControlPlane {
  readonly directory: string;
  readonly programs: ProgramPaths;
  readonly ports: Ports;
  readonly pki: ClusterPki;
  readonly settings: ControlPlaneSettings;
  /** Paths of the audit policy and the audit log, where wanted. */
  readonly audit?: { readonly policy: string; readonly log: string };
  /** Kubeconfig files of the programs. */
  readonly kubeconfigs: { readonly controllerManager: string; readonly scheduler: string; readonly kwok: string };
  /** kwok's configuration file. */
  readonly kwokConfig: string;
}

/**
 * etcd, on sockets in the cluster's folder: nobody else can reach them, no port is needed, and no TLS, which would cost
 * the start a second.
 */
export function etcd({ directory, programs }: Pick<ControlPlane, 'directory' | 'programs'>): Program {
  // etcd wants something with a port to advertise; nobody ever connects there.
  const nowhere = 'http://127.0.0.1:1';
  return program(directory, 'etcd', programs.etcd, [
    '--name=etcd',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=unix://${etcdSocket(directory)}`,
    `--advertise-client-urls=${nowhere}`,
    `--listen-peer-urls=unix://${etcdSocket(directory)}-peer`,
    `--initial-advertise-peer-urls=${nowhere}`,
    `--initial-cluster=etcd=${nowhere}`,
    // The data lives as long as the cluster; a crash of the machine may take it.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
}

/** etcd's socket. */
export function etcdSocket(directory: string): string {
  return join(directory, 'etcd.sock');
}

/** kube-apiserver. */
export function apiServer({ directory, programs, ports, pki, settings, audit }: ControlPlane): Program {
  const { files } = pki;
  return program(directory, 'kube-apiserver', programs['kube-apiserver'], [
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    `--tls-cert-file=${files.apiServer.certificate}`,
    `--tls-private-key-file=${files.apiServer.key}`,
    `--client-ca-file=${files.ca}`,
    `--etcd-servers=unix://${etcdSocket(directory)}`,
    `--etcd-compaction-interval=${settings.compactionInterval ?? '5m0s'}`,
    `--watch-cache=${settings.watchCache ?? true}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    // A loopback address may not be advertised as an endpoint of the `kubernetes` Service.
    '--endpoint-reconciler-type=none',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-certificate-authority=${files.ca}`,
    `--kubelet-client-certificate=${files.kubeletClient.certificate}`,
    `--kubelet-client-key=${files.kubeletClient.key}`,
    '--profiling=false',
    ...(audit === undefined ? [] : [`--audit-policy-file=${audit.policy}`, `--audit-log-path=${audit.log}`]),
    ...(settings.apiServerFlags ?? []),
  ]);
}

/** kube-controller-manager. */
export function controllerManager({ directory, programs, pki, settings, kubeconfigs }: ControlPlane): Program {
  const { files } = pki;
  return program(directory, 'kube-controller-manager', programs['kube-controller-manager'], [
    `--kubeconfig=${kubeconfigs.controllerManager}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--use-service-account-credentials',
    // By the default of 20 requests a second it takes five seconds to get its controllers' tokens.
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.ca}`,
    `--cluster-signing-cert-file=${files.ca}`,
    `--cluster-signing-key-file=${files.caKey}`,
    ...(settings.controllerManagerFlags ?? []),
  ]);
}

/** kube-scheduler. */
export function scheduler({ directory, programs, kubeconfigs }: ControlPlane): Program {
  return program(directory, 'kube-scheduler', programs['kube-scheduler'], [
    `--kubeconfig=${kubeconfigs.scheduler}`,
    '--leader-elect=false',
    '--secure-port=0',
  ]);
}

/** kwok: the nodes and kubelets. */
export function kwok({ directory, programs, ports, pki, kubeconfigs, kwokConfig }: ControlPlane): Program {
  return program(directory, 'kwok', programs.kwok, [
    `--kubeconfig=${kubeconfigs.kwok}`,
    `--config=${kwokConfig}`,
    '--manage-all-nodes',
    '--node-ip=127.0.0.1',
    `--node-port=${ports.kwok}`,
    // Without it kwok listens on all interfaces.
    `--server-address=127.0.0.1:${ports.kwok}`,
    `--tls-cert-file=${pki.files.kubelet.certificate}`,
    `--tls-private-key-file=${pki.files.kubelet.key}`,
    // Without leases the nodes turn NotReady after about 50 seconds.
    '--node-lease-duration-seconds=40',
    // Tests set the logs of a Pod by an object of this kind.
    '--enable-crds=Logs',
  ]);
}

function program(directory: string, name: string, command: string, args: readonly string[]): Program {
  return {
    name,
    command,
    args,
    cwd: directory,
    log: join(directory, 'logs', `${name}.log`),
    // A proxy of the environment must not stand between the programs, nor a kubeconfig of the person's reach them.
    env: { HOME: directory, KUBECONFIG: '', NO_PROXY: '*', no_proxy: '*' },
  };
}
