import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { findTaint, type Taint, taintText, withTaint } from '../../../../core/machine';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { TRY_OPTION } from '../objectChanges';
import { changedNode, CORDON_RIGHTS } from './cordon';
import { changeTaints, TAINT_KEY_FIELD } from './taint';

export const description = defineOperation({
  name: 'Taint',
  value: 'taint',
  action: 'Taint node',
  description: 'Keep pods that do not tolerate it off a node',
  rightsGroup: 'maintenance',
  rights: CORDON_RIGHTS,
  properties: [
    nameLocator('node'),
    TAINT_KEY_FIELD,
    { displayName: 'Value', name: 'value', type: 'string', default: '', description: 'Value of the taint, if any' },
    {
      displayName: 'Effect',
      name: 'effect',
      type: 'options',
      default: 'NoSchedule',
      description: 'What happens to pods that do not tolerate the taint',
      options: [
        { name: 'No Execute', value: 'NoExecute', description: 'Pods on the node end, too; budgets are not asked' },
        { name: 'No Schedule', value: 'NoSchedule', description: 'No new pods come to the node' },
        { name: 'Prefer No Schedule', value: 'PreferNoSchedule', description: 'New pods come if nothing else is free' },
      ],
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        TRY_OPTION,
        {
          displayName: 'Overwrite',
          name: 'overwrite',
          type: 'boolean',
          default: false,
          description: 'Whether to replace the value of a taint of this key and effect',
        },
      ],
    },
  ],
});

/** Refused, as by kubectl, when the node has the taint with another value. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { name, key, value, effect, options } = parameters;
  const taint: Taint = { key: key.trim(), effect, ...(value.trim() === '' ? {} : { value: value.trim() }) };
  const add = (taints: readonly Taint[]): readonly Taint[] => {
    const present = findTaint(taints, taint);
    if (present !== undefined && (present.value ?? '') === (taint.value ?? '')) return taints;
    if (present !== undefined && options.overwrite !== true) throw otherValue(name, present);
    return withTaint(taints, taint);
  };
  const { dryRun } = options;
  return { ...changedNode(await changeTaints(client, name, add, { dryRun }), dryRun), taint: taintText(taint) };
}

function otherValue(node: string, taint: Taint): NavinError {
  return new NavinError('k8s_operation_refused', `The Node ${node} has the taint ${taintText(taint)} already`, {
    hint: "Set the option 'Overwrite' to give it the new value",
    details: { node, taint: taintText(taint) },
  });
}
