import { isDeepStrictEqual } from 'node:util';
import {
  decide,
  keyOf,
  OPERATOR_MANAGER,
  type Decision,
  type ManagedComponent,
  type Observed,
  type Ref,
} from '../../../core/components';
import type { Clock } from '../../../core/clock';
import { findObject, type Informer } from '../../../core/controller';
import { isNavinError } from '../../../core/errors';
import {
  compareResourceVersions,
  isNotFound,
  isRecord,
  RESOURCES,
  type ApiResource,
  type KubeClient,
} from '../../../core/kube';
import { requireLease, type Errand } from './errand';
import type { OperatorEvents } from './events';
import { Executor, isChange } from './executor';
import type { ClusterFacts } from './facts';
import { ComponentMemory } from './memory';
import type { Renderings } from './renderings';
import { ENDING_MS, type SightOfObjects } from './sight';

/** What components are worked on with, as long as one lease lasts. */
export interface ReconcilerOptions {
  readonly client: KubeClient;
  readonly resource: ApiResource;
  readonly components: Informer;
  readonly sight: SightOfObjects;
  readonly renderings: Renderings;
  readonly facts: ClusterFacts;
  readonly clock: Clock;
  readonly random: () => number;
  readonly pullSecrets: readonly string[];
  readonly resyncMs: number;
  readonly mayAct: () => boolean;
  /** Whether the process is about to end: nothing new is begun. */
  readonly isEnding: () => boolean;
  /** Looks at a component again. */
  readonly again: (key: string) => void;
  readonly events: OperatorEvents;
}

/** A look, the decision, its status and its steps: so many times in one pass. What is left then comes with the next. */
const MAX_ROUNDS = 16;
/** Looks that a decision asks for, one after the other, before it is taken as it is. */
const MAX_LOOKS = 8;
/** How long the answer about a Secret holds, in ms: less than when `decide` asks again. */
const SECRET_MS = 20_000;
/** What failed or is blocked may be right again by something that nobody is told of. */
const RETRY_MS = 30_000;
/** Somebody else keeps changing things: they are given some time, in ms. */
const BUSY_MS = 1_000;
/** A resync is due somewhat early, so that many components are not looked at all at once. */
const RESYNC_SHARE = 0.85;

/** Works on components: looks, decides, writes the status, and carries out what was decided. */
export class Reconciler {
  private readonly memories = new Map<string, ComponentMemory>();
  private readonly executor: Executor;

  constructor(private readonly options: ReconcilerOptions) {
    const { client, resource, sight, clock, mayAct, events } = options;
    const onStep = events.onStep?.bind(events) ?? (() => undefined);
    this.executor = new Executor({ client, components: resource, sight, clock, mayAct, onStep });
  }

  /**
   * A watch shows an object no more. What one of our own requests answered before is older, and not to be taken for it.
   *
   * @param object as `keyOf` names it
   */
  doubt(key: string, object: string): void {
    this.memories.get(key)?.distrusted.add(object);
  }

  /**
   * One pass.
   *
   * @param key `namespace/name`
   * @returns when to look again at the latest, in ms; undefined when the component is gone
   * @throws NavinError of the requests; the pass is tried again
   */
  async work(key: string, signal: AbortSignal): Promise<number | undefined> {
    const memory = this.memoryOf(key);
    if (memory === undefined) return undefined;
    try {
      for (let round = 1; round <= MAX_ROUNDS && !this.options.isEnding(); round += 1) {
        const component = this.componentOf(key, memory);
        if (component === undefined) {
          this.forget(key, memory);
          return undefined;
        }
        const left = this.restOf(component, memory);
        if (left > 0) return left;
        const again = await this.round({ key, component, memory, signal });
        if (again !== undefined) return again;
      }
      return BUSY_MS;
    } catch (error) {
      memory.distrustAll();
      throw error;
    }
  }

  /** Everything of every component is looked at once more with its next pass. */
  expire(): void {
    for (const memory of this.memories.values()) {
      memory.rest = memory.rest && { ...memory.rest, until: 0 };
      memory.resyncedAt = -Infinity;
    }
  }

  /** @returns when to look again; undefined: at once */
  private async round(errand: Errand): Promise<number | undefined> {
    const { component, memory } = errand;
    const decision = await this.decide(errand);
    const changes = decision.actions.filter(isChange);
    const written = await this.writeStatus(errand, decision);
    if (written === undefined) return undefined;
    if (changes.length > 0) {
      await this.executor.execute(changes, { ...errand, component: written });
      return undefined;
    }
    if (written !== component) return undefined;
    memory.settle(component);
    this.options.sight.settle(component.metadata.namespace ?? '', memory, component.status?.inventory ?? []);
    return this.rest(component, memory, decision);
  }

