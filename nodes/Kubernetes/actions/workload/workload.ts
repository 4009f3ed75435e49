import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { KINDS } from '../../../shared/kinds';
import { SIMPLIFY } from '../../../shared/simplify';
import { tried } from '../objectChanges';
import { withoutEnvironmentValues } from './environmentValues';

/** The kinds that roll out pods by a template. */
export type WorkloadKind = 'deployment' | 'statefulset' | 'daemonset';

/** The kinds among them whose number of pods is a field. */
export type ScalableKind = Exclude<WorkloadKind, 'daemonset'>;

/** One object. */
export interface WorkloadRef {
  readonly namespace: string;
  readonly name: string;
}

/** The resource of a kind. */
export function resourceOf(kind: WorkloadKind) {
  return RESOURCES[KINDS[kind].plural];
}

/** Reads a workload. */
export async function readWorkload(client: KubeClient, kind: WorkloadKind, ref: WorkloadRef): Promise<KubeObject> {
  return await client.get(resourceOf(kind), ref);
}

/** A workload in flat fields, with what an operation says about it. */
export function shown(kind: WorkloadKind, object: KubeObject, more: object = {}): object {
  return { ...SIMPLIFY[kind](object), ...more };
}

/** What a dry run would have changed of a workload; values of its environment are not shown. */
export function triedOn(before: KubeObject, after: KubeObject, dryRun: boolean | undefined): object {
  return tried(dryRun, before, after, withoutEnvironmentValues);
}

/** `Deployment web` */
export function titled(kind: WorkloadKind, name: string): string {
  return `${KINDS[kind].title} ${name}`;
}

/** The right to read a kind and to change it. */
/* @__NO_SIDE_EFFECTS__ */
export function changeRights(kind: WorkloadKind) {
  const { group, plural } = KINDS[kind];
  return [
    { verb: 'get', group, resource: plural },
    { verb: 'patch', group, resource: plural },
  ] as const;
}
