import type { KubeClient } from '../../../../core/kube';
import { defined, listAt, numberAt, textAt } from '../../../shared/json';
import { KINDS } from '../../../shared/kinds';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { type Revision, revisionRight, revisionsOf } from './revisions';
import { readWorkload, type WorkloadKind } from './workload';

/** The description of Get Rollout History. */
/* @__NO_SIDE_EFFECTS__ */
export function describeRolloutHistory<K extends WorkloadKind>(kind: K) {
  const { group, plural } = KINDS[kind];
  return defineOperation({
    name: 'Get Rollout History',
    value: 'getRolloutHistory',
    action: `Get ${kind} rollout history`,
    description: `List the revisions of a ${kind} that can be gone back to, the newest first`,
    rightsGroup: 'read',
    rights: [{ verb: 'get', group, resource: plural }, revisionRight(kind)],
    properties: [namespaceLocator(), nameLocator(kind)],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeRolloutHistory<'deployment'>>>;

/** One item for each revision; `current` is the one that is rolled out or being rolled out. */
export async function getRolloutHistory(
  client: KubeClient,
  kind: WorkloadKind,
  { namespace, name }: Parameters,
): Promise<readonly object[]> {
  const workload = await readWorkload(client, kind, { namespace, name });
  const revisions = await revisionsOf(client, kind, workload);
  return revisions.map((revision, index) => ({ name, namespace, ...shownRevision(revision), current: index === 0 }));
}

function shownRevision({ number, object, template }: Revision): object {
  const containers = [...listAt(template, 'spec', 'initContainers'), ...listAt(template, 'spec', 'containers')];
  return defined({
    revision: number,
    images: Object.fromEntries(
      containers.map((container) => [textAt(container, 'name') ?? '', textAt(container, 'image') ?? '']),
    ),
    changeCause: textAt(object, 'metadata', 'annotations', 'kubernetes.io/change-cause'),
    restartedAt: textAt(template, 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt'),
    replicas: numberAt(object, 'status', 'replicas'),
    object: textAt(object, 'metadata', 'name'),
    createdAt: textAt(object, 'metadata', 'creationTimestamp'),
  });
}
