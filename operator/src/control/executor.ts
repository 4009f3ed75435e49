import {
  allowedKinds,
  COMPONENT_API_VERSION,
  COMPONENT_FINALIZER,
  COMPONENT_KIND,
  keyOf,
  OPERATOR_MANAGER,
  REASONS,
  REPLICAS_MANAGER,
  visible,
  type Action,
  type Application,
  type Because,
  type ManagedComponent,
  type Reason,
  type Ref,
} from '../../../core/components';
import type { Clock } from '../../../core/clock';
import {
  Applier,
  CleanMemory,
  deleteObject,
  isNotFound,
  type Applied,
  type Owner,
  type Refusal,
} from '../../../core/controller';
import { isNavinError, NavinError } from '../../../core/errors';
import { apiVersionOf, type ApiResource, type KubeClient } from '../../../core/kube';
import type { StepEvent } from './events';
import type { ComponentMemory, Sight } from './memory';
import type { SightOfObjects } from './sight';

/** What actions are carried out with. */
export interface ExecutorOptions {
  readonly client: KubeClient;
  readonly components: ApiResource;
  readonly sight: SightOfObjects;
  readonly clock: Clock;
  /** Asked before each change: whether this process still is the one that acts. */
  readonly mayAct: () => boolean;
  readonly onStep: (step: StepEvent) => void;
}

/** For whom actions are carried out. */
export interface Errand {
  /** `namespace/name` */
  readonly key: string;
  /** As it was when it was decided what to do, and as it still must be. */
  readonly component: ManagedComponent;
  readonly memory: ComponentMemory;
  readonly signal: AbortSignal;
}

/** Actions that change something. */
export type Change = Exclude<Action, { readonly type: 'render' | 'observe' | 'checkSecrets' }>;

/** Whether an action changes something. */
export function isChange(action: Action): action is Change {
  return action.type !== 'render' && action.type !== 'observe' && action.type !== 'checkSecrets';
}

/** Carries out what was decided, each step only if everything still is as it was when it was decided. */
export class Executor {
  private readonly applier: Applier;

  constructor(private readonly options: ExecutorOptions) {
    const { client, mayAct } = options;
    this.applier = new Applier({
      client,
      fieldManager: OPERATOR_MANAGER,
      mayAct,
      // decide() knows what is clean.
      clean: new CleanMemory(),
      allowed: allowedKinds(),
    });
  }

  /**
   * @returns false when something had changed meanwhile, and nothing more was done
   * @throws NavinError of the requests; `k8s_aborted` when this process may not act any more
   */
  async execute(changes: readonly Change[], errand: Errand): Promise<boolean> {
    if (changes.some(isDisruptive) && !(await this.isUnchanged(errand))) return false;
    for (const change of changes) {
      this.requireLease();
      if (!(await this.carryOut(change, errand))) return false;
    }
    return true;
  }

  private async carryOut(change: Change, errand: Errand): Promise<boolean> {
    switch (change.type) {
      case 'addFinalizer':
      case 'removeFinalizer':
        return this.timed(errand, change.type, undefined, () => this.setFinalizer(change.type, errand));
      case 'apply':
        return this.apply(change.objects, errand);
      case 'setReplicas':
        return this.timed(errand, change.type, change.ref, () => this.setReplicas(change, errand));
      case 'delete':
        return this.timed(errand, change.type, change.ref, () => this.delete(change, errand));
    }
  }

