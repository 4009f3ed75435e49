import type { ApiResource, DeleteOptions, KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { defined } from '../../../shared/json';
import { kindLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { DEFAULT_MAX_OBJECTS, MAX_OBJECTS_OPTION, selectionFields, selectObjects } from '../../../shared/selection';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields } from '../../../shared/wait';
import { DRY_RUN_OPTION } from '../../../shared/write';
import { type Deleted, deletedItem, deleteFound, deleteOne, waitUntilGone } from '../delete';

const WAITING = { wait: [true] } as const;

export const description = defineOperation({
  name: 'Delete',
  value: 'delete',
  action: 'Delete any resource',
  description: 'Delete one object of any kind by name, or all of a namespace that match a selector',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'delete' }, { verb: 'list', when: 'by selector' }, { verb: 'get', when: 'with Wait Until Gone' }],
  properties: [
    kindLocator(),
    namespaceLocator(),
    ...selectionFields(),
    {
      displayName: 'Wait Until Gone',
      name: 'wait',
      type: 'boolean',
      default: false,
      description: 'Whether to wait until the objects are gone, not only on their way out',
    },
    ...waitFields(300, WAITING),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        DRY_RUN_OPTION,
        {
          displayName: 'Grace Period',
          name: 'gracePeriodSeconds',
          type: 'number',
          default: 30,
          typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
          description: "Seconds a pod has to end; 0 ends it at once. The object's own when not set.",
        },
        {
          displayName: 'Ignore Not Found',
          name: 'ignoreNotFound',
          type: 'boolean',
          default: false,
          description: 'Whether it is fine when the named object is not there',
        },
        MAX_OBJECTS_OPTION,
        INTERVAL_OPTION,
        {
          displayName: 'Propagation Policy',
          name: 'propagationPolicy',
          type: 'options',
          default: 'Background',
          description: 'What happens to the objects it owns',
          options: [
            { name: 'Background', value: 'Background', description: 'Delete them after it' },
            { name: 'Foreground', value: 'Foreground', description: 'Delete them before it' },
            { name: 'Orphan', value: 'Orphan', description: 'Keep them' },
          ],
        },
        {
          displayName: 'UID',
          name: 'uid',
          type: 'string',
          default: '',
          description: 'Delete only the object with this UID, not another one of the same name',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** The API server accepts a deletion at once; the object is gone when its finalizers and grace period are over. */
export async function run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): Promise<readonly object[]> {
  const { name, wait, timeoutSeconds, onFailure, options } = parameters;
  const resource = await client.resource(parameters.kind);
  const all = await deleteSelected(client, resource, parameters);
  if (all === undefined) return [{ deleted: false, kind: resource.kind, name }];
  const items = all.map((deleted) => ({
    ...deletedItem(resource, deleted),
    ...(options.dryRun ? { dryRun: true } : {}),
  }));
  if (!wait || options.dryRun === true) return items;
  const intervalSeconds = options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS;
  const waiting = { timeoutSeconds, intervalSeconds, onFailure };
  const { left, seconds } = await waitUntilGone(client, resource, all, context, waiting);
  return items.map((item, index) => {
    const deleted = all[index];
    const finalizers = deleted === undefined ? undefined : left.get(deleted);
    return defined({ ...item, gone: finalizers === undefined, waitedSeconds: seconds, finalizers });
  });
}

/** Undefined: the object is not there, and that is fine. */
async function deleteSelected(
  client: KubeClient,
  resource: ApiResource,
  parameters: Parameters,
): Promise<readonly Deleted[] | undefined> {
  const { namespace, select, name, options } = parameters;
  const uid = options.uid?.trim() ?? '';
  const { gracePeriodSeconds, propagationPolicy, dryRun } = options;
  const deletion: DeleteOptions = { gracePeriodSeconds, propagationPolicy, dryRun };
  if (select === 'selector') {
    if (uid !== '') throw parameterInvalid('options', 'Options > UID', 'is for one object by name, not for a selector');
    const found = await selectObjects(client, resource, parameters, options.maxObjects ?? DEFAULT_MAX_OBJECTS);
    return await deleteFound(client, resource, found, deletion);
  }
  const preconditions = uid === '' ? {} : { preconditions: { uid } };
  const deleted = await attempt(
    async () => await deleteOne(client, resource, { namespace, name }, { ...deletion, ...preconditions }),
  );
  if (deleted.error === undefined) return [deleted.value];
  const isAbsent = deleted.error.code === 'k8s_not_found' && deleted.error.details.missing === 'object';
  if (options.ignoreNotFound === true && isAbsent) return undefined;
  throw deleted.error;
}
