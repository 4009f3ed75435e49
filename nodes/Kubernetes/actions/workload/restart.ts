import { randomInt } from 'node:crypto';
import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { at, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { TRY_OPTION } from '../objectChanges';
import { BUDGET_RIGHT, budgetWarnings } from './budget';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { warned } from './warnings';
import { changeRights, readWorkload, resourceOf, shown, titled, triedOn, type WorkloadKind } from './workload';

/** The description of Restart. */
/* @__NO_SIDE_EFFECTS__ */
export function describeRestart<K extends WorkloadKind>(kind: K) {
  return defineOperation({
    name: 'Restart',
    value: 'restart',
    action: `Restart ${kind}`,
    description: `Replace the pods of a ${kind} one after another, as kubectl rollout restart does`,
    rightsGroup: 'workloads',
    rights: [...changeRights(kind), BUDGET_RIGHT],
    properties: [
      namespaceLocator(),
      nameLocator(kind),
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [TRY_OPTION, FORCE_OPTION],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeRestart<'deployment'>>>;

/** The annotation kubectl writes, so that both see each other's restarts. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** Restarts by the annotation of the pod template; refused for a paused Deployment, which would not roll. */
export async function restart(
  client: KubeClient,
  kind: WorkloadKind,
  { namespace, name, options }: Parameters,
  context: OperationContext,
): Promise<object> {
  const workload = await readWorkload(client, kind, { namespace, name });
  if (at(workload, 'spec', 'paused') === true) {
    throw new NavinError(
      'k8s_operation_refused',
      `The ${titled(kind, name)} is paused: a restart would have no effect`,
      {
        hint: 'Resume it first',
        details: { namespace, name },
      },
    );
  }
  const warnings = [
    ...ownerWarnings(kind, workload, 'rollout', options),
    ...(at(workload, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? [ON_DELETE] : []),
    ...(await budgetWarnings(client, namespace, workload)),
  ];
  const before = textAt(workload, 'spec', 'template', 'metadata', 'annotations', RESTARTED_AT);
  const restartedAt = newTime(context.clock.now(), before);
  const after = await client.patch(
    resourceOf(kind),
    { namespace, name },
    { type: 'merge', body: { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: restartedAt } } } } } },
    { dryRun: options.dryRun },
  );
  return shown(kind, after, {
    restartedAt,
    ...triedOn(workload, after, options.dryRun),
    ...warned(kind, name, warnings, context),
  });
}

/** Said of workloads that replace no pods by themselves. */
export const ON_DELETE = 'its update strategy is OnDelete: each pod is replaced when somebody deletes it';

/**
 * A time that differs from every other: RFC 3339 with the digits below the millisecond drawn at random, because two
 * restarts with an equal value are one (kubectl's, of whole seconds, are within a second).
 */
export function newTime(now: number, before: string | undefined, draw = (): number => randomInt(1_000_000)): string {
  for (;;) {
    const time = new Date(now).toISOString().replace('Z', `${String(draw()).padStart(6, '0')}Z`);
    if (time !== before) return time;
  }
}
