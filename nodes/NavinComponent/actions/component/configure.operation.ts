import type { Configuration } from '../../../../core/components';
import type { KubeClient } from '../../../../core/kube';
import { defined } from '../../../shared/json';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { INTERVAL_OPTION } from '../../../shared/wait';
import { budgetOf, OTHER_BUDGET_FIELDS } from './budget';
import { changeComponent } from './change';
import { OTHER_CHART_FIELDS, sourceOf } from './chart';
import { BLOCKED_OPTION, CHANGE_RIGHTS, confirmFields, ROLLOUT_SECONDS, TRY_OPTION, whichFields } from './fields';
import { SECRET_REFS_FIELD, secretRefsOf } from './secretRefs';
import { OTHER_VALUES_PARAMETERS, valuesOf } from './values';

export const description = defineOperation({
  name: 'Configure',
  value: 'configure',
  action: 'Configure component',
  description: 'Give a component another chart, other values, secret references or another disruption budget',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: [
    ...whichFields(),
    ...OTHER_CHART_FIELDS,
    ...OTHER_VALUES_PARAMETERS,
    {
      displayName: 'Remove Values',
      name: 'removeValues',
      type: 'string',
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Path' },
      default: [],
      placeholder: 'e.g. image.tag',
      description: 'Paths of values that go, so that the chart decides again',
    },
    {
      displayName: 'Secret References Mode',
      name: 'secretRefsMode',
      type: 'options',
      default: 'merge',
      description: 'What becomes of the secret references there are',
      options: [
        { name: 'Merge', value: 'merge', description: 'They stay, but for those with the same value path' },
        { name: 'Replace', value: 'replace', description: 'They go' },
      ],
    },
    SECRET_REFS_FIELD,
    ...OTHER_BUDGET_FIELDS,
    ...confirmFields(ROLLOUT_SECONDS),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [BLOCKED_OPTION, TRY_OPTION, INTERVAL_OPTION],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** `changed` is false where all of it is asked for already. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const configuration = configurationOf(parameters);
  return await changeComponent(client, parameters, 'configure', { type: 'configure', configuration }, context);
}

function configurationOf(parameters: Parameters): Configuration {
  const { valuesMode, removeValues, secretRefsMode } = parameters;
  const version = parameters.version.trim();
  const values = valuesOf(parameters);
  const refs = secretRefsOf(parameters);
  return defined({
    source: sourceOf(parameters),
    version: version === '' ? undefined : version === '*' ? null : version,
    values: values === undefined ? undefined : { mode: valuesMode, values },
    withoutValues: removeValues.map((path) => path.trim()).filter((path) => path !== ''),
    secretRefs: refs.length === 0 && secretRefsMode === 'merge' ? undefined : { mode: secretRefsMode, refs },
    pdb: budgetOf(parameters),
  });
}
