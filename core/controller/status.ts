import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock';
import { isNavinError } from '../errors';
import { isNotFound, type ApiResource, type KubeClient, type KubeObject } from '../kube';

/** What a status is written with. */
export interface StatusMeans {
  readonly client: Pick<KubeClient, 'get' | 'replace'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TRIES = 6;
const PAUSE_MS = 50;

/**
 * Writes the status of an object by PUT on `/status`, the only verb that is needed. After a conflict the object is read
 * again and the status is made again from what it is then; nothing is written when it would not change.
 *
 * @param known the object as it was read last, with the uid that is meant
 * @param statusOf makes the status; undefined leaves it as it is
 * @returns the object as it is now; undefined when it, or the one of this uid, is gone
 * @throws NavinError of the requests; `k8s_conflict` when somebody else is faster every time
 */
export async function writeStatus(
  means: StatusMeans,
  resource: ApiResource,
  known: KubeObject,
  statusOf: (object: KubeObject) => object | undefined,
): Promise<KubeObject | undefined> {
  const { client, clock, random, signal } = means;
  const { namespace, uid } = known.metadata;
  const ref = { namespace, name: known.metadata.name ?? '' };
  let object = known;
  for (let tries = 1; ; tries += 1) {
    const status = statusOf(object);
    if (status === undefined || isDeepStrictEqual(asStored(status), object.status ?? {})) return object;
    try {
      return await client.replace(resource, { ...ref, subresource: 'status' }, { ...object, status }, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!mayHaveChanged(error) || tries >= MAX_TRIES) throw error;
    }
    await clock.sleep(Math.ceil(PAUSE_MS * 2 ** tries * random()), signal);
    const found = await client.get(resource, ref, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (found === undefined || found.metadata.uid !== uid) return undefined;
    object = found;
  }
}

/** As JSON has it: without what is undefined. */
function asStored(status: object): unknown {
  return JSON.parse(JSON.stringify(status));
}

function mayHaveChanged(error: unknown): boolean {
  return isNavinError(error) && (error.code === 'k8s_conflict' || error.code === 'k8s_outcome_unknown');
}
