import { isNavinError, type ErrorCode } from '../errors';
import type { ApiResource } from './apiResource';
import { responseError } from './errors';
import { isRecord } from './kubeObject';
import { segment } from './paths';
import type { Requester } from './requester';

/** A group whose resources could not be read: mostly an aggregated API whose server is down. */
export interface DiscoveryFailure {
  readonly group: string;
  readonly version: string;
  /** `k8s_server_error` for a broken group, else what the request for it gave. */
  readonly code: ErrorCode;
}

/** What a cluster serves. */
export interface Discovered {
  /** In the order of preference of the API server: groups first, then versions within a group. */
  readonly resources: readonly ApiResource[];
  readonly failures: readonly DiscoveryFailure[];
}

/** Aggregated discovery: v2 since Kubernetes 1.30, v2beta1 since 1.27; older servers answer the last, plain form. */
const AGGREGATED = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Requests at once where each group has to be asked. */
const PARALLEL = 8;
/** More groups and versions than this are not asked one by one. */
const MAX_GROUP_VERSIONS = 2000;

/**
 * Everything the cluster serves, by two requests where it has aggregated discovery and by one a group version elsewhere.
 * Groups that are broken are reported and left out; the others count.
 *
 * @throws NavinError of the requests for the lists of groups
 */
export async function discover(requester: Requester, signal?: AbortSignal): Promise<Discovered> {
  const [core, groups] = await Promise.all(['/api', '/apis'].map((path) => get(requester, path, AGGREGATED, signal)));
  const parts = await Promise.all([
    readRoot(requester, core, legacyVersions, signal),
    readRoot(requester, groups, groupVersions, signal),
  ]);
  return {
    resources: parts.flatMap((part) => part.resources),
    failures: parts.flatMap((part) => part.failures),
  };
}

async function readRoot(
  requester: Requester,
  answer: unknown,
  versionsOf: (answer: unknown) => readonly GroupVersion[],
  signal: AbortSignal | undefined,
): Promise<Discovered> {
  if (isRecord(answer) && answer.kind === 'APIGroupDiscoveryList') return parseAggregated(answer);
  return eachGroup(requester, versionsOf(answer), signal);
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Reads an APIGroupDiscoveryList. A version that is `Stale` is of a group whose server does not answer. */
export function parseAggregated(answer: unknown): Discovered {
  const resources: ApiResource[] = [];
  const failures: DiscoveryFailure[] = [];
  for (const group of records(isRecord(answer) ? answer.items : undefined)) {
    const name = isRecord(group.metadata) ? text(group.metadata.name) : '';
    for (const version of records(group.versions)) {
      const groupVersion = { group: name, version: text(version.version) };
      if (version.freshness === 'Stale') failures.push({ ...groupVersion, code: 'k8s_server_error' });
      for (const resource of records(version.resources)) {
        const kind = isRecord(resource.responseKind) ? text(resource.responseKind.kind) : '';
        if (kind === '') continue;
        resources.push({
          ...groupVersion,
          plural: text(resource.resource),
          singular: text(resource.singularResource) || kind.toLowerCase(),
          kind,
          namespaced: resource.scope === 'Namespaced',
          verbs: texts(resource.verbs),
          shortNames: texts(resource.shortNames),
          subresources: records(resource.subresources).map((sub) => text(sub.subresource)),
        });
      }
    }
  }
  return { resources, failures };
}

/** Reads an APIResourceList; subresources are entries named `plural/subresource`. */
export function parseResourceList(answer: unknown, groupVersion: GroupVersion): readonly ApiResource[] {
  if (!isRecord(answer) || !Array.isArray(answer.resources)) throw responseError('The answer is no list of resources.');
  const entries = records(answer.resources);
  const subresources = entries.map((entry) => text(entry.name).split('/')).filter((parts) => parts.length === 2);
  return entries
    .filter((entry) => !text(entry.name).includes('/') && text(entry.kind) !== '')
    .map((entry) => ({
      group: groupVersion.group,
      version: groupVersion.version,
      plural: text(entry.name),
      singular: text(entry.singularName) || text(entry.kind).toLowerCase(),
      kind: text(entry.kind),
      namespaced: entry.namespaced === true,
      verbs: texts(entry.verbs),
      shortNames: texts(entry.shortNames),
      subresources: subresources.filter(([parent]) => parent === entry.name).map(([, name]) => name ?? ''),
    }));
}

function legacyVersions(answer: unknown): readonly GroupVersion[] {
  if (!isRecord(answer) || !Array.isArray(answer.versions)) throw responseError('The answer is no list of versions.');
  return texts(answer.versions).map((version) => ({ group: '', version }));
}

/** Group versions in order, the preferred version of each group first. */
function groupVersions(answer: unknown): readonly GroupVersion[] {
  if (!isRecord(answer) || !Array.isArray(answer.groups)) throw responseError('The answer is no list of API groups.');
  return records(answer.groups).flatMap((group) => {
    const preferred = isRecord(group.preferredVersion) ? text(group.preferredVersion.version) : '';
    const versions = records(group.versions).map((entry) => text(entry.version));
    const ordered = [
      ...versions.filter((name) => name === preferred),
      ...versions.filter((name) => name !== preferred),
    ];
    return ordered.map((version) => ({ group: text(group.name), version }));
  });
}

async function eachGroup(
  requester: Requester,
  groupVersionList: readonly GroupVersion[],
  signal: AbortSignal | undefined,
): Promise<Discovered> {
  if (groupVersionList.length > MAX_GROUP_VERSIONS) throw responseError('The cluster names too many API groups.');
  const failures: DiscoveryFailure[] = [];
  const found = new Map<GroupVersion, readonly ApiResource[]>();
  const queue = [...groupVersionList];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        const { group, version } = next;
        const root = group === '' ? '/api' : `/apis/${segment('group', group)}`;
        const answer = await get(requester, `${root}/${segment('version', version)}`, undefined, signal);
        found.set(next, parseResourceList(answer, next));
      } catch (error) {
        if (!isNavinError(error) || error.code === 'k8s_aborted') throw error;
        failures.push({ ...next, code: error.code });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { resources: groupVersionList.flatMap((entry) => found.get(entry) ?? []), failures };
}

function get(
  requester: Requester,
  path: string,
  accept: string | undefined,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return requester.json({ method: 'GET', path, accept, write: false, signal });
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
