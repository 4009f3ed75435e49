import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { defined, numberAt, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Delete',
  value: 'delete',
  action: 'Delete pod',
  description: 'Delete one pod; its owner may create another',
  rightsGroup: 'delete',
  rights: [{ verb: 'delete', group: '', resource: 'pods' }],
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
          displayName: 'Grace Period',
          name: 'gracePeriodSeconds',
          type: 'number',
          default: 30,
          typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
          description: "Seconds the containers have to end; 0 kills at once. The pod's own when not set.",
        },
        {
          displayName: 'Propagation Policy',
          name: 'propagationPolicy',
          type: 'options',
          default: 'Background',
          description: 'What happens to the objects the pod owns',
          options: [
            { name: 'Background', value: 'Background', description: 'Delete them after the pod' },
            { name: 'Foreground', value: 'Foreground', description: 'Delete them before the pod' },
            { name: 'Orphan', value: 'Orphan', description: 'Keep them' },
          ],
        },
        {
          displayName: 'UID',
          name: 'uid',
          type: 'string',
          default: '',
          description: 'Delete only the pod with this UID, not another one of the same name',
        },
      ],
    },
  ],
});

/** The API server has accepted the deletion; the pod is gone when its grace period is over. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { namespace, name, options } = parameters;
  const { gracePeriodSeconds, propagationPolicy, uid } = options;
  const answer = await client.delete(
    RESOURCES.pods,
    { namespace, name },
    {
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(uid ? { preconditions: { uid } } : {}),
    },
  );
  return defined({
    deleted: true,
    name,
    namespace,
    uid: textAt(answer, 'metadata', 'uid') ?? textAt(answer, 'details', 'uid'),
    gracePeriodSeconds: numberAt(answer, 'metadata', 'deletionGracePeriodSeconds'),
  });
}
