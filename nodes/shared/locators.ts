import { KINDS, type KindName } from './kinds';

/** The value that stands for all namespaces. */
export const ALL_NAMESPACES = '*';

/**
 * The parameter `namespace` of an operation on one object. Nothing chosen stands for the namespace of the credential.
 */
/* @__NO_SIDE_EFFECTS__ */
export function namespaceLocator() {
  return namespaceLocatorOf("The namespace to act in; the credential's own when none is chosen");
}

/** The same for the objects of a manifest. */
/* @__NO_SIDE_EFFECTS__ */
export function documentsNamespaceLocator() {
  return namespaceLocatorOf(
    "The namespace of objects that name none themselves; the credential's own when none is chosen",
  );
}

/** The same, filled with the namespace that something usually has. */
/* @__NO_SIDE_EFFECTS__ */
export function presetNamespaceLocator<const D extends string>(description: D, namespace: string) {
  return { ...namespaceLocatorOf(description), default: { mode: 'name', value: namespace } } as const;
}

/* @__NO_SIDE_EFFECTS__ */
function namespaceLocatorOf<const D extends string>(description: D) {
  return {
    displayName: 'Namespace',
    name: 'namespace',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    description,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchNamespaces', searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. production' },
    ],
  } as const;
}

/** The parameter `namespace` of an operation that lists: also all namespaces, `*`. */
/* @__NO_SIDE_EFFECTS__ */
export function namespacesLocator() {
  return namespacesLocatorOf(
    "The namespace to list, * for all of them; the credential's own when none is chosen",
    'e.g. production or *',
  );
}

/** The parameter `namespace` of whatever takes all namespaces, too, in its own words. */
/* @__NO_SIDE_EFFECTS__ */
export function namespacesLocatorOf<const D extends string, const E extends string>(description: D, placeholder: E) {
  return {
    displayName: 'Namespace',
    name: 'namespace',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    description,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchNamespacesOrAll', searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder },
    ],
  } as const;
}

/** The parameter `name` of an operation on one object of a kind. */
/* @__NO_SIDE_EFFECTS__ */
export function nameLocator<K extends KindName>(kind: K) {
  const { title, list } = KINDS[kind];
  return {
    displayName: title,
    name: 'name',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: `The ${kind} to act on`,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: list, searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. my-${kind}` },
    ],
  } as const;
}

/** The parameter `kind` of an operation on objects of any kind, custom resources included. */
/* @__NO_SIDE_EFFECTS__ */
export function kindLocator() {
  return {
    displayName: 'Kind',
    name: 'kind',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description:
      'The kind to act on: kind, plural or short name, with its group where it is not built in; custom resources too',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchKinds', searchable: true },
      },
      {
        displayName: 'By Name',
        name: 'name',
        type: 'string',
        placeholder: 'e.g. configmaps, deploy or Certificate.cert-manager.io',
      },
    ],
  } as const;
}

/** The parameter `name` of an operation on one object of the kind that is named. */
/* @__NO_SIDE_EFFECTS__ */
export function objectLocator() {
  return {
    displayName: 'Name',
    name: 'name',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The object to act on',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchObjectsOfKind', searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. web' },
    ],
  } as const;
}

/** The parameter `container` of an operation on the containers of the chosen pod or workload. */
/* @__NO_SIDE_EFFECTS__ */
export function containerLocator<const D extends string>(description: D) {
  return {
    displayName: 'Container',
    name: 'container',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    description,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchContainers', searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. app' },
    ],
  } as const;
}
