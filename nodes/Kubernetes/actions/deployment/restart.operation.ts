import { randomInt } from 'node:crypto';
import { NavinError } from '../../../../core/errors';
import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { at, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyDeployment } from '../../../shared/simplify';

export const description = defineOperation({
  name: 'Restart',
  value: 'restart',
  action: 'Restart deployment',
  description: 'Replace the pods of a deployment one after another, as kubectl rollout restart does',
  rightsGroup: 'workloads',
  rights: [
    { verb: 'get', group: 'apps', resource: 'deployments' },
    { verb: 'patch', group: 'apps', resource: 'deployments' },
  ],
  properties: [namespaceLocator(), nameLocator('deployment')],
});

/** The annotation kubectl writes, so that both see each other's restarts. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** Restarts by the annotation of the pod template; refused for a paused Deployment, which would not roll. */
export async function run(
  client: KubeClient,
  { namespace, name }: ParametersOf<typeof description>,
  { clock }: OperationContext,
): Promise<object> {
  const deployment = await client.get(RESOURCES.deployments, { namespace, name });
  if (at(deployment, 'spec', 'paused') === true) {
    throw new NavinError('k8s_operation_refused', `The Deployment ${name} is paused: a restart would have no effect`, {
      hint: 'Resume the Deployment first (kubectl rollout resume)',
      details: { namespace, name },
    });
  }
  const before = textAt(deployment, 'spec', 'template', 'metadata', 'annotations', RESTARTED_AT);
  const restartedAt = newTime(clock.now(), before);
  const after = await client.patch(
    RESOURCES.deployments,
    { namespace, name },
    { type: 'merge', body: { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: restartedAt } } } } } },
  );
  return { ...simplifyDeployment(after), restartedAt };
}

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
