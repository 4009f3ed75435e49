import type { ApiResource, KubeClient, KubeObject } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { LIMIT_FIELD, RETURN_ALL_FIELD, SIMPLIFY_FIELD } from '../../../shared/fields';
import { kindLocator, namespaceLocator, objectLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { listEvents, NEWEST_FIRST_OPTION } from '../events';
import { isAbout } from '../eventSubject';

export const description = defineOperation({
  name: 'Get Events',
  value: 'getEvents',
  action: 'Get events of any resource',
  description: 'List the events about one object of any kind: what happened to it in the last hour or so',
  rightsGroup: 'read',
  rights: [{ verb: 'list', group: '', resource: 'events' }],
  verbs: [{ verb: 'get', when: 'to leave out events of earlier objects of the name', optional: true }],
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
      options: [
        {
          displayName: 'Include Earlier Objects',
          name: 'earlier',
          type: 'boolean',
          default: false,
          description: 'Whether to list also the events about objects that had this name before and are gone',
        },
        NEWEST_FIRST_OPTION,
      ],
    },
  ],
});

/** Where events about objects without a namespace are. */
const CLUSTER_EVENTS = 'default';

type Parameters = ParametersOf<typeof description>;

/** By kind and name, and by uid where the object is there: it may be gone already, and need not be readable. */
export async function* run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const resource = await client.resource(parameters.kind);
  const namespace = resource.namespaced ? parameters.namespace : CLUSTER_EVENTS;
  const selected = { 'involvedObject.kind': resource.kind, 'involvedObject.name': parameters.name };
  const isWanted =
    parameters.options.earlier === true ? undefined : await aboutPresent(client, resource, parameters, context);
  yield* listEvents(client, selected, { ...parameters, namespace }, context, isWanted);
}

/** Which events are about the object that is there now; undefined where that cannot be told. */
async function aboutPresent(
  client: KubeClient,
  resource: ApiResource,
  { namespace, name }: Parameters,
  context: OperationContext,
): Promise<((event: KubeObject) => boolean) | undefined> {
  const found = await attempt(async () => await client.get(resource, { namespace, name }));
  if (found.error === undefined) return isAbout(found.value);
  if (found.error.code === 'k8s_forbidden') {
    context.note(
      `The ${resource.kind} ${name} may not be read: events about earlier ones of its name may be among these`,
    );
  }
  if (found.error.code === 'k8s_forbidden' || found.error.code === 'k8s_not_found') return undefined;
  throw found.error;
}
