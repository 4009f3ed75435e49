import { NavinError } from '../../../core/errors';
import type { ApiResource, DeleteOptions, KubeClient, KubeObject } from '../../../core/kube';
import { attempt } from '../../shared/attempt';
import { defined, listAt, numberAt, textAt } from '../../shared/json';
import type { OperationContext } from '../../shared/operation';
import { inParallel } from '../../shared/parallel';
import type { Selected } from '../../shared/selection';
import { type WaitOptions, waitUntil } from '../../shared/wait';
import { AT_ONCE } from './documents';
import { type Outcome, resultsOfEach } from './partlyDone';

/** Which very object. */
export interface Deleted {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  /** Absent: it was gone when it was to be deleted. */
  readonly answer?: KubeObject;
}

/** Deletes one object by name. The API server answers when the deletion is accepted; it may take long to end. */
export async function deleteOne(
  client: KubeClient,
  resource: ApiResource,
  ref: { readonly namespace: string; readonly name: string },
  options: DeleteOptions,
): Promise<Deleted> {
  const answer = await client.delete(resource, ref, options);
  return {
    name: ref.name,
    namespace: resource.namespaced ? ref.namespace : undefined,
    uid: textAt(answer, 'metadata', 'uid') ?? textAt(answer, 'details', 'uid'),
    answer,
  };
}

/**
 * Deletes objects that were found, several at once: those very ones, by uid, not others that have their names by now.
 * What is gone already counts as deleted.
 * @throws PartlyDone when some of several could not be deleted; the others are
 */
export async function deleteFound(
  client: KubeClient,
  resource: ApiResource,
  found: readonly Selected[],
  options: DeleteOptions,
): Promise<readonly Deleted[]> {
  const outcomes = await inParallel(found, AT_ONCE, async ({ metadata }): Promise<Outcome<Deleted>> => {
    const { name = '', namespace, uid } = metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const deletion = await attempt(
      async () => await client.delete(resource, { name, namespace }, { ...options, ...preconditions }),
    );
    if (deletion.error === undefined) return { value: { name, namespace, uid, answer: deletion.value } };
    const { code } = deletion.error;
    return code === 'k8s_not_found' || code === 'k8s_conflict' ? { value: { name, namespace, uid } } : deletion;
  });
  return resultsOfEach(found, outcomes);
}

/** An object that is not gone yet. */
interface Left {
  readonly deleted: Deleted;
  readonly finalizers: readonly string[];
}

/**
 * Waits until all are gone. Another object of the same name is not waited for.
 * @throws NavinError `k8s_wait_failed` naming what is left and its finalizers, unless `onFailure` says otherwise
 */
export async function waitUntilGone(
  client: KubeClient,
  resource: ApiResource,
  all: readonly Deleted[],
  context: OperationContext,
  options: WaitOptions & { readonly onFailure: 'error' | 'output' },
): Promise<{ readonly left: ReadonlyMap<Deleted, readonly string[]>; readonly seconds: number }> {
  let there = all;
  const look = async (): Promise<readonly Left[]> => {
    const looked = await inParallel(there, AT_ONCE, async (deleted) => await stillThere(client, resource, deleted));
    const left = looked.filter((each) => each !== undefined);
    there = left.map(({ deleted }) => deleted);
    return left;
  };
  const { last, done, seconds } = await waitUntil(look, (left) => left.length === 0, context, options);
  if (!done && options.onFailure === 'error') throw notGone(resource, last, options.timeoutSeconds);
  return { left: new Map(last.map(({ deleted, finalizers }) => [deleted, finalizers])), seconds };
}

async function stillThere(client: KubeClient, resource: ApiResource, deleted: Deleted): Promise<Left | undefined> {
  const { name, namespace, uid } = deleted;
  const found = await attempt(async () => await client.get(resource, { name, namespace }));
  if (found.error !== undefined) {
    if (found.error.code === 'k8s_not_found') return undefined;
    throw found.error;
  }
  const { metadata } = found.value;
  if (uid !== undefined && metadata.uid !== uid) return undefined;
  const finalizers = listAt(metadata, 'finalizers').filter((finalizer) => typeof finalizer === 'string');
  return { deleted, finalizers };
}

function notGone({ kind }: ApiResource, left: readonly Left[], seconds: number): NavinError {
  const [first] = left;
  const held = [...new Set(left.flatMap(({ finalizers }) => finalizers))].slice(0, 10);
  const what = left.length === 1 ? `${kind} ${first?.deleted.name ?? ''} is` : `${String(left.length)} objects are`;
  const why = held.length === 0 ? '' : `: held by the finalizers ${held.join(', ')}`;
  return new NavinError('k8s_wait_failed', `${what} deleted but not gone after ${String(seconds)} s${why}`, {
    hint: 'What has set the finalizers removes them when it is ready; containers may use their grace period',
    details: { left: left.slice(0, 100).map(({ deleted }) => deleted.name), finalizers: held },
  });
}

/** A deleted object as the workflow gets it. */
export function deletedItem({ kind }: ApiResource, { name, namespace, uid, answer }: Deleted): object {
  return defined({
    deleted: true,
    kind,
    name,
    namespace,
    uid,
    gracePeriodSeconds: numberAt(answer, 'metadata', 'deletionGracePeriodSeconds'),
  });
}
