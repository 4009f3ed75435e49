import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import {
  LABEL_SELECTOR_OPTION,
  LIMIT_FIELD,
  MANAGED_FIELDS_OPTION,
  ONE_ITEM_PER_PAGE_OPTION,
  PAGE_SIZE_OPTION,
  RETURN_ALL_FIELD,
  SIMPLIFY_FIELD,
} from '../../../shared/fields';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { present, simplifyPod } from '../../../shared/simplify';
import { listObjects } from '../getAll';

export const description = defineOperation({
  name: 'Get Pods',
  value: 'getPods',
  action: 'Get pods on node',
  description: 'List the pods on a node, of all namespaces',
  rightsGroup: 'nodes',
  rights: [{ verb: 'list', group: '', resource: 'pods', clusterWide: true }],
  properties: [
    nameLocator('node'),
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [MANAGED_FIELDS_OPTION, LABEL_SELECTOR_OPTION, ONE_ITEM_PER_PAGE_OPTION, PAGE_SIZE_OPTION],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** A node that does not exist has no pods: the API server selects by the name alone. */
export function run(client: KubeClient, parameters: Parameters, context: OperationContext) {
  const { name, returnAll, limit, simplify, options } = parameters;
  const show = (pod: KubeObject) =>
    present(simplifyPod, pod, RESOURCES.pods, { simplify, managedFields: options.managedFields });
  const listed = { returnAll, limit, options: { ...options, fieldSelector: `spec.nodeName=${name}` } };
  return listObjects(client, RESOURCES.pods, listed, show, context);
}