  private async apply(objects: readonly Application[], errand: Errand): Promise<boolean> {
    const { component, memory, signal } = errand;
    const { clock } = this.options;
    const { name = '', namespace = '', uid = '' } = component.metadata;
    const owner: Owner = {
      apiVersion: COMPONENT_API_VERSION,
      kind: COMPONENT_KIND,
      name,
      uid,
      blockOwnerDeletion: true,
    };
    const seen = await this.options.sight.look(
      namespace,
      memory,
      objects.map(({ ref }) => ref),
      signal,
    );
    const wanted = objects.map(({ ref, body, digest }) => ({ object: body, key: digest, seen: seen.get(keyOf(ref)) }));
    const other = objects.filter(({ ref, expects }) => !isMeant(seen.get(keyOf(ref)), expects));
    if (other.length > 0) {
      for (const { ref } of other) memory.distrusted.add(keyOf(ref));
      return false;
    }
    const begun = clock.monotonic();
    const applied = await this.unlessStale(objects, errand, () =>
      this.applier.apply({ owner, namespace, objects: wanted, signal }),
    );
    if (applied === undefined) return false;
    const tookMs = (clock.monotonic() - begun) / objects.length;
    const isStale = applied.map((one, index) => this.noteApplied(one, objects[index], errand, tookMs));
    for (const { outcome, error } of applied) {
      if (outcome === 'failed' && !isChangedMeanwhile(error)) throw error;
    }
    return !isStale.includes(true);
  }

  /** Notes what became of one object. @returns whether it has to be looked at again */
  private noteApplied(applied: Applied, application: Application | undefined, errand: Errand, tookMs: number): boolean {
    if (application === undefined) return false;
    const { ref, digest } = application;
    const { memory } = errand;
    const key = keyOf(ref);
    const { outcome, live, refusal, error } = applied;
    if (outcome === 'pending') return false;
    if (refusal === undefined && live !== undefined) {
      memory.answers.set(key, { digest, applied: visible(live) });
      this.options.sight.note(memory, key, live);
      if (outcome !== 'unchanged') this.tell(errand, 'apply', ref, 'done', tookMs);
      return false;
    }
    const because = refusal && becauseOf(refusal);
    if (because === undefined) {
      if (error !== undefined || refusal !== undefined) memory.distrusted.add(key);
      this.tell(errand, 'apply', ref, 'stale', tookMs);
      return true;
    }
    memory.answers.set(key, { digest, refused: because, at: this.options.clock.now() });
    memory.distrusted.add(key);
    this.tell(errand, 'apply', ref, 'refused', tookMs, because.reason);
    return false;
  }

  private async setReplicas(
    { ref, expects, replicas, force }: Extract<Change, { type: 'setReplicas' }>,
    errand: Errand,
  ): Promise<boolean> {
    const { component, memory, signal } = errand;
    const { namespace = '' } = component.metadata;
    const resource = await this.options.sight.resourceOf(ref, signal);
    if (resource === undefined) return false;
    const body = {
      apiVersion: apiVersionOf(ref),
      kind: ref.kind,
      metadata: { name: ref.name, namespace, ...expects },
      spec: { replicas },
    };
    const done = await this.unlessStale([{ ref }], errand, () =>
      this.options.client.patch(
        resource,
        { namespace, name: ref.name },
        { type: 'apply', body, force },
        { fieldManager: REPLICAS_MANAGER, signal },
      ),
    );
    if (done === undefined) return false;
    this.options.sight.note(memory, keyOf(ref), done);
    return true;
  }

  private async delete({ ref, uid }: Extract<Change, { type: 'delete' }>, errand: Errand): Promise<boolean> {
    const { component, memory, signal } = errand;
    const { client, sight } = this.options;
    const { namespace = '' } = component.metadata;
    const resource = await sight.resourceOf(ref, signal);
    // With its definition all objects of a kind go.
    const outcome =
      resource && (await deleteObject({ client, signal }, resource, { metadata: { namespace, name: ref.name, uid } }));
    if (outcome === 'ending') memory.distrusted.add(keyOf(ref));
    else sight.noteGone(memory, keyOf(ref), uid);
    return true;
  }

