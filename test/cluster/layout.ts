import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { kubeconfigOf } from './access';
import type { BuildProgress } from './build';
import type { ControlPlane, ControlPlaneSettings } from './controlPlane';
import { kwokConfig, type PodBehaviour } from './kwok';
import { defaultLog } from './logs';
import type { NodeSpec } from './nodes';
import { createClusterPki } from './pki';
import { freePorts } from './ports';

/** What cluster to start. */
export interface ClusterOptions extends ControlPlaneSettings {
  /** Nodes by number or one by one. Default 2. */
  readonly nodes?: number | readonly NodeSpec[];
  /** Behaviour of Pods that choose none by label. Default `fast`. */
  readonly podBehaviour?: PodBehaviour;
  /** Writes an audit log; a path puts it there instead of in the cluster's folder. Default false. */
  readonly auditLog?: boolean | string;
  /**
   * Lets `exec` run the command as a local process of this user. Default false: kwok's port asks for no credentials, so
   * while it is on, every user of this machine could run commands as this one.
   */
  readonly exec?: boolean;
  /** Port of the API server. Default: a free one. */
  readonly apiServerPort?: number;
  /** Told about the build of the programs, which only the first start does. */
  readonly onBuildProgress?: (progress: BuildProgress) => void;
}

const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** Makes the folders that a cluster's files go to. */
export function makeFolders(directory: string): void {
  for (const folder of ['pki', 'logs', 'kubeconfigs', 'pod-logs']) mkdirSync(join(directory, folder));
}

/** Writes certificates, kubeconfigs and configurations. */
export async function layOut(
  directory: string,
  options: ClusterOptions,
  paths: ControlPlane['programs'],
): Promise<ControlPlane> {
  const [pki, [kwok = 0, free = 0]] = await Promise.all([createClusterPki(join(directory, 'pki')), freePorts(2)]);
  const ports = { kwok, apiServer: options.apiServerPort ?? free };
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const target = { server: `https://127.0.0.1:${ports.apiServer}`, caPem: pki.caPem };
  write('admin.kubeconfig', kubeconfigOf(target, pki.admin));
  const { auditLog } = options;
  return {
    directory,
    programs: paths,
    ports,
    pki,
    settings: options,
    ...(auditLog === undefined || auditLog === false
      ? {}
      : {
          audit: {
            policy: write('audit-policy.yaml', dump(AUDIT_POLICY)),
            log: typeof auditLog === 'string' ? auditLog : join(directory, 'audit.log'),
          },
        }),
    kubeconfigs: {
      controllerManager: write('kubeconfigs/controller-manager', kubeconfigOf(target, pki.controllerManager)),
      scheduler: write('kubeconfigs/scheduler', kubeconfigOf(target, pki.scheduler)),
      kwok: write('kubeconfigs/kwok', kubeconfigOf(target, pki.kwok)),
    },
    kwokConfig: write(
      'kwok.yaml',
      kwokConfig(paths, {
        podBehaviour: options.podBehaviour ?? 'fast',
        exec: options.exec ?? false,
        logFile: write('pod-logs/default.log', defaultLog()),
      }),
    ),
  };
}
