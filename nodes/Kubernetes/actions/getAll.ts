import {
  type ApiResource,
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ListPage,
  type PackedItems,
  RESOURCES,
} from '../../../core/kube';
import {
  CONTINUE_AFTER_OPTION,
  FIELD_SELECTOR_OPTION,
  LABEL_SELECTOR_OPTION,
  LIMIT_FIELD,
  MANAGED_FIELDS_OPTION,
  ONE_ITEM_PER_PAGE_OPTION,
  PAGE_SIZE_OPTION,
  RETURN_ALL_FIELD,
  SIMPLIFY_FIELD,
} from '../../shared/fields';
import { textAt } from '../../shared/json';
import { JsonArrayFile } from '../../shared/jsonArrayFile';
import { KINDS, type KindName, type NamespacedKindName } from '../../shared/kinds';
import { namespacesLocator } from '../../shared/locators';
import { defineOperation, FileItem, type OperationContext } from '../../shared/operation';
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
    options: [
      CONTINUE_AFTER_OPTION,
      FIELD_SELECTOR_OPTION,
      MANAGED_FIELDS_OPTION,
      LABEL_SELECTOR_OPTION,
      ONE_ITEM_PER_PAGE_OPTION,
      PAGE_SIZE_OPTION,
    ],
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

interface ListParameters {
  readonly namespace?: string;
  readonly returnAll: boolean;
  readonly limit: number;
  readonly options: {
    readonly managedFields?: boolean;
    readonly metadataOnly?: boolean;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
    readonly onePerPage?: boolean;
    readonly pageSize?: number;
    readonly continueAfter?: string;
  };
}

/** Get Many for a kind with a simplified form. */
export function getObjects(
  client: KubeClient,
  kind: KindName,
  parameters: ListParameters & { readonly simplify: boolean },
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const resource = RESOURCES[KINDS[kind].plural];
  const { simplify, options } = parameters;
  const show = (object: KubeObject) =>
    present(SIMPLIFY[kind], object, resource, { simplify, managedFields: options.managedFields });
  return listObjects(client, resource, parameters, show, context);
}

/**
 * The list of a resource: page by page, so that the next page is on its way while this one is made into items.
 * @param show an object as the workflow gets it
 */
export async function* listObjects(
  client: KubeClient,
  resource: ApiResource,
  { namespace, returnAll, limit, options }: ListParameters,
  show: (object: KubeObject) => object,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { managedFields, metadataOnly, labelSelector, fieldSelector, onePerPage, pageSize, continueAfter } = options;
  const after = continueAfter?.trim() ?? '';
  const wanted = {
    namespace,
    metadataOnly,
    pageSize,
    labelSelector: labelSelector?.trim(),
    fieldSelector: fieldSelector?.trim(),
    dropManagedFields: managedFields !== true,
    ...(after === '' ? {} : { continue: after }),
    ...(returnAll ? {} : { maxItems: limit }),
  };
  let number = 0;
  let noted = false;
  const look = ({ inconsistent }: Pick<ListPage, 'inconsistent'>): void => {
    number += 1;
    if (!inconsistent || noted) return;
    noted = true;
    context.note(INCONSISTENT);
  };
  if (onePerPage === true) {
    for await (const page of client.packedPages(resource, { ...wanted, pageBytes: PAGE_BYTES })) {
      look(page);
      yield [pageItem(resource, number, page, show)];
    }
    return;
  }
  for await (const page of client.pages(resource, wanted)) {
    look(page);
    yield page.items.map(show);
  }
}

/** What a page of One Item per Page may weigh. Two are on their way while a third becomes a file. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** A page as one item: its objects are in the file. They are taken from the page, which is empty afterwards. */
function pageItem(
  resource: ApiResource,
  number: number,
  { items, inconsistent, continue: next }: ListPage<PackedItems>,
  show: (object: KubeObject) => object,
): FileItem {
  const file = new JsonArrayFile();
  const names: string[] = [];
  for (const object of items) {
    file.push(show(object));
    names[Math.min(names.length, 1)] = textAt(object, 'metadata', 'name') ?? '';
  }
  items.release();
  const json = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    page: number,
    count: items.length,
    first: names[0] ?? '',
    last: names.at(-1) ?? '',
    inconsistent,
    ...(next === undefined ? {} : { continue: next }),
  };
  return new FileItem(json, {
    name: `${resource.plural}-${String(number).padStart(4, '0')}.json`,
    mimeType: 'application/json',
    ...file.end(),
  });
}

/** Said when a list outlived the history of the API server. */
export const INCONSISTENT =
  'The list took longer than the API server keeps its history: objects that changed meanwhile may be missing or old.';
