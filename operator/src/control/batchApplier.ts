import {
  allowedKinds,
  COMPONENT_API_VERSION,
  COMPONENT_KIND,
  keyOf,
  OPERATOR_MANAGER,
  REASONS,
  visible,
  type Application,
  type Because,
  type Reason,
} from '../../../core/components';
import type { Clock } from '../../../core/clock';
import { Applier, CleanMemory, type Applied, type Owner, type Refusal } from '../../../core/controller';
import type { KubeClient } from '../../../core/kube';
import { isChangedMeanwhile, unlessStale, type Errand } from './errand';
import type { StepEvent } from './events';
import type { Sight } from './memory';
import type { SightOfObjects } from './sight';

/** What objects are applied with. */
export interface BatchApplierOptions {
  readonly client: KubeClient;
  readonly sight: SightOfObjects;
  readonly clock: Clock;
  /** Asked before each change: whether this process still is the one that acts. */
  readonly mayAct: () => boolean;
  readonly onStep: (step: StepEvent) => void;
}

/** Applies objects together, none of them if one is refused, and notes what the API server answers. */
export class BatchApplier {
  private readonly applier: Applier;

  constructor(private readonly options: BatchApplierOptions) {
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
   * @returns false when something had changed meanwhile: then it has to be looked at again
   * @throws NavinError of the requests
   */
  async apply(objects: readonly Application[], errand: Errand): Promise<boolean> {
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
    const applied = await unlessStale(objects, errand, () =>
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
      if (outcome !== 'unchanged') this.tell(errand, ref, 'done', tookMs);
      return false;
    }
    const because = refusal && becauseOf(refusal);
    if (because === undefined) {
      if (error !== undefined || refusal !== undefined) memory.distrusted.add(key);
      this.tell(errand, ref, 'stale', tookMs);
      return true;
    }
    memory.answers.set(key, { digest, refused: because, at: this.options.clock.now() });
    memory.distrusted.add(key);
    this.tell(errand, ref, 'refused', tookMs, because.reason);
    return false;
  }

  private tell(
    { key }: Errand,
    { kind, name }: Application['ref'],
    outcome: StepEvent['outcome'],
    tookMs: number,
    reason?: string,
  ): void {
    const step = { component: key, step: 'apply', object: `${kind}/${name}`, outcome, tookMs } as const;
    this.options.onStep({ ...step, ...(reason === undefined ? {} : { reason }) });
  }
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
