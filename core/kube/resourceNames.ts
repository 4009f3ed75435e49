import { NavinError } from '../errors';
import { apiVersionOf, RESOURCES, type ApiResource } from './apiResource';
import { quoted } from './subject';

/** What a name may be read as: parts that are given must fit. */
interface Wanted {
  /** Plural, singular, kind or short name, in lower case. */
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
}

const MAX_LENGTH = 512;

/**
 * The resource a name means among those that a cluster serves, in their order of preference. Accepted in any letter case:
 * plural, singular, kind or short name (`pods`, `Pod`, `po`); with a group (`deployments.apps`, `Deployment.apps`, also
 * `deployments.v1.apps` as kubectl writes it); with a path (`apps/v1/Deployment`, `v1/Pod`, `apps/Deployment`,
 * `core/v1/pods`). Where several fit: the core group first, then the first served; a full name comes before a short name.
 */
export function findResource(resources: readonly ApiResource[], name: string): ApiResource | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const readings = readingsOf(name.trim());
  for (const exact of [true, false]) {
    for (const wanted of readings) {
      const fitting = resources.filter((resource) => fits(resource, wanted, exact));
      const found = fitting.find((resource) => resource.group === '') ?? fitting[0];
      if (found) return found;
    }
  }
  return undefined;
}

/** The same among the resources that every cluster serves: no discovery is needed for them. */
export function findBuiltIn(name: string): ApiResource | undefined {
  return findResource(Object.values(RESOURCES), name);
}

/** What a name with dots and slashes can mean, most likely first. */
function readingsOf(text: string): readonly Wanted[] {
  const name = text.toLowerCase();
  const path = name.split('/');
  if (path.length === 3) {
    const [group = '', version = '', last = ''] = path;
    return [{ group: group === 'core' ? '' : group, version, name: last }];
  }
  if (path.length === 2) {
    const [first = '', last = ''] = path;
    const core = first === 'core' ? '' : first;
    return [
      { group: '', version: first, name: last },
      { group: core, name: last },
    ];
  }
  if (path.length > 3) return [];
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return [{ name }];
  const group = rest.join('.');
  const [version = '', ...groupOfVersion] = rest;
  const readings: Wanted[] = [{ name: first, group: group === 'core' ? '' : group }];
  if (/^v\d/.test(version)) readings.push({ name: first, version, group: groupOfVersion.join('.') });
  return readings;
}

function fits(resource: ApiResource, wanted: Wanted, exact: boolean): boolean {
  if (wanted.group !== undefined && wanted.group !== resource.group) return false;
  if (wanted.version !== undefined && wanted.version !== resource.version) return false;
  const names = exact ? [resource.plural, resource.kind, resource.singular] : resource.shortNames;
  return names.some((name) => name.toLowerCase() === wanted.name);
}

/** The resource of an object by its `apiVersion` and `kind`. */
export function findByKind(
  resources: readonly ApiResource[],
  apiVersion: string,
  kind: string,
): ApiResource | undefined {
  return resources.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
}

/** The error for a name that nothing fits, with up to three names that are near. */
export function unknownResource(name: string, resources: readonly ApiResource[]): NavinError {
  const suggestions = suggest(name, resources);
  return new NavinError('k8s_not_found', `The cluster serves no resource ${quoted(name)}.`, {
    hint:
      suggestions.length > 0
        ? `Did you mean ${suggestions.map((each) => quoted(each)).join(' or ')}?`
        : 'Give the kind, the plural name, or kind.group; a CustomResourceDefinition may be missing.',
    details: { missing: 'kind', suggestions },
  });
}

/** Names that differ from a mistyped one by little; the nearest first. */
export function suggest(name: string, resources: readonly ApiResource[]): readonly string[] {
  const typed = name.trim().toLowerCase().split('/').at(-1)?.split('.')[0] ?? '';
  if (typed.length < 2 || typed.length > 100) return [];
  const limit = typed.length <= 4 ? 1 : 2;
  const near = new Map<string, number>();
  for (const resource of resources) {
    const shown = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
    const distance = Math.min(
      ...[resource.plural, resource.singular, resource.kind.toLowerCase()].map((each) =>
        editDistance(typed, each, limit),
      ),
    );
    if (distance <= limit) near.set(shown, Math.min(distance, near.get(shown) ?? distance));
  }
  return [...near.entries()]
    .sort(([left, a], [right, b]) => a - b || left.length - right.length || (left < right ? -1 : 1))
    .slice(0, 3)
    .map(([shown]) => shown);
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; `limit + 1` when there are more. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return Math.min(row[right.length] ?? 0, limit + 1);
}
