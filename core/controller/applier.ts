import { isDeepStrictEqual } from 'node:util';
import { NavinError } from '../errors';
import { isNotFound, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { applicable, applyObject, without, type ApplyMeans } from './applyObject';
import type { CleanMemory } from './cleanMemory';
import { findObject } from './findObject';
import { describeId, idOf, idText, type GroupKind, type ObjectId } from './objectId';
import { controllerOf, isControlledBy, type Owner } from './owner';
import { isStale, refusalOf, type Refusal } from './refusal';

/** What an {@link Applier} works with. */
export interface ApplierOptions {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'resourceFor'>;
  readonly fieldManager: string;
  /** Kinds that may be applied; nothing else is. */
  readonly allowed: readonly GroupKind[];
  /** Shared by all that apply for the same field manager. */
  readonly clean: CleanMemory;
  /** Asked before each change: whether this process still is the one that acts. */
  readonly mayAct: () => boolean;
}

/** One object to be applied. */
export interface WantedObject {
  readonly object: KubeObject;
  /** Equal for equal objects: a digest of it, or of the whole render. */
  readonly key: string;
  /**
   * As it was seen when it was decided what it should be: it is applied to this very version, or not at all
   * (`k8s_conflict`). Undefined: whatever is there now.
   */
  readonly seen?: KubeObject | 'absent' | undefined;
}

/** What is to be applied together. */
export interface Application {
  readonly owner: Owner;
  /** The namespace all of it must be in; undefined: anywhere, and kinds without a namespace. */
  readonly namespace: string | undefined;
  /** In the order in which it is applied. */
  readonly objects: readonly WantedObject[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * What became of one object. `refused`: somebody has to change something. `failed`: it may go well the next time.
 * `pending`: it would be made or changed, had nothing before it been refused or failed.
 */
export interface Applied {
  readonly id: ObjectId;
  readonly outcome: 'unchanged' | 'created' | 'changed' | 'refused' | 'failed' | 'pending';
  /** The object as it is now, where it exists and is ours. */
  readonly live?: KubeObject;
  readonly refusal?: Refusal;
  readonly error?: unknown;
}

/** An object of which it is clear where it goes. */
interface Placed {
  readonly id: ObjectId;
  readonly wanted: KubeObject;
  readonly resource: ApiResource;
  readonly key: string;
  readonly seen: WantedObject['seen'];
}

/** An object that was looked at. */
type Looked =
  | { readonly id: ObjectId; readonly refusal: Refusal }
  | {
      readonly id: ObjectId;
      readonly placed: Placed;
      readonly live: KubeObject | undefined;
      readonly differs: boolean;
    };

/** What names of all kinds have in common: they are a segment of a path. The API server is stricter for most. */
const NAME = /^(?!\.$|.*\.\.)[^/%\s\p{C}]{1,253}$/u;
const MAX_TRIES = 4;
const LOOKS_AT_ONCE = 4;

/**
 * Makes the cluster as it is wanted: all objects are looked at first (kind, place, owner, then a dry run), and if anything
 * is refused nothing is changed. Then what differs is applied, in order. Nothing is deleted, nothing is forced.
 */
export class Applier {
  constructor(private readonly options: ApplierOptions) {}

  /** @throws NavinError of requests that failed before anything was changed; `k8s_aborted` when this process may not act */
  async apply(application: Application): Promise<readonly Applied[]> {
    const looked = await this.lookAtAll(application);
    const isRefused = looked.some((object) => 'refusal' in object);
    const applied: Applied[] = [];
    for (const object of looked) {
      const isStopped = isRefused || applied.some(({ outcome }) => outcome === 'refused' || outcome === 'failed');
      applied.push(isStopped ? withheld(object) : await this.settle(object, application));
    }
    return applied;
  }

  private async lookAtAll(application: Application): Promise<readonly Looked[]> {
    const seen = new Set<string>();
    const looks: Promise<Looked>[] = [];
    for (const wanted of application.objects) {
      const id = idOf(wanted.object, application.namespace);
      const isDouble = seen.has(idText(id));
      seen.add(idText(id));
      const before = looks[looks.length - LOOKS_AT_ONCE];
      const turn = Promise.resolve(before).catch(() => undefined);
      looks.push(
        turn.then(() =>
          isDouble ? refused(id, 'DuplicateObject', 'is rendered twice') : this.look(id, wanted, application),
        ),
      );
    }
    return Promise.all(looks);
  }

  /** Finds out where an object goes, whether it may go there, what is there, and by a dry run whether that would change. */
  private async look(id: ObjectId, { object, key, seen }: WantedObject, application: Application): Promise<Looked> {
    const { namespace, signal } = application;
    if (!this.options.allowed.some(({ group, kind }) => group === id.group && kind === id.kind)) {
      return refused(id, 'ForbiddenKind', 'is of a kind that may not be applied');
    }
    const resource = await this.resource(object, signal);
    if (!resource) return refused(id, 'UnknownKind', 'is of a kind that the cluster does not serve');
    if (namespace !== undefined && (!resource.namespaced || id.namespace !== namespace)) {
      return refused(id, 'ForbiddenNamespace', `is not in namespace "${namespace}"`);
    }
    const wanted = applicable(object, resource.namespaced ? id.namespace : undefined);
    if (!NAME.test(id.name)) return refused(id, 'ApplyRefused', 'has a name that no object can have');
    return this.compare(
      { id: resource.namespaced ? id : { ...id, namespace: '' }, wanted, resource, key, seen },
      application,
    );
  }

  private async compare(placed: Placed, application: Application): Promise<Looked> {
    const { id, wanted, resource, key, seen } = placed;
    const { clean } = this.options;
    for (let tries = 1; ; tries += 1) {
      const live =
        seen === undefined ? await this.read(placed, application.signal) : seen === 'absent' ? undefined : seen;
      const refusal = live && ownership(id, live, application.owner);
      if (refusal) return { id, refusal };
      if (live && clean.isClean(id, key, live.metadata.resourceVersion)) return { id, placed, live, differs: false };
      try {
        const result = await applyObject(this.means(application), resource, wanted, live, { dryRun: true });
        const differs = !live || !isSame(live, result);
        if (!differs) clean.note(id, key, live.metadata.resourceVersion);
        return { id, placed, live, differs };
      } catch (error) {
        const verdict = await this.verdict(error, placed, live, application);
        if (verdict) return { id, refusal: verdict };
        if (seen !== undefined || !isStale(error, live) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  /** Makes or changes one object, if it has to be. */
  private async settle(looked: Looked, application: Application): Promise<Applied> {
    if (!('placed' in looked) || !looked.differs) return withheld(looked);
    const { id, placed } = looked;
    let { live } = looked;
    for (let tries = 1; ; tries += 1) {
      if (!this.options.mayAct())
        throw new NavinError('k8s_aborted', 'Stopped: another process acts now, or may soon.');
      try {
        const result = await applyObject(this.means(application), placed.resource, placed.wanted, live, {
          dryRun: false,
        });
        this.options.clean.note(id, placed.key, result.metadata.resourceVersion);
        return { id, outcome: live ? 'changed' : 'created', live: result };
      } catch (error) {
        const refusal = await this.verdict(error, placed, live, application);
        if (refusal) return { id, outcome: 'refused', refusal };
        if (placed.seen !== undefined || !isStale(error, live) || tries >= MAX_TRIES)
          return { id, outcome: 'failed', error };
      }
      live = await this.read(placed, application.signal);
      const foreign = live && ownership(id, live, application.owner);
      if (foreign) return { id, outcome: 'refused', refusal: foreign };
    }
  }

  /** Why an apply was refused, if it was. What was to be made and exists by now may not be ours: that comes first. */
  private async verdict(
    error: unknown,
    placed: Placed,
    live: KubeObject | undefined,
    { owner, signal }: Application,
  ): Promise<Refusal | undefined> {
    if (!isStale(error, live)) return refusalOf(error, placed.wanted, live);
    const found = await this.read(placed, signal);
    return found && ownership(placed.id, found, owner);
  }

  private async resource(wanted: KubeObject, signal: AbortSignal | undefined): Promise<ApiResource | undefined> {
    try {
      return await this.options.client.resourceFor(wanted.apiVersion ?? '', wanted.kind ?? '', signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private read({ resource, wanted }: Placed, signal: AbortSignal | undefined): Promise<KubeObject | undefined> {
    const { namespace, name = '' } = wanted.metadata;
    return findObject(this.options.client, resource, { namespace, name }, signal);
  }

  private means({ owner, signal }: Application): ApplyMeans {
    return { client: this.options.client, fieldManager: this.options.fieldManager, owner, signal };
  }
}

/** An object that is not ours is not touched. */
function ownership(id: ObjectId, live: KubeObject, owner: Owner): Refusal | undefined {
  if (!isControlledBy(live, owner)) {
    const controller = controllerOf(live);
    const whose = controller ? `controlled by ${controller.kind} "${controller.name}"` : 'not controlled by anybody';
    return { reason: 'ObjectOwned', message: `${describeId(id)} exists and is ${whose}: it is left alone.` };
  }
  if (live.metadata.deletionTimestamp !== undefined) {
    return { reason: 'Terminating', message: `${describeId(id)} is being deleted.` };
  }
  return undefined;
}

/** The API server renumbers and dates on its own. */
const UNCOMPARED = {
  metadata: new Set(['managedFields', 'resourceVersion', 'generation']),
  object: new Set(['status']),
};

/** Whether a dry run would change nothing. */
function isSame(live: KubeObject, result: KubeObject): boolean {
  return isDeepStrictEqual(comparable(live), comparable(result));
}

function comparable(object: KubeObject): unknown {
  return { ...without(object, UNCOMPARED.object), metadata: without(object.metadata, UNCOMPARED.metadata) };
}

function refused(id: ObjectId, reason: Refusal['reason'], because: string): Looked {
  return { id, refusal: { reason, message: `${describeId(id)} ${because}.` } };
}

/** What is told of an object to which nothing is done. */
function withheld(looked: Looked): Applied {
  const { id } = looked;
  if ('refusal' in looked) return { id, outcome: 'refused', refusal: looked.refusal };
  const { live, differs } = looked;
  return { id, outcome: differs ? 'pending' : 'unchanged', ...(live ? { live } : {}) };
}
