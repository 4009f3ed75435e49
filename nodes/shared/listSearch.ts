import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { type ApiResource, type KubeClient, RESOURCES } from '../../core/kube';
import { attempt } from './attempt';
import { Connections } from './connection';
import { describeFailure, toNodeError } from './errors';
import { at, listAt, textAt } from './json';
import { KINDS, type KindName } from './kinds';
import { ALL_NAMESPACES } from './locators';
import { parameterInvalid } from './parameters';

/** Entries a page. */
const PAGE = 200;
/** With a filter pages are larger and more of them are read at once: the API server cannot search within names. */
const FILTER_PAGE = 1_000;
const MAX_FILTER_PAGES = 10;

/** The kinds whose containers can be chosen. */
const CONTAINED = ['pod', 'deployment', 'statefulset', 'daemonset'] as const satisfies readonly KindName[];

type Search = (client: KubeClient) => Promise<INodeListSearchResult>;

/** The names of a kind's objects in the chosen namespace, page by page, those that hold the filter. */
export async function searchObjects(
  context: ILoadOptionsFunctions,
  kind: KindName,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  return await searchObjectsOf(context, RESOURCES[KINDS[kind].plural], filter, token);
}

/** The same of a resource that is no kind of ours. */
export async function searchObjectsOf(
  context: ILoadOptionsFunctions,
  resource: ApiResource,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    return await searchNames(client, resource, namespaceOf(context, client), filter, token);
  });
}

/**
 * The keys of the Secret that a parameter names, without their values: they are read off the record of who owns which
 * field, so that the API server sends no value at all.
 */
