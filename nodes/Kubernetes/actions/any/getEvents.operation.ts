import type { KubeClient } from '../../../../core/kube';
import { LIMIT_FIELD, RETURN_ALL_FIELD, SIMPLIFY_FIELD } from '../../../shared/fields';
import { kindLocator, namespaceLocator, objectLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { listEvents, NEWEST_FIRST_OPTION } from '../events';

export const description = defineOperation({
  name: 'Get Events',
  value: 'getEvents',
  action: 'Get events of any resource',
  description: 'List the events about one object of any kind: what happened to it in the last hour or so',
  rightsGroup: 'read',
  rights: [{ verb: 'list', group: '', resource: 'events' }],
  properties: [
    kindLocator(),
    namespaceLocator(),
    objectLocator(),
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [NEWEST_FIRST_OPTION],
    },
  ],
});

/** Where events about objects without a namespace are. */
const CLUSTER_EVENTS = 'default';

/** By kind and name: the object may be gone already, and need not be readable. */
export async function* run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const resource = await client.resource(parameters.kind);
  const namespace = resource.namespaced ? parameters.namespace : CLUSTER_EVENTS;
  const selected = { 'involvedObject.kind': resource.kind, 'involvedObject.name': parameters.name };
  yield* listEvents(client, selected, { ...parameters, namespace }, context);
}
