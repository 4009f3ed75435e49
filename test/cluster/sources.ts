import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Kubernetes version that the programs say they are; equal to the one of programs/kubernetes/go.mod. */
export const KUBERNETES_VERSION = 'v1.37.2';

const LDFLAGS = '-s -w';
const STAMP = 'k8s.io/component-base/version';
/** Without the stamp the server says v0.0.0-master. */
const KUBERNETES_LDFLAGS = [
  LDFLAGS,
  `-X ${STAMP}.gitVersion=${KUBERNETES_VERSION}`,
  `-X ${STAMP}.gitMajor=1`,
  `-X ${STAMP}.gitMinor=37`,
].join(' ');

/** The programs of the cluster: Go module, package, and how long a build took on two busy cores. */
export const PROGRAMS = {
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3', ldflags: LDFLAGS, seconds: 58 },
  'kube-apiserver': kubernetes('kube-apiserver', 424),
  'kube-controller-manager': kubernetes('kube-controller-manager', 158),
  'kube-scheduler': kubernetes('kube-scheduler', 22),
  kubectl: kubernetes('kubectl', 40),
  kwok: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', ldflags: LDFLAGS, seconds: 104 },
} as const satisfies Record<string, ProgramSource>;

/** A program of the cluster. */
export type ProgramName = keyof typeof PROGRAMS;

/** How a program is built. */
export interface ProgramSource {
  /** Folder below programs/. */
  readonly module: string;
  readonly package: string;
  readonly ldflags: string;
  /** Estimated seconds of a cold build. */
  readonly seconds: number;
}

/** Paths of the programs, and of kwok's stages and definitions. */
export type ProgramPaths = Readonly<Record<ProgramName, string>> & {
  /** kwok's `kustomize` folder: `stage/…` and `crd/bases/…`. */
  readonly kwokFiles: string;
};

/** kwok's files that running needs, below its module's `kustomize` folder. */
export const KWOK_FILES = [
  'stage/node/fast/node-initialize.yaml',
  'stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'stage/pod/fast/pod-ready.yaml',
  'stage/pod/fast/pod-complete.yaml',
  'stage/pod/fast/pod-delete.yaml',
  'stage/pod/general/pod-create.yaml',
  'stage/pod/general/pod-init-container-running.yaml',
  'stage/pod/general/pod-init-container-completed.yaml',
  'stage/pod/general/pod-ready.yaml',
  'stage/pod/general/pod-complete.yaml',
  'stage/pod/general/pod-delete.yaml',
  'crd/bases/kwok.x-k8s.io_logs.yaml',
] as const;

/** What a folder of programs lacks. */
export function missingFiles(directory: string): readonly string[] {
  const wanted = [...Object.keys(PROGRAMS), ...KWOK_FILES.map((file) => join('kwok-files', file))];
  return wanted.filter((file) => !existsSync(join(directory, file)));
}

function kubernetes(name: string, seconds: number): ProgramSource {
  return { module: 'kubernetes', package: `k8s.io/kubernetes/cmd/${name}`, ldflags: KUBERNETES_LDFLAGS, seconds };
}
