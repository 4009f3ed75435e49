import type { KubeClient } from '../../../../core/kube';
import { at, numberAt } from '../../../shared/json';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { findContainer, INIT_CONTAINER_OPTION } from './templateContainer';
import { warned } from './warnings';
import { changeRights, readWorkload, resourceOf, shown, type WorkloadKind } from './workload';

/** The description of Set Environment. */
/* @__NO_SIDE_EFFECTS__ */
export function describeSetEnvironment<K extends WorkloadKind>(kind: K) {
  return defineOperation({
    name: 'Set Environment',
    value: 'setEnvironment',
    action: `Set ${kind} environment`,
    description: `Set or remove environment variables of one container of a ${kind}, which rolls it out`,
    rightsGroup: 'workloads',
    rights: changeRights(kind),
    properties: [
      namespaceLocator(),
      nameLocator(kind),
      containerLocator('The container whose variables to set; may be left out when there is only one'),
      {
        displayName: 'Variables',
        name: 'variables',
        type: 'fixedCollection',
        typeOptions: { multipleValues: true },
        placeholder: 'Add Variable',
        default: {},
        description: 'The variables to set; the others stay',
        options: [
          {
            displayName: 'Variable',
            name: 'variable',
            values: [
              {
                displayName: 'Name',
                name: 'name',
                type: 'string',
                required: true,
                default: '',
                placeholder: 'e.g. LOG_LEVEL',
                description: 'The name of the variable',
              },
              {
                displayName: 'Value',
                name: 'value',
                type: 'string',
                default: '',
                description: 'Its value, which everybody sees who may read the object',
              },
            ],
          },
        ],
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [
          FORCE_OPTION,
          INIT_CONTAINER_OPTION,
          {
            displayName: 'Remove',
            name: 'remove',
            type: 'string',
            default: [],
            typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
            description: 'Names of variables to remove; those that are not there do not matter',
          },
        ],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeSetEnvironment<'deployment'>>>;

/** Values are sent and never shown: the output tells names only. */
export async function setEnvironment(
  client: KubeClient,
  kind: WorkloadKind,
  parameters: Parameters,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, options } = parameters;
  const set = parameters.variables.variable.map((variable) => ({ ...variable, name: checkedName(variable.name) }));
  const remove = (options.remove ?? []).map(checkedName);
  const names = [...set.map((variable) => variable.name), ...remove];
  if (names.length === 0)
    throw parameterInvalid('variables', 'Variables', 'is empty: there is nothing to set or remove');
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw parameterInvalid('variables', 'Variables', `names ${twice} twice`);
  const list = options.initContainer === true ? 'initContainers' : 'containers';
  const workload = await readWorkload(client, kind, { namespace, name });
  const { container } = findContainer(kind, workload, list, parameters.container);
  const warnings = ownerWarnings(kind, workload, 'declared', options.force);
  const env = [
    // A variable that was read from somewhere may not have a value beside it.
    ...set.map((variable) => ({ ...variable, valueFrom: null })),
    ...remove.map((each) => ({ name: each, $patch: 'delete' })),
  ];
  const after = await client.patch(
    resourceOf(kind),
    { namespace, name },
    { type: 'strategic', body: { spec: { template: { spec: { [list]: [{ name: container, env }] } } } } },
  );
  const paused = at(after, 'spec', 'paused') === true ? [PAUSED] : [];
  return shown(kind, after, {
    container,
    set: set.map((variable) => variable.name),
    removed: remove,
    changed: numberAt(workload, 'metadata', 'generation') !== numberAt(after, 'metadata', 'generation'),
    ...warned(kind, name, [...warnings, ...paused], context),
  });
}

const PAUSED = 'it is paused: the environment rolls out when it is resumed';

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || /[=\s\p{Cc}]/u.test(trimmed)) {
    throw parameterInvalid('variables', 'Variables', 'has a name that is empty or holds = or spaces');
  }
  return trimmed;
}
