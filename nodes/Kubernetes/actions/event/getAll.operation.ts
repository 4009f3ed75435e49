import type { KubeClient } from '../../../../core/kube';
import { LIMIT_FIELD, MANAGED_FIELDS_OPTION, RETURN_ALL_FIELD, SIMPLIFY_FIELD } from '../../../shared/fields';
import { namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { listEvents, NEWEST_FIRST_OPTION } from '../events';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many events',
  description: 'List events: what happened to objects in the last hour or so',
  rightsGroup: 'read',
  rights: [{ verb: 'list', group: '', resource: 'events' }],
  allNamespaces: true,
  properties: [
    namespacesLocator(),
    {
      displayName: 'Type',
      name: 'type',
      type: 'options',
      default: 'all',
      description: 'Which events to list',
      options: [
        { name: 'All', value: 'all' },
        { name: 'Normal', value: 'Normal' },
        { name: 'Warning', value: 'Warning' },
      ],
    },
    {
      displayName: 'Object Kind',
      name: 'objectKind',
      type: 'string',
      default: '',
      placeholder: 'e.g. Pod',
      description: 'Only events about objects of this kind; all kinds when empty',
    },
    {
      displayName: 'Object Name',
      name: 'objectName',
      type: 'string',
      default: '',
      placeholder: 'e.g. web-7d4b9',
      description: 'Only events about objects of this name; all names when empty',
    },
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        MANAGED_FIELDS_OPTION,
        NEWEST_FIRST_OPTION,
        {
          displayName: 'Reason',
          name: 'reason',
          type: 'string',
          default: '',
          placeholder: 'e.g. BackOff',
          description: 'Only events with this reason',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** The events of a namespace, or of all. */
export function run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { type, objectKind, objectName, options } = parameters;
  const selected = {
    type: type === 'all' ? '' : type,
    'involvedObject.kind': objectKind.trim(),
    'involvedObject.name': objectName.trim(),
    reason: (options.reason ?? '').trim(),
  };
  return listEvents(client, selected, parameters, context);
}