  private async setFinalizer(type: 'addFinalizer' | 'removeFinalizer', errand: Errand): Promise<boolean> {
    const { component, memory, signal } = errand;
    const { name = '', namespace = '', resourceVersion, uid, finalizers = [] } = component.metadata;
    const others = finalizers.filter((finalizer) => finalizer !== COMPONENT_FINALIZER);
    const wanted = type === 'addFinalizer' ? [...others, COMPONENT_FINALIZER] : others;
    const body = { metadata: { resourceVersion, uid, finalizers: wanted } };
    try {
      const written = await this.options.client.patch(
        this.options.components,
        { namespace, name },
        { type: 'merge', body },
        { fieldManager: OPERATOR_MANAGER, signal },
      );
      memory.own = written as ManagedComponent;
      // Nothing else keeps what is being deleted.
      if (component.metadata.deletionTimestamp !== undefined && wanted.length === 0) memory.isGone = true;
      return true;
    } catch (error) {
      if (isNotFound(error)) {
        memory.isGone = true;
        return true;
      }
      if (!isChangedMeanwhile(error)) throw error;
      memory.distrustAll();
      return false;
    }
  }

  /** Whether the component asks for what it asked for when it was decided: looked up once more before Pods are ended. */
  private async isUnchanged({ component, memory, signal }: Errand): Promise<boolean> {
    const { name = '', namespace = '', uid, generation, deletionTimestamp } = component.metadata;
    try {
      const found = await this.options.client.get(this.options.components, { namespace, name }, { signal });
      memory.own = found as ManagedComponent;
      const { metadata } = found;
      const isSame = metadata.uid === uid && metadata.generation === generation;
      return isSame && (metadata.deletionTimestamp === undefined) === (deletionTimestamp === undefined);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      memory.own = undefined;
      return false;
    }
  }

  /** Runs a change of objects; undefined when one of them is another by now: then all of them are read again. */
  private async unlessStale<T>(
    objects: readonly { readonly ref: Ref }[],
    { memory }: Errand,
    change: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await change();
    } catch (error) {
      for (const { ref } of objects) memory.distrusted.add(keyOf(ref));
      if (!isChangedMeanwhile(error)) throw error;
      return undefined;
    }
  }

  private async timed(
    errand: Errand,
    step: StepEvent['step'],
    ref: Ref | undefined,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    const { clock } = this.options;
    const begun = clock.monotonic();
    const isDone = await work();
    this.tell(errand, step, ref, isDone ? 'done' : 'stale', clock.monotonic() - begun);
    return isDone;
  }

  private tell(
    { key }: Errand,
    step: StepEvent['step'],
    ref: Ref | undefined,
    outcome: StepEvent['outcome'],
    tookMs: number,
    reason?: string,
  ): void {
    this.options.onStep({
      ...{ component: key, step, outcome, tookMs },
      ...(ref === undefined ? {} : { object: `${ref.kind}/${ref.name}` }),
      ...(reason === undefined ? {} : { reason }),
    });
  }

  private requireLease(): void {
    if (this.options.mayAct()) return;
    throw new NavinError('k8s_aborted', 'Stopped: another process acts now, or may soon.');
  }
}

function isDisruptive(change: Change): boolean {
  if (change.type === 'apply') return change.objects.some(({ disruptive }) => disruptive);
  return 'disruptive' in change && change.disruptive;
}

/** Whether an object still is the one that was seen when it was decided what it should be. */
function isMeant(seen: Sight | undefined, expects: Application['expects']): boolean {
  if (seen === undefined || seen === 'absent') return expects === undefined;
  return seen.metadata.uid === expects?.uid && seen.metadata.resourceVersion === expects?.resourceVersion;
}

/** What stands in the status of a refused object; undefined: it is looked at again. */
function becauseOf({ reason, message }: Refusal): Because | undefined {
  if (reason === 'Terminating') return undefined;
  return { reason: Object.hasOwn(REASONS, reason) ? (reason as Reason) : 'ApplyRefused', message };
}

function isChangedMeanwhile(error: unknown): boolean {
  return (
    isNavinError(error) && (error.code === 'k8s_conflict' || error.code === 'k8s_already_exists' || isNotFound(error))
  );
}