export async function searchSecretKeys(
  context: ILoadOptionsFunctions,
  parameter: string,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const name = currentText(context, parameter, 'Secret');
    if (name === '') throw parameterInvalid('secretName', 'Secret', 'is not chosen yet');
    const page = await client.list(RESOURCES.secrets, {
      namespace: namespaceOf(context, client),
      fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, String.raw`\$&`)}`,
      metadataOnly: true,
    });
    const keys = page.items.flatMap(({ metadata }) => ownedKeys(metadata.managedFields));
    return {
      results: [...new Set(keys)]
        .sort()
        .filter((key) => matches(key, filter))
        .map((key) => ({ name: key, value: key })),
    };
  });
}

/** The keys of `data` that managers own. */
function ownedKeys(managedFields: unknown): readonly string[] {
  return listAt(managedFields).flatMap((manager) =>
    ['f:data', 'f:stringData'].flatMap((field) => {
      const owned = at(manager, 'fieldsV1', field);
      if (typeof owned !== 'object' || owned === null) return [];
      return Object.keys(owned).flatMap((key) => (key.startsWith('f:') ? [key.slice('f:'.length)] : []));
    }),
  );
}

/**
 * The namespaces; where the credential may not list them, its own one, which says so.
 * @param all whether all of them (`*`) can be chosen
 */
export async function searchNamespaces(
  context: ILoadOptionsFunctions,
  all: boolean,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const first = all && token === undefined && !filter ? [{ name: 'All Namespaces', value: ALL_NAMESPACES }] : [];
    const listed = await attempt(async () => await searchNames(client, RESOURCES.namespaces, undefined, filter, token));
    if (listed.error === undefined) return { ...listed.value, results: [...first, ...listed.value.results] };
    if (listed.error.code !== 'k8s_forbidden') throw listed.error;
    const { namespace } = client.target;
    const own = {
      name: `${namespace} (the credential may not list others)`,
      value: namespace,
      description:
        'The namespace of the credential. Listing all namespaces needs a ClusterRole, see docs/permissions.md.',
    };
    return { results: [...first, own] };
  });
}

/** The names of the objects of the kind that is chosen in the editor, in the chosen namespace where it has one. */
export async function searchObjectsOfKind(
  context: ILoadOptionsFunctions,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const kind = currentText(context, 'kind', 'Kind');
    if (kind === '') throw parameterInvalid('kind', 'Kind', 'is not chosen yet');
    return await searchNames(client, await client.resource(kind), namespaceOf(context, client), filter, token);
  });
}

/** Whose names are listed. */
export interface Labelled {
  readonly resource: ApiResource;
  readonly labelSelector: string;
}

/**
 * The names of objects that have labels, in the chosen namespace where the resource has one.
 * @param find the resource, which may have to be discovered
 */
export async function searchLabelled(
  context: ILoadOptionsFunctions,
  find: (client: KubeClient) => Promise<Labelled>,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const { resource, labelSelector } = await find(client);
    const namespace = resource.namespaced ? namespaceOf(context, client) : undefined;
    return await searchNames(client, resource, namespace, filter, token, labelSelector);
  });
}

/**
 * The kinds of the cluster, custom resources included, whose name or group holds the filter.
 * @param verbs what must be possible with them
 */
export async function searchKinds(
  context: ILoadOptionsFunctions,
  verbs: readonly string[],
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const resources = (await client.resources()).filter((resource) =>
      verbs.every((verb) => resource.verbs.includes(verb)),
    );
    const results = resources
      .map(({ group, plural, kind }) => ({
        name: group === '' ? kind : `${kind} (${group})`,
        value: group === '' ? plural : `${plural}.${group}`,
      }))
      .filter(({ name, value }) => matches(name, filter) || matches(value, filter))
      .sort((left, right) => left.name.localeCompare(right.name));
    return { results };
  });
}

/** The containers of the chosen pod or workload. */
export async function searchContainers(
  context: ILoadOptionsFunctions,
  filter: string | undefined,
): Promise<INodeListSearchResult> {
  return await search(context, async (client) => {
    const kind = CONTAINED.find((each) => each === context.getCurrentNodeParameter('resource')) ?? 'pod';
    const { title, plural } = KINDS[kind];
    const name = currentText(context, 'name', title);
    if (name === '') throw parameterInvalid('name', title, 'is not chosen yet');
    const object = await client.get(RESOURCES[plural], { namespace: namespaceOf(context, client), name });
    const spec = kind === 'pod' ? ['spec'] : ['spec', 'template', 'spec'];
    const names = ['containers', 'initContainers'].flatMap((list) =>
      listAt(object, ...spec, list).map((container) => ({
        name: textAt(container, 'name') ?? '',
        description: list === 'initContainers' ? 'Init container' : (textAt(container, 'image') ?? ''),
      })),
    );
    return {
      results: names.filter((entry) => matches(entry.name, filter)).map((entry) => ({ ...entry, value: entry.name })),
    };
  });
}

/** Runs a search on a connection of its own and turns errors into n8n's. */
async function search(context: ILoadOptionsFunctions, look: Search): Promise<INodeListSearchResult> {
  const connections = new Connections(context, undefined);
  try {
    return await look(await connections.open());
  } catch (error) {
    throw toNodeError(context.getNode(), describeFailure(error));
  } finally {
    connections.close();
  }
}

async function searchNames(
  client: KubeClient,
  resource: ApiResource,
  namespace: string | undefined,
  filter: string | undefined,
  token: string | undefined,
  labelSelector?: string,
): Promise<INodeListSearchResult> {
  const results: INodeListSearchItems[] = [];
  let next = token;
  for (let pages = 0; pages < MAX_FILTER_PAGES; pages += 1) {
    const limit = filter ? FILTER_PAGE : PAGE;
    const page = await client.list(resource, { namespace, limit, continue: next, metadataOnly: true, labelSelector });
    const names = page.items.map((item) => textAt(item, 'metadata', 'name') ?? '');
    results.push(...names.filter((name) => matches(name, filter)).map((name) => ({ name, value: name })));
    next = page.continue;
    if (next === undefined || results.length > 0) break;
  }
  return next === undefined ? { results } : { results, paginationToken: next };
}

function matches(name: string, filter: string | undefined): boolean {
  return name !== '' && name.toLowerCase().includes((filter ?? '').trim().toLowerCase());
}

/** The namespace chosen so far in the editor, or the one of the credential. */
function namespaceOf(context: ILoadOptionsFunctions, client: KubeClient): string {
  const chosen = currentText(context, 'namespace', 'Namespace');
  return chosen === '' ? client.target.namespace : chosen;
}

function currentText(context: ILoadOptionsFunctions, parameter: string, label: string): string {
  const value = context.getCurrentNodeParameter(parameter, { extractValue: true });
  const text = typeof value === 'string' ? value.trim() : '';
  // The editor cannot resolve an expression without the data of a run.
  if (text.startsWith('=')) {
    throw parameterInvalid(
      parameter,
      label,
      'is an expression, so there is nothing to list',
      "Choose 'By Name' instead",
    );
  }
  return text;
}
