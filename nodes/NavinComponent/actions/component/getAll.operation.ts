import { COMPONENTS, confirmedOf } from '../../../../core/components';
import type { KubeClient, KubeObject } from '../../../../core/kube';
import {
  LABEL_SELECTOR_OPTION,
  LIMIT_FIELD,
  MANAGED_FIELDS_OPTION,
  RETURN_ALL_FIELD,
  SIMPLIFY_FIELD,
} from '../../../shared/fields';
import { namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { present, simplifyComponent } from '../../../shared/simplify';
import { LIST_RIGHTS } from './fields';
import { explained } from './read';
import { withoutSecrets } from './whole';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many components',
  description: 'List components, all or those in some state, with what their operator confirms',
  rightsGroup: 'components',
  rights: LIST_RIGHTS,
  allNamespaces: true,
  properties: [
    namespacesLocator(),
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    SIMPLIFY_FIELD,
    {
      displayName: 'Filters',
      name: 'filters',
      type: 'collection',
      placeholder: 'Add filter',
      default: {},
      options: [
        {
          displayName: 'Convergence',
          name: 'convergence',
          type: 'options',
          default: 'notConverged',
          description: 'Only components that are, or are not, as they shall be',
          options: [
            { name: 'Converged', value: 'converged' },
            { name: 'Not Converged', value: 'notConverged' },
          ],
        },
        {
          displayName: 'Health',
          name: 'health',
          type: 'multiOptions',
          default: [],
          description: 'Only components whose Pods are in one of these conditions',
          options: [
            { name: 'Critical', value: 'critical' },
            { name: 'OK', value: 'ok' },
            { name: 'Unknown', value: 'unknown' },
            { name: 'Warning', value: 'warning' },
          ],
        },
        LABEL_SELECTOR_OPTION,
        {
          displayName: 'Operation',
          name: 'operationState',
          type: 'multiOptions',
          default: [],
          description: 'Only components whose newest operation is so',
          options: [
            { name: 'Blocked', value: 'blocked' },
            { name: 'Failed', value: 'failed' },
            { name: 'Idle', value: 'idle' },
            { name: 'Running', value: 'running' },
            { name: 'Succeeded', value: 'succeeded' },
          ],
        },
        {
          displayName: 'Security',
          name: 'securityState',
          type: 'multiOptions',
          default: [],
          description: 'Only components that render what is allowed, or what is not',
          options: [
            { name: 'Compliant', value: 'compliant' },
            { name: 'Not Compliant', value: 'non_compliant' },
            { name: 'Unknown', value: 'unknown' },
          ],
        },
        {
          displayName: 'State',
          name: 'state',
          type: 'multiOptions',
          default: [],
          description: 'Only components in one of these states',
          options: [
            { name: 'Failed', value: 'failed' },
            { name: 'Installing', value: 'installing' },
            { name: 'Started', value: 'started' },
            { name: 'Starting', value: 'starting' },
            { name: 'Stopped', value: 'stopped' },
            { name: 'Stopping', value: 'stopping' },
            { name: 'Uninstalling', value: 'uninstalling' },
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
      options: [MANAGED_FIELDS_OPTION],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Filters look at the status, which the API server cannot select by: pages are read until enough was found. */
export async function* run(
  client: KubeClient,
  { namespace, returnAll, limit, simplify, filters, options }: Parameters,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { managedFields } = options;
  const listing = {
    namespace,
    labelSelector: filters.labelSelector?.trim(),
    dropManagedFields: managedFields !== true,
    ...(returnAll || isFiltering(filters) ? {} : { maxItems: limit }),
  };
  let left = returnAll ? Infinity : limit;
  let isInconsistent = false;
  try {
    for await (const { items, inconsistent } of client.pages(COMPONENTS, listing)) {
      isInconsistent ||= inconsistent;
      const found = items.filter((component) => passes(component, filters)).slice(0, left);
      yield found.map((component) =>
        present(simplifyComponent, withoutSecrets(component), COMPONENTS, { simplify, managedFields }),
      );
      left -= found.length;
      if (left <= 0) break;
    }
  } catch (error) {
    throw explained(error);
  }
  if (isInconsistent) {
    context.note('The list took longer than the API server keeps its history: components may be missing or old.');
  }
}

type Filters = Parameters['filters'];

function isFiltering({ labelSelector, ...filters }: Filters): boolean {
  void labelSelector;
  return Object.keys(filters).length > 0;
}

/** Nothing chosen in a filter lets everything pass. */
function passes(component: KubeObject, filters: Filters): boolean {
  const confirmed = confirmedOf(component);
  if (filters.convergence !== undefined && confirmed.converged !== (filters.convergence === 'converged')) return false;
  return (['state', 'health', 'operationState', 'securityState'] as const).every((dimension) => {
    const wanted: readonly string[] = filters[dimension] ?? [];
    return wanted.length === 0 || wanted.includes(confirmed[dimension]);
  });
}
