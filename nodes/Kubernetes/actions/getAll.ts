import { type KubeClient, RESOURCES } from '../../../core/kube';
import {
  FIELD_SELECTOR_OPTION,
  LABEL_SELECTOR_OPTION,
  LIMIT_FIELD,
  MANAGED_FIELDS_OPTION,
  RETURN_ALL_FIELD,
  SIMPLIFY_FIELD,
} from '../../shared/fields';
import { KINDS, type KindName, type NamespacedKindName } from '../../shared/kinds';
import { namespacesLocator } from '../../shared/locators';
import { defineOperation, type OperationContext } from '../../shared/operation';
import type { RightsGroup } from '../../shared/rights';
import { present, SIMPLIFY } from '../../shared/simplify';

/** The parameters every Get Many has after the namespace. */
export const GET_ALL_FIELDS = [
  RETURN_ALL_FIELD,
  LIMIT_FIELD,
  SIMPLIFY_FIELD,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [FIELD_SELECTOR_OPTION, MANAGED_FIELDS_OPTION, LABEL_SELECTOR_OPTION],
  },
] as const;

/** The description of Get Many for a kind that lives in a namespace. */
/* @__NO_SIDE_EFFECTS__ */
export function describeGetAll<const G extends RightsGroup>(kind: NamespacedKindName, rightsGroup: G) {
  const { group, plural } = KINDS[kind];
  return defineOperation({
    name: 'Get Many',
    value: 'getAll',
    action: `Get many ${plural}`,
    description: `List the ${plural} of a namespace or of all namespaces`,
    rightsGroup,
    rights: [{ verb: 'list', group, resource: plural }],
    allNamespaces: true,
    properties: [namespacesLocator(), ...GET_ALL_FIELDS],
  });
}

interface GetAllParameters {
  readonly namespace?: string;
  readonly returnAll: boolean;
  readonly limit: number;
  readonly simplify: boolean;
  readonly options: {
    readonly managedFields?: boolean;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
  };
}

/** Get Many for a kind: page by page, so that the next page is on its way while this one is made into items. */
export async function* getObjects(
  client: KubeClient,
  kind: KindName,
  { namespace, returnAll, limit, simplify, options }: GetAllParameters,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { managedFields, labelSelector, fieldSelector } = options;
  const resource = RESOURCES[KINDS[kind].plural];
  let noted = false;
  for await (const page of client.pages(resource, {
    namespace,
    labelSelector: labelSelector?.trim(),
    fieldSelector: fieldSelector?.trim(),
    dropManagedFields: managedFields !== true,
    ...(returnAll ? {} : { maxItems: limit }),
  })) {
    if (page.inconsistent && !noted) {
      noted = true;
      context.note(INCONSISTENT);
    }
    yield page.items.map((object) => present(SIMPLIFY[kind], object, resource, { simplify, managedFields }));
  }
}

/** Said when a list outlived the history of the API server. */
export const INCONSISTENT =
  'The list took longer than the API server keeps its history: objects that changed meanwhile may be missing or old.';