  /** Decides, after it has looked at everything that matters for it. */
  private async decide(errand: Errand): Promise<Decision> {
    const { key, component, memory, signal } = errand;
    const { sight, renderings, clock } = this.options;
    const { namespace = '' } = component.metadata;
    const refs = new Map<string, Ref>((component.status?.inventory ?? []).map((entry) => [keyOf(entry), entry]));
    for (let looks = 1; ; looks += 1) {
      const observed: Observed = {
        component,
        live: await sight.look(namespace, memory, [...refs.values()], signal),
        answers: memory.answers,
        secrets: this.secretsOf(memory),
        servesScaledObjects: await this.servesScaledObjects(key, component),
        pullSecrets: this.options.pullSecrets,
      };
      const decision = decide(observed, renderings.get(key), clock.now());
      const known = [refs.size, memory.secrets.size, renderings.get(key)] as const;
      if (looks >= MAX_LOOKS) return decision;
      for (const action of decision.actions) {
        if (action.type === 'observe') for (const ref of action.refs) refs.set(keyOf(ref), ref);
        if (action.type === 'checkSecrets') await this.checkSecrets(action.secrets, errand);
        if (action.type === 'render') {
          await renderings.render(key, component, () => {
            this.options.again(key);
          });
        }
      }
      const learnt = refs.size !== known[0] || memory.secrets.size !== known[1] || renderings.get(key) !== known[2];
      if (!learnt) return decision;
    }
  }

  /** Only charts that want ScaledObjects make a difference: nobody else asks. */
  private async servesScaledObjects(key: string, { spec, status }: ManagedComponent): Promise<boolean> {
    const desired = this.options.renderings.get(key);
    const wants =
      spec.autoscaling?.engine === 'KEDA' ||
      status?.inventory?.some(({ kind }) => kind === 'ScaledObject') === true ||
      (desired.rendering === 'done' &&
        desired.documents.some((object) => isRecord(object) && object.kind === 'ScaledObject'));
    return wants && (await this.options.facts.servesScaledObjects());
  }

  private secretsOf(memory: ComponentMemory): ReadonlyMap<string, boolean> {
    const now = this.options.clock.monotonic();
    for (const [name, { at }] of memory.secrets) if (now - at >= SECRET_MS) memory.secrets.delete(name);
    return new Map([...memory.secrets].map(([name, { has }]) => [name, has]));
  }

  /** Whether Secrets have keys. What they hold is dropped at once. */
  private async checkSecrets(
    secrets: readonly { readonly secretName: string; readonly key: string }[],
    { component, memory, signal }: Errand,
  ): Promise<void> {
    const { client, clock } = this.options;
    const { namespace = '' } = component.metadata;
    const keys = new Map<string, ReadonlySet<string>>();
    for (const { secretName, key } of secrets) {
      let known = keys.get(secretName);
      if (known === undefined) {
        const secret = await findObject(client, RESOURCES.secrets, { namespace, name: secretName }, signal);
        known = new Set(isRecord(secret?.data) ? Object.keys(secret.data) : []);
        keys.set(secretName, known);
      }
      memory.secrets.set(`${secretName}/${key}`, { has: known.has(key), at: clock.monotonic() });
    }
  }

  /**
   * Writes the status, if it says something else, against the version of the component that was seen.
   *
   * @returns the component as it is now; undefined when it had changed meanwhile, or is gone
   */
  private async writeStatus(errand: Errand, { status }: Decision): Promise<ManagedComponent | undefined> {
    const { component, memory, signal } = errand;
    const { client, resource, mayAct, events } = this.options;
    const stored: unknown = JSON.parse(JSON.stringify(status));
    if (isDeepStrictEqual(stored, component.status ?? {})) return component;
    requireLease(mayAct);
    const { namespace = '', name = '' } = component.metadata;
    try {
      const written = (await client.replace(
        resource,
        { namespace, name, subresource: 'status' },
        { ...component, status },
        { fieldManager: OPERATOR_MANAGER, signal },
      )) as ManagedComponent;
      memory.own = written;
      events.onStatus?.(written, component.status);
      return written;
    } catch (error) {
      const isConflict = isNavinError(error) && error.code === 'k8s_conflict';
      if (!isConflict && !isNotFound(error)) throw error;
      memory.own = (await findObject(client, resource, { namespace, name }, signal)) as ManagedComponent | undefined;
      return undefined;
    }
  }

