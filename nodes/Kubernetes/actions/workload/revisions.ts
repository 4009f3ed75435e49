import { type KubeClient, type KubeObject, RESOURCES, selectorText } from '../../../../core/kube';
import { NavinError } from '../../../../core/errors';
import { at, listAt, numberAt, textAt } from '../../../shared/json';
import { titled, type WorkloadKind } from './workload';

/** A state a workload had, as its controller keeps it. */
export interface Revision {
  readonly number: number;
  /** The ReplicaSet or ControllerRevision. */
  readonly object: KubeObject;
  /** The pod template of it. */
  readonly template: unknown;
}

const DEPLOYMENT_REVISION = 'deployment.kubernetes.io/revision';
/** The most revisions that are read; Kubernetes keeps ten unless told otherwise. */
const MAX_REVISIONS = 1_000;

/** The right to list the revisions of a kind. */
/* @__NO_SIDE_EFFECTS__ */
export function revisionRight(kind: WorkloadKind) {
  return {
    verb: 'list',
    group: 'apps',
    resource: kind === 'deployment' ? 'replicasets' : 'controllerrevisions',
  } as const;
}

/** The revisions of a workload, the newest first: by owner, because others may have the same labels. */
export async function revisionsOf(
  client: KubeClient,
  kind: WorkloadKind,
  workload: KubeObject,
): Promise<readonly Revision[]> {
  const labelSelector = selectorText(at(workload, 'spec', 'selector'));
  if (labelSelector === undefined) return [];
  const resource = kind === 'deployment' ? RESOURCES.replicasets : RESOURCES.controllerrevisions;
  const { namespace, uid } = workload.metadata;
  const revisions: Revision[] = [];
  for await (const { items } of client.pages(resource, { namespace, labelSelector, maxItems: MAX_REVISIONS })) {
    for (const object of items) {
      const owned = listAt(object, 'metadata', 'ownerReferences').some(
        (owner) => at(owner, 'controller') === true && textAt(owner, 'uid') === uid,
      );
      const number =
        kind === 'deployment'
          ? Number(textAt(object, 'metadata', 'annotations', DEPLOYMENT_REVISION))
          : numberAt(object, 'revision');
      if (!owned || number === undefined || !Number.isSafeInteger(number)) continue;
      const from = kind === 'deployment' ? ['spec', 'template'] : ['data', 'spec', 'template'];
      revisions.push({ number, object, template: at(object, ...from) });
    }
  }
  return revisions.sort((left, right) => right.number - left.number);
}

/**
 * The revision to go back to.
 *
 * @param wanted 0 for the one before the newest
 * @throws NavinError `k8s_not_found` with those there are
 */
export function chosenRevision(
  kind: WorkloadKind,
  name: string,
  revisions: readonly Revision[],
  wanted: number,
): Revision {
  const found = wanted === 0 ? revisions[1] : revisions.find(({ number }) => number === wanted);
  if (found !== undefined) return found;
  const numbers = revisions.map(({ number }) => number);
  const what = wanted === 0 ? 'no revision before the newest' : `no revision ${String(wanted)}`;
  throw new NavinError('k8s_not_found', `The ${titled(kind, name)} has ${what}`, {
    hint: `It has: ${numbers.length === 0 ? 'none' : numbers.join(', ')}. Kubernetes keeps as many as revisionHistoryLimit says.`,
    details: { revisions: numbers },
  });
}
