import { type KubeClient, RESOURCES } from '../../../core/kube';
import { MANAGED_FIELDS_OPTION, SIMPLIFY_FIELD } from '../../shared/fields';
import { KINDS, type KindName, type NamespacedKindName } from '../../shared/kinds';
import { nameLocator, namespaceLocator } from '../../shared/locators';
import { defineOperation } from '../../shared/operation';
import type { RightsGroup } from '../../shared/rights';
import { present, SIMPLIFY } from '../../shared/simplify';

/** The parameters every Get has after the object is named. */
export const GET_FIELDS = [
  SIMPLIFY_FIELD,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [MANAGED_FIELDS_OPTION],
  },
] as const;

/** The description of Get for a kind that lives in a namespace. */
/* @__NO_SIDE_EFFECTS__ */
export function describeGet<K extends NamespacedKindName, const G extends RightsGroup>(kind: K, rightsGroup: G) {
  const { group, plural } = KINDS[kind];
  return defineOperation({
    name: 'Get',
    value: 'get',
    action: `Get ${kind}`,
    description: `Get one ${kind} by name`,
    rightsGroup,
    rights: [{ verb: 'get', group, resource: plural }],
    properties: [namespaceLocator(), nameLocator(kind), ...GET_FIELDS],
  });
}

interface GetParameters {
  readonly namespace?: string;
  readonly name: string;
  readonly simplify: boolean;
  readonly options: { readonly managedFields?: boolean };
}

/** Get for a kind, with or without a namespace. */
export async function getObject(client: KubeClient, kind: KindName, parameters: GetParameters): Promise<object> {
  const { namespace, name, simplify, options } = parameters;
  const resource = RESOURCES[KINDS[kind].plural];
  const object = await client.get(resource, { namespace, name });
  return present(SIMPLIFY[kind], object, resource, { simplify, managedFields: options.managedFields });
}
