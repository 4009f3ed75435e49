import type { KubeClient } from '../../../../core/kube';
import { evictPod } from '../../../../core/machine';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Evict',
  value: 'evict',
  action: 'Evict pod',
  description: 'Evict one pod if its disruption budget has room; its owner may create another',
  rightsGroup: 'delete',
  rights: [{ verb: 'create', group: '', resource: 'pods', subresource: 'eviction' }],
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Dry Run',
          name: 'dryRun',
          type: 'boolean',
          default: false,
          description: 'Whether only to ask the budget, and to change nothing',
        },
        {
          displayName: 'Grace Period',
          name: 'gracePeriodSeconds',
          type: 'number',
          default: 30,
          typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
          description: "Seconds the containers have to end; the pod's own when not set",
        },
        {
          displayName: 'UID',
          name: 'uid',
          type: 'string',
          default: '',
          description: 'Evict only the pod with this UID, not another one of the same name',
        },
      ],
    },
  ],
});

/** A budget without room ends in k8s_operation_refused, which names it. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { namespace, name, options } = parameters;
  const { dryRun = false, gracePeriodSeconds } = options;
  const uid = options.uid?.trim() === '' ? undefined : options.uid?.trim();
  await evictPod(client, { namespace, name, uid }, { dryRun, gracePeriodSeconds });
  return { evicted: !dryRun, dryRun, name, namespace };
}
