import { type ApiResource, holdsSecrets, isRecord, type KubeClient, type KubeObject } from '../../../core/kube';
import { inPhases } from '../../../core/manifest';
import { attempt } from '../../shared/attempt';
import { at, textAt } from '../../shared/json';
import type { ManifestObject } from '../../shared/manifest';
import type { OperationContext } from '../../shared/operation';
import { inParallel } from '../../shared/parallel';
import { parameterInvalid } from '../../shared/parameters';
import { holdsMask } from '../../shared/secretValues';
import { waitUntil } from '../../shared/wait';
import { isCronJob, refuseCronJob } from './cronjob/checks';
import { PartlyDone, type Outcome } from './partlyDone';

/** An object of a manifest, and where it goes. */
export interface Document {
  readonly object: ManifestObject;
  readonly resource: ApiResource;
  /** The namespace it names, else that of the node; undefined where the kind has none. */
  readonly namespace: string | undefined;
  /** Empty where Kubernetes makes the name. */
  readonly name: string;
}

/** What is done with a document. */
export type Act<R> = (document: Document) => Promise<R>;

/** So many writes are under way at once. */
export const AT_ONCE = 8;
/** How long the cluster may take to serve a kind that the same manifest defines, and how often is looked, in seconds. */
const KIND_WAIT = { timeoutSeconds: 60, intervalSeconds: 1 };

/**
 * Does the same with all objects of a manifest: in the order of what depends on what, several at once where that allows.
 * All are checked before the first is touched. What comes after a failure is not touched any more.
 *
 * @param namespace for objects that name none
 * @throws NavinError: of the one object there is; {@link PartlyDone} of several
 */
export async function inOrder<R>(
  client: KubeClient,
  objects: readonly ManifestObject[],
  namespace: string,
  act: Act<R>,
  context: OperationContext,
): Promise<readonly R[]> {
  const known = await checkedKinds(client, objects, namespace);
  const outcomes = new Map<ManifestObject, Outcome<R>>();
  for (const phase of inPhases(objects, ({ kind }) => kind)) {
    await inParallel(phase, AT_ONCE, async (object) => {
      const done = await attempt(async () => {
        const resource = known.get(typeText(object)) ?? (await newKind(client, object, context));
        return await act(placed(object, resource, namespace));
      });
      outcomes.set(object, done);
    });
    if ([...outcomes.values()].some(({ error }) => error !== undefined)) break;
  }
  return resultsOf(objects, outcomes);
}

/** Does the same with all objects of a manifest, each by itself, as reads allow; the first failure ends it. */
export async function withEach<R>(
  client: KubeClient,
  objects: readonly ManifestObject[],
  namespace: string,
  act: (document: Document | UnservedDocument) => Promise<R>,
): Promise<readonly R[]> {
  const known = await checkedKinds(client, objects, namespace);
  return await inParallel(objects, AT_ONCE, async (object) => {
    const resource = known.get(typeText(object));
    return await act(resource === undefined ? { object } : placed(object, resource, namespace));
  });
}

/** An object whose kind the cluster does not serve yet: the same manifest defines it. */
export interface UnservedDocument {
  readonly object: ManifestObject;
  readonly resource?: never;
}

/** What can be said of the objects before any of them is touched. */
async function checkedKinds(
  client: KubeClient,
  objects: readonly ManifestObject[],
  namespace: string,
): Promise<ReadonlyMap<string, ApiResource>> {
  checkDistinct(objects, namespace);
  const known = await kindsOf(client, objects);
  for (const object of objects) {
    const resource = known.get(typeText(object));
    if (resource !== undefined && isCronJob(resource)) refuseCronJob(object, 'manifest', 'Manifest');
    if (resource !== undefined && holdsSecrets(resource) && holdsMask(object)) {
      const what = `holds the Secret ${object.metadata.name ?? ''} with masked values, which would be lost`;
      throw parameterInvalid('manifest', 'Manifest', what, 'Leave the values out that shall stay as they are');
    }
  }
  return known;
}

/** The kinds of the objects that the cluster serves; the others are defined by the manifest itself. */
async function kindsOf(
  client: KubeClient,
  objects: readonly ManifestObject[],
): Promise<ReadonlyMap<string, ApiResource>> {
  const defined = new Set(objects.map(definedType).filter((type) => type !== undefined));
  const known = new Map<string, ApiResource>();
  for (const object of objects) {
    const type = typeText(object);
    if (known.has(type)) continue;
    const found = await attempt(async () => await client.resourceFor(object.apiVersion, object.kind));
    if (found.error === undefined) known.set(type, found.value);
    else if (found.error.code !== 'k8s_not_found' || !defined.has(groupKind(object))) throw found.error;
  }
  return known;
}

/** Waits until the cluster serves a kind that the manifest defines. */
async function newKind(
  client: KubeClient,
  { apiVersion, kind }: ManifestObject,
  context: OperationContext,
): Promise<ApiResource> {
  const look = async () => {
    const found = await attempt(async () => await client.resourceFor(apiVersion, kind));
    if (found.error !== undefined && found.error.code !== 'k8s_not_found') throw found.error;
    return found;
  };
  const { last } = await waitUntil(look, ({ error }) => error === undefined, context, KIND_WAIT);
  if (last.error !== undefined) throw last.error;
  return last.value;
}

function placed(object: ManifestObject, resource: ApiResource, namespace: string): Document {
  return {
    object,
    resource,
    namespace: resource.namespaced ? (object.metadata.namespace ?? namespace) : undefined,
    name: object.metadata.name ?? '',
  };
}

function checkDistinct(objects: readonly ManifestObject[], namespace: string): void {
  const seen = new Set<string>();
  for (const object of objects) {
    const { name, namespace: own = namespace } = object.metadata;
    if (name === undefined) continue;
    const key = `${groupKind(object)} ${own} ${name}`;
    if (seen.has(key)) throw parameterInvalid('manifest', 'Manifest', `holds the ${object.kind} ${name} twice`);
    seen.add(key);
  }
}

function resultsOf<R>(
  objects: readonly ManifestObject[],
  outcomes: ReadonlyMap<ManifestObject, Outcome<R>>,
): readonly R[] {
  const all = objects.map((object) => ({ object, outcome: outcomes.get(object) }));
  const failed = all.flatMap(({ outcome }) => outcome?.error ?? []);
  const [first] = failed;
  if (first === undefined)
    return all.flatMap(({ outcome }) => (outcome !== undefined && outcome.error === undefined ? [outcome.value] : []));
  throw objects.length === 1 ? first : new PartlyDone(all);
}

function typeText({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion ?? ''}/${kind ?? ''}`;
}

/** `Widget.example.com`; the version does not count. */
function groupKind({ apiVersion, kind }: ManifestObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return `${kind}.${group}`;
}

/** What a CustomResourceDefinition defines, as {@link groupKind}. */
function definedType(object: ManifestObject): string | undefined {
  if (object.kind !== 'CustomResourceDefinition' || !isRecord(at(object, 'spec'))) return undefined;
  return `${textAt(object, 'spec', 'names', 'kind') ?? ''}.${textAt(object, 'spec', 'group') ?? ''}`;
}
