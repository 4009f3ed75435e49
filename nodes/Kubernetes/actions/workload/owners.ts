import { NavinError } from '../../../../core/errors';
import type { KubeObject } from '../../../../core/kube';
import { at, listAt, textAt, textsAt } from '../../../shared/json';
import { titled, type WorkloadKind } from './workload';

/** Labels and annotations by which GitOps tools mark what they made, with the tool. Sources: their documentation. */
const GITOPS_MARKS: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/tracking-id': 'Argo CD',
  'argocd.argoproj.io/instance': 'Argo CD',
  'kustomize.toolkit.fluxcd.io/name': 'Flux',
  'helm.toolkit.fluxcd.io/name': 'Flux',
  'fleet.cattle.io/bundle-id': 'Fleet',
};

/** What Flux leaves alone. */
const FLUX_DISABLED = 'kustomize.toolkit.fluxcd.io/reconcile';

/** The GitOps tool that applies an object, as far as the object says. */
export function gitOpsTool(object: KubeObject): string | undefined {
  const labels = textsAt(object, 'metadata', 'labels');
  const annotations = textsAt(object, 'metadata', 'annotations');
  const mark = Object.keys(GITOPS_MARKS).find((key) => Object.hasOwn(labels, key) || Object.hasOwn(annotations, key));
  const tool = mark === undefined ? undefined : GITOPS_MARKS[mark];
  return tool === 'Flux' && annotations[FLUX_DISABLED] === 'disabled' ? undefined : tool;
}

/** The object that controls another: an operator writes it anew. `Kafka my-cluster` */
export function controllerOf(object: KubeObject): string | undefined {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((entry) => at(entry, 'controller') === true);
  return owner === undefined ? undefined : `${textAt(owner, 'kind') ?? ''} ${textAt(owner, 'name') ?? ''}`;
}

/** What is changed: a field that Git says, too, or one that only says how pods are rolled out. */
export type Change = 'declared' | 'rollout';

/** How a change is made. */
export interface ChangeOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/**
 * What to know before an object is changed that somebody else writes, too.
 *
 * @returns warnings for the output; of a dry run also that the change itself would be refused
 * @throws NavinError `k8s_operation_refused` where the change would be undone and is not forced
 */
export function ownerWarnings(
  kind: WorkloadKind,
  object: KubeObject,
  change: Change,
  { force, dryRun }: ChangeOptions,
): readonly string[] {
  const operator = controllerOf(object);
  const tool = gitOpsTool(object);
  const undone = [
    ...(operator === undefined ? [] : [`the ${operator} controls it and may undo this`]),
    ...(tool === undefined || change === 'rollout' ? [] : [`${tool} applies it from Git and may undo this`]),
  ];
  const name = textAt(object, 'metadata', 'name') ?? '';
  const isRefused = undone.length > 0 && force !== true;
  if (isRefused && dryRun !== true) {
    throw new NavinError('k8s_operation_refused', `The ${titled(kind, name)} is not its own: ${undone.join('; ')}`, {
      hint: `Make the change ${operator === undefined ? 'in Git' : `in the ${operator}`}, or use the option 'Force'`,
      details: { name, ...(operator === undefined ? {} : { operator }), ...(tool === undefined ? {} : { tool }) },
    });
  }
  const restarts =
    tool === undefined || change === 'declared'
      ? []
      : [`${tool} applies it from Git: where it takes this back, the pods are replaced once more`];
  return [...undone, ...restarts, ...(isRefused ? ["it is refused without the option 'Force'"] : [])];
}

/** The option that changes what somebody else writes, too. */
export const FORCE_OPTION = {
  displayName: 'Force',
  name: 'force',
  type: 'boolean',
  default: false,
  description: 'Whether to make the change although an operator or a GitOps tool may undo it',
} as const;
