import type { KubeObject } from '../kube';
import type { InventoryEntry } from './resource/status';

/** Which object of the component's namespace. */
export type Ref = Pick<InventoryEntry, 'group' | 'version' | 'kind' | 'name'>;

interface AllowedKind {
  readonly group: string;
  readonly versions: readonly string[];
  /** When it is applied, lowest first: what others need comes before them. */
  readonly stage: number;
}

/** The kinds a chart may render, in versions the operator understands. */
const ALLOWED: Readonly<Record<string, AllowedKind>> = {
  ServiceAccount: { group: '', versions: ['v1'], stage: 0 },
  ConfigMap: { group: '', versions: ['v1'], stage: 1 },
  PersistentVolumeClaim: { group: '', versions: ['v1'], stage: 1 },
  NetworkPolicy: { group: 'networking.k8s.io', versions: ['v1'], stage: 1 },
  Service: { group: '', versions: ['v1'], stage: 2 },
  PodDisruptionBudget: { group: 'policy', versions: ['v1'], stage: 2 },
  Deployment: { group: 'apps', versions: ['v1'], stage: 3 },
  StatefulSet: { group: 'apps', versions: ['v1'], stage: 3 },
  HorizontalPodAutoscaler: { group: 'autoscaling', versions: ['v2', 'v1'], stage: 4 },
  ScaledObject: { group: 'keda.sh', versions: ['v1alpha1'], stage: 4 },
  Ingress: { group: 'networking.k8s.io', versions: ['v1'], stage: 5 },
};

/** Whether a chart may render this kind. */
export function isAllowedKind({ group, version, kind }: Omit<Ref, 'name'>): boolean {
  if (!Object.hasOwn(ALLOWED, kind)) return false;
  const allowed = ALLOWED[kind];
  return allowed?.group === group && allowed.versions.includes(version);
}

/** The kinds a chart may render, whatever their versions. */
export function allowedKinds(): readonly Pick<Ref, 'group' | 'kind'>[] {
  return Object.entries(ALLOWED).map(([kind, { group }]) => ({ group, kind }));
}

/** When an object is applied, lowest first. */
export function stageOf(kind: string): number {
  return ALLOWED[kind]?.stage ?? 0;
}

/** Which object it is, by itself. */
export function refOf({ apiVersion = '', kind = '', metadata }: KubeObject): Ref {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind, name: metadata.name ?? '' };
}

/** One word for an object of the namespace; its version is no part of what it is. */
export function keyOf({ group, kind, name }: Ref): string {
  return `${group}/${kind}/${name}`;
}

/** Whether a kind runs Pods. */
export function isWorkload(kind: string): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet';
}

/** Whether a kind sets the replicas of a workload. */
export function isAutoscaler(kind: string): boolean {
  return kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject';
}

/** The controller of an object, by uid. */
export function controllerOf(object: KubeObject): string | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}
