import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { changeComponent } from './change';
import { CHANGE_OPTIONS_FIELD, CHANGE_RIGHTS, confirmFields, whichFields } from './fields';

export const description = defineOperation({
  name: 'Set Maintenance',
  value: 'setMaintenance',
  action: 'Set maintenance of component',
  description: 'Refuse stop, restart, scale in, configuration and removal of a component, or allow them again',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: [
    ...whichFields(),
    {
      displayName: 'Maintenance',
      name: 'enabled',
      type: 'boolean',
      default: true,
      description: 'Whether the component is in maintenance from now on',
    },
    ...confirmFields(60),
    CHANGE_OPTIONS_FIELD,
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { enabled } = parameters;
  return await changeComponent(client, parameters, 'setMaintenance', { type: 'maintenance', enabled }, context);
}
