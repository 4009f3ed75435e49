import { COMPONENTS } from '../../../../core/components';
import type { KubeClient } from '../../../../core/kube';
import { MANAGED_FIELDS_OPTION, SIMPLIFY_FIELD } from '../../../shared/fields';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { present, simplifyComponent } from '../../../shared/simplify';
import { GET_RIGHTS, whichFields } from './fields';
import { readComponent } from './read';
import { withoutSecrets } from './whole';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get component',
  description: 'Get one component with what its operator confirms of it',
  rightsGroup: 'components',
  rights: GET_RIGHTS,
  properties: [
    ...whichFields(),
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [MANAGED_FIELDS_OPTION],
    },
  ],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { simplify, options } = parameters;
  const component = withoutSecrets(await readComponent(client, parameters));
  return present(simplifyComponent, component, COMPONENTS, { simplify, managedFields: options.managedFields });
}
