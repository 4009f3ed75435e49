import {
  COMPONENT_FINALIZER,
  keyOf,
  OPERATOR_MANAGER,
  REPLICAS_MANAGER,
  type Action,
  type ManagedComponent,
  type Ref,
} from '../../../core/components';
import { deleteObject } from '../../../core/controller';
import { apiVersionOf, isNotFound, type ApiResource } from '../../../core/kube';
import { BatchApplier, type BatchApplierOptions } from './batchApplier';
import { isChangedMeanwhile, requireLease, unlessStale, type Errand } from './errand';
import type { StepEvent } from './events';

/** What actions are carried out with. */
export interface ExecutorOptions extends BatchApplierOptions {
  readonly components: ApiResource;
}

/** Actions that change something. */
export type Change = Exclude<Action, { readonly type: 'render' | 'observe' | 'checkSecrets' }>;

/** Whether an action changes something. */
export function isChange(action: Action): action is Change {
  return action.type !== 'render' && action.type !== 'observe' && action.type !== 'checkSecrets';
}

/** Carries out what was decided, each step only if everything still is as it was when it was decided. */
export class Executor {
  private readonly applier: BatchApplier;

  constructor(private readonly options: ExecutorOptions) {
    this.applier = new BatchApplier(options);
  }

  /**
   * @returns false when something had changed meanwhile, and nothing more was done
   * @throws NavinError of the requests; `k8s_aborted` when this process may not act any more
   */
  async execute(changes: readonly Change[], errand: Errand): Promise<boolean> {
    if (changes.some(isDisruptive) && !(await this.isUnchanged(errand))) return false;
    for (const change of changes) {
      requireLease(this.options.mayAct);
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
        return this.applier.apply(change.objects, errand);
      case 'setReplicas':
        return this.timed(errand, change.type, change.ref, () => this.setReplicas(change, errand));
      case 'delete':
        return this.timed(errand, change.type, change.ref, () => this.delete(change, errand));
    }
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
    const done = await unlessStale([{ ref }], errand, () =>
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
      // The watch may go on showing what it was: then it would be tried with that again.
      await this.lookAgain(errand);
      return false;
    }
  }

  /** Whether the component asks for what it asked for when it was decided: looked up once more before Pods are ended. */
  private async isUnchanged(errand: Errand): Promise<boolean> {
    const { uid, generation, deletionTimestamp } = errand.component.metadata;
    const metadata = (await this.lookAgain(errand))?.metadata;
    if (metadata === undefined) return false;
    const isSame = metadata.uid === uid && metadata.generation === generation;
    return isSame && (metadata.deletionTimestamp === undefined) === (deletionTimestamp === undefined);
  }

  /** Reads the component; undefined when it is gone. */
  private async lookAgain({ component, memory, signal }: Errand): Promise<ManagedComponent | undefined> {
    const { name = '', namespace = '' } = component.metadata;
    const { client, components } = this.options;
    try {
      memory.own = (await client.get(components, { namespace, name }, { signal })) as ManagedComponent;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      memory.own = undefined;
    }
    return memory.own;
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
}

function isDisruptive(change: Change): boolean {
  if (change.type === 'apply') return change.objects.some(({ disruptive }) => disruptive);
  return 'disruptive' in change && change.disruptive;
}
