import type { KubeClient } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { TRY_OPTION } from '../objectChanges';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { warned } from './warnings';
import { changeRights, readWorkload, resourceOf, shown, triedOn } from './workload';

/** What Pause and Resume share; only Deployments can be paused. */
const SHARED = {
  rightsGroup: 'workloads',
  rights: changeRights('deployment'),
  properties: [
    namespaceLocator(),
    nameLocator('deployment'),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [TRY_OPTION, FORCE_OPTION],
    },
  ],
} as const;

export const pauseDescription = defineOperation({
  name: 'Pause',
  value: 'pause',
  action: 'Pause deployment',
  description: 'Hold the rollout of a deployment: changes wait until it is resumed',
  ...SHARED,
});

export const resumeDescription = defineOperation({
  name: 'Resume',
  value: 'resume',
  action: 'Resume deployment',
  description: 'Go on with the rollout of a paused deployment',
  ...SHARED,
});

/** Pauses or resumes a Deployment. */
export async function setPaused(
  client: KubeClient,
  paused: boolean,
  { namespace, name, options }: ParametersOf<typeof pauseDescription>,
  context: OperationContext,
): Promise<object> {
  const before = await readWorkload(client, 'deployment', { namespace, name });
  const warnings = ownerWarnings('deployment', before, 'rollout', options);
  const after = await client.patch(
    resourceOf('deployment'),
    { namespace, name },
    { type: 'merge', body: { spec: { paused } } },
    { dryRun: options.dryRun },
  );
  const changed = (at(before, 'spec', 'paused') === true) !== paused;
  return shown('deployment', after, {
    changed,
    ...triedOn(before, after, options.dryRun),
    ...warned('deployment', name, warnings, context),
  });
}
