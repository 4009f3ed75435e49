import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { LIMIT_FIELD, MANAGED_FIELDS_OPTION, RETURN_ALL_FIELD, SIMPLIFY_FIELD } from '../../../shared/fields';
import { namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { lastSeen, present, simplifyEvent } from '../../../shared/simplify';
import { INCONSISTENT } from '../getAll';

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
        {
          displayName: 'Newest First',
          name: 'newestFirst',
          type: 'boolean',
          default: true,
          description: 'Whether to read all events and return the newest first, instead of the first of the list',
        },
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

/** The most events that are read to find the newest. */
const MAX_EVENTS = 100_000;

/** The API server lists events by name, so the newest are found only by reading all. */
export async function* run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { returnAll, limit, simplify, options } = parameters;
  const wanted = returnAll ? MAX_EVENTS : limit;
  const newestFirst = options.newestFirst ?? true;
  const shown = (event: KubeObject) =>
    present(simplifyEvent, event, RESOURCES.events, { simplify, managedFields: options.managedFields });
  let newest: KubeObject[] = [];
  for await (const page of client.pages(RESOURCES.events, {
    namespace: parameters.namespace,
    fieldSelector: selectorOf(parameters),
    maxItems: newestFirst ? MAX_EVENTS : wanted,
  })) {
    if (page.inconsistent) context.note(INCONSISTENT);
    if (newestFirst) newest = newestOf([...newest, ...page.items], wanted);
    else yield page.items.map(shown);
  }
  if (newestFirst) yield newest.map(shown);
}

function newestOf(events: readonly KubeObject[], count: number): KubeObject[] {
  return events
    .map((event) => ({ event, time: Date.parse(lastSeen(event)) || 0 }))
    .sort((left, right) => right.time - left.time)
    .slice(0, count)
    .map(({ event }) => event);
}

function selectorOf({ type, objectKind, objectName, options }: Parameters): string {
  const fields: readonly (readonly [string, string])[] = [
    ['type', type === 'all' ? '' : type],
    ['involvedObject.kind', objectKind.trim()],
    ['involvedObject.name', objectName.trim()],
    ['reason', (options.reason ?? '').trim()],
  ];
  return fields
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, String.raw`\$&`)}`)
    .join(',');
}