  /** The component as it is known last, by the watch or by our own changes. */
  private componentOf(key: string, memory: ComponentMemory): ManagedComponent | undefined {
    const [namespace, name = ''] = key.split('/');
    const seen = this.options.components.get(namespace, name) as ManagedComponent | undefined;
    const { own } = memory;
    if (memory.isGone || seen?.metadata.uid !== memory.uid) return undefined;
    if (own?.metadata.uid !== memory.uid) return seen;
    const [left, right] = [seen.metadata.resourceVersion ?? '', own.metadata.resourceVersion ?? ''];
    return compareResourceVersions(left, right) === -1 ? own : seen;
  }

  /** Nothing is to be done as long as everything looks as it does. @returns until when to rest, in ms */
  private rest(component: ManagedComponent, memory: ComponentMemory, { actions, againAfterMs }: Decision): number {
    const { clock, resyncMs, random } = this.options;
    const { operationState } = component.status ?? {};
    const isStuck = operationState === 'failed' || operationState === 'blocked';
    const now = clock.monotonic();
    const untilResync = Math.max(1, memory.resyncedAt + resyncMs - now) * (1 - random() / 10);
    const limits = [
      untilResync,
      ...(isStuck ? [RETRY_MS] : []),
      ...(memory.isWaiting ? [ENDING_MS] : []),
      ...(againAfterMs === undefined ? [] : [againAfterMs]),
    ];
    const restMs = Math.max(1, Math.min(...limits));
    // A rendering that takes long shows in no version: the pass that it calls for must not be left out.
    const isRendering = actions.some(({ type }) => type === 'render');
    const fingerprint = isRendering ? undefined : this.fingerprintOf(component, memory);
    memory.rest = fingerprint === undefined ? undefined : { fingerprint, until: now + restMs };
    return restMs;
  }

  /** How long a component may still rest, in ms; 0: it may not. */
  private restOf(component: ManagedComponent, memory: ComponentMemory): number {
    const { rest } = memory;
    if (rest === undefined) return 0;
    const now = this.options.clock.monotonic();
    if (now < rest.until && this.fingerprintOf(component, memory) === rest.fingerprint) return rest.until - now;
    memory.rest = undefined;
    if (now >= memory.resyncedAt + this.options.resyncMs * RESYNC_SHARE) this.resync(component, memory, now);
    return 0;
  }

  /** Everything is looked at again: objects that are not watched, and charts in folders, which may have changed. */
  private resync({ metadata, spec }: ManagedComponent, memory: ComponentMemory, now: number): void {
    memory.resyncedAt = now;
    for (const [key, { sight }] of memory.objects) if (sight !== 'absent') memory.distrusted.add(key);
    if (spec.source.chart !== undefined)
      this.options.renderings.forget(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
  }

  /** The versions of everything that a decision looks at; undefined when something has to be read first. */
  private fingerprintOf({ metadata, status }: ManagedComponent, memory: ComponentMemory): string | undefined {
    const { namespace = '', uid = '', resourceVersion = '' } = metadata;
    const parts = [uid, resourceVersion];
    for (const entry of status?.inventory ?? []) {
      const seen = this.options.sight.peek(namespace, memory, entry);
      if (seen === undefined) return undefined;
      parts.push(seen === 'absent' ? '' : (seen.metadata.resourceVersion ?? ''));
    }
    return parts.join(' ');
  }

  /** What is remembered of the component of this name; undefined when there is none any more. */
  private memoryOf(key: string): ComponentMemory | undefined {
    const [namespace, name = ''] = key.split('/');
    const uid = this.options.components.get(namespace, name)?.metadata.uid;
    const known = this.memories.get(key);
    if (known !== undefined && known.uid === uid) return known;
    if (known !== undefined) this.forget(key, known);
    this.memories.delete(key);
    if (uid === undefined) return undefined;
    const memory = new ComponentMemory(uid, this.options.clock.monotonic());
    this.memories.set(key, memory);
    return memory;
  }

  /** Tells once that a component is gone. */
  private forget(key: string, memory: ComponentMemory): void {
    if (memory.isTold) return;
    memory.isTold = true;
    this.options.renderings.forget(key);
    this.options.events.onGone?.(key);
  }
}
