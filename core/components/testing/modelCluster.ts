import type { KubeObject } from '../../kube';
import { digestOf } from '../canonical';
import { decide } from '../decide/decide';
import { configurationOf } from '../decide/inputs';
import type { Action, Answer, Application, Decision, Desired, Observed } from '../decide/types';
import { numberAt, textAt } from '../fields';
import {
  COMPONENT_API_VERSION,
  COMPONENT_FINALIZER,
  COMPONENT_KIND,
  OPERATOR_MANAGER,
  REPLICAS_MANAGER,
} from '../names';
import { keyOf, refOf, type Ref } from '../objects';
import { visible } from '../visible';
import type { ManagedComponent } from '../resource/component';
import type { ComponentSpec } from '../resource/spec';
import type { ComponentStatus } from '../resource/status';
import { applied, managedFields, ModelConflict, updated, type Stored } from './modelObjects';
import { ModelPods, runsPods, type Witness } from './modelPods';

/** What the chart of the model renders for a spec. */
export type Chart = (spec: ComponentSpec) => readonly KubeObject[];

/** New fields of a spec; undefined removes one. */
export type SpecChange = { readonly [K in keyof ComponentSpec]?: ComponentSpec[K] | undefined };

type Entry = Stored & { readonly object: KubeObject };

/** Live objects of the namespace: everything can be looked at. */
class Live extends Map<string, KubeObject | 'absent'> {
  override has(): boolean {
    return true;
  }

  override get(key: string): KubeObject | 'absent' {
    return super.get(key) ?? 'absent';
  }
}

/** A namespace with one component, the controllers of Kubernetes, and an operator that can be killed at any time. */
export class ModelCluster {
  readonly objects = new Map<string, Entry>();
  /** What the operator changed, one word each; what changed nothing is marked. */
  readonly log: string[] = [];
  readonly witness: { ends: Parameters<Witness>[] } = { ends: [] };
  secrets = new Map<string, boolean>();
  servesScaledObjects = true;
  /** Of the chart's content, where that is to matter. */
  chartDigest: string | undefined;
  now = Date.parse('2026-01-01T00:00:00Z');
  component: ManagedComponent | undefined;
  private answers = new Map<string, Answer>();
  private readonly pods = new Map<string, ModelPods>();
  private version = 1;

  constructor(
    spec: ComponentSpec,
    private readonly chart: Chart,
    private readonly dice: () => number = () => 0.5,
  ) {
    const metadata = {
      name: 'web',
      namespace: 'apps',
      uid: 'component-uid',
      generation: 1,
      resourceVersion: this.next(),
    };
    this.component = { apiVersion: COMPONENT_API_VERSION, kind: COMPONENT_KIND, metadata, spec };
  }

  /** Somebody writes the spec. */
  write(change: SpecChange): void {
    if (this.component === undefined) return;
    const { metadata, spec } = this.component;
    const merged = Object.entries({ ...spec, ...change }).filter(([, value]) => value !== undefined);
    const generation = (metadata.generation ?? 0) + 1;
    this.component = {
      ...this.component,
      spec: Object.fromEntries(merged) as ComponentSpec,
      metadata: { ...metadata, generation, resourceVersion: this.next() },
    };
  }

  /** Somebody deletes the component. */
  remove(): void {
    if (this.component === undefined) return;
    const { metadata } = this.component;
    if (metadata.finalizers === undefined) {
      this.component = undefined;
      return;
    }
    const deletionTimestamp = new Date(this.now).toISOString();
    this.component = { ...this.component, metadata: { ...metadata, deletionTimestamp, resourceVersion: this.next() } };
  }

  get status(): ComponentStatus {
    return this.component?.status ?? {};
  }

  object(key: string): KubeObject | undefined {
    return this.objects.get(key)?.object;
  }

  /** Somebody else puts an object there. */
  put(object: KubeObject): void {
    const uid = this.next();
    const metadata = { ...object.metadata, uid, generation: 1, resourceVersion: this.next() };
    this.objects.set(keyOf(refOf(object)), { object: { ...object, metadata }, managers: new Map() });
  }

  /** Somebody else writes a field of an object. */
  edit(key: string, path: readonly string[], value: unknown, manager = 'kubectl-edit'): void {
    const entry = this.objects.get(key);
    if (entry !== undefined) this.store(key, updated(entry, path, value, manager), entry);
  }

  /** Somebody else deletes an object. */
  erase(key: string): void {
    this.objects.delete(key);
    this.pods.delete(key);
  }

  /** The operator is killed and comes back: it remembers nothing. */
  restartOperator(): void {
    this.answers = new Map();
  }

  /** What the operator sees now. */
  observe(): Observed {
    const { component } = this;
    if (component === undefined) throw new Error('the component is gone');
    const live = new Live([...this.objects].map(([key, entry]) => [key, visible(shown(entry))]));
    const { answers, secrets, servesScaledObjects } = this;
    return { component, live, answers: new Map(answers), secrets, servesScaledObjects, pullSecrets: [] };
  }

  desired(): Desired {
    const spec = this.component?.spec;
    if (spec === undefined) return { rendering: 'pending' };
    const { chartDigest: digest } = this;
    const chart = { name: 'web', version: spec.version ?? '1.0.0', ...(digest === undefined ? {} : { digest }) };
    return { rendering: 'done', configuration: configurationOf(spec), chart, documents: this.chart(spec) };
  }

  /** What an operator decides that has just been started. */
  decideAfresh(): Decision {
    return decide({ ...this.observe(), answers: new Map() }, this.desired(), this.now);
  }

  /** What the operator decides now. */
  decide(desired = this.desired()): Decision {
    return decide(this.observe(), desired, this.now);
  }

  /** One pass of the operator. @param stopsAfter the operator is killed after so many writes */
  pass(stopsAfter = Infinity, desired = this.desired()): readonly Action[] {
    if (this.component === undefined) return [];
    const decision = this.decide(desired);
    let writes = 0;
    const goesOn = (): boolean => (writes += 1) <= stopsAfter;
    if (digestOf(decision.status) !== digestOf(this.component.status ?? {})) {
      if (!goesOn()) return [];
      const { metadata } = this.component;
      this.component = {
        ...this.component,
        status: structuredClone(decision.status),
        metadata: { ...metadata, resourceVersion: this.next() },
      };
    }
    for (const action of decision.actions) {
      if (!this.execute(action, goesOn)) break;
    }
    return decision.actions;
  }

  /** Passes, and everything else that goes on by itself, until nothing changes any more. */
  settle(rounds = 60): void {
    for (let round = 0; round < rounds; round += 1) {
      this.now += 1_000;
      const before = digestOf([this.component, [...this.objects.values()].map(({ object }) => object)]);
      const actions = this.pass();
      this.converge();
      if (actions.length > 0) continue;
      if (digestOf([this.component, [...this.objects.values()].map(({ object }) => object)]) === before) return;
    }
    throw new Error(`does not settle: ${JSON.stringify(this.status)} ${this.log.slice(-20).join(', ')}`);
  }

  /** The controllers of Kubernetes do all they have to do. */
  converge(): void {
    for (let step = 0; step < 500 && this.controllerStep(); step += 1);
    this.report();
  }

  /** One small step of the controllers; false: there was nothing to do. */
  controllerStep(): boolean {
    for (const [key, { object }] of this.objects) {
      if (!runsPods(object)) continue;
      const pods = this.podsOf(key);
      if (pods.step(object, this.dice) || pods.ready()) return true;
    }
    return false;
  }

  /** An available Pod falls ill. */
  crash(key: string): void {
    this.pods.get(key)?.crash(this.dice);
  }

  /** Controllers write the status of their objects. */
  report(): void {
    for (const [key, { object }] of this.objects) {
      if (runsPods(object)) this.setStatus(key, this.podsOf(key).status(object));
      if (object.kind === 'PodDisruptionBudget') {
        this.setStatus(key, { observedGeneration: object.metadata.generation });
      }
    }
  }

  setStatus(key: string, status: object): void {
    const entry = this.objects.get(key);
    if (entry === undefined || digestOf(entry.object.status ?? {}) === digestOf(status)) return;
    const metadata = { ...entry.object.metadata, resourceVersion: this.next() };
    this.objects.set(key, { ...entry, object: { ...entry.object, metadata, status } });
  }

  /** A HorizontalPodAutoscaler sets other replicas within its bounds. */
  autoscale(): void {
    for (const { object } of [...this.objects.values()]) {
      if (object.kind !== 'HorizontalPodAutoscaler') continue;
      const name = textAt(object, 'spec', 'scaleTargetRef', 'name') ?? '';
      const key = `apps/${textAt(object, 'spec', 'scaleTargetRef', 'kind') ?? ''}/${name}`;
      const [least, most] = [
        numberAt(object, 'spec', 'minReplicas') ?? 1,
        numberAt(object, 'spec', 'maxReplicas') ?? 1,
      ];
      const replicas = numberAt(this.object(key), 'spec', 'replicas');
      if (replicas === undefined || replicas === 0) continue;
      const wanted = least + Math.floor(this.dice() * (most - least + 1));
      if (wanted !== replicas) this.edit(key, ['spec', 'replicas'], wanted, 'kube-controller-manager');
    }
  }

  private execute(action: Action, goesOn: () => boolean): boolean {
    if (!goesOn() || this.component === undefined) return false;
    const { metadata } = this.component;
    switch (action.type) {
      case 'addFinalizer':
        this.component = { ...this.component, metadata: { ...metadata, finalizers: [COMPONENT_FINALIZER] } };
        return true;
      case 'removeFinalizer':
        this.component = undefined;
        return true;
      case 'apply':
        return this.applyAll(action.objects, goesOn);
      case 'setReplicas':
        return this.setReplicas(action);
      case 'delete':
        return this.delete(action);
      case 'render':
      case 'observe':
      case 'checkSecrets':
        return true;
    }
  }

  /** All or none, as far as a dry run can tell. */
  private applyAll(objects: readonly Application[], goesOn: () => boolean): boolean {
    for (const application of objects) {
      try {
        this.tried(application);
      } catch (error) {
        if (!(error instanceof ModelConflict)) throw error;
        const refused = { reason: 'ApplyConflict', message: error.message } as const;
        this.answers.set(keyOf(application.ref), { digest: application.digest, refused, at: this.now });
        return true;
      }
    }
    for (const application of objects) {
      if (!goesOn()) return false;
      const { ref, digest } = application;
      const key = keyOf(ref);
      const before = this.objects.get(key);
      const known = this.answers.get(key);
      const entry = this.store(key, this.tried(application), before);
      const isSame = before?.object.metadata.resourceVersion === entry.object.metadata.resourceVersion;
      const isKnown = known !== undefined && 'applied' in known && known.digest === digest;
      this.log.push(`apply ${word(ref)}${isSame ? (isKnown ? ' twice' : ' in vain') : ''}`);
      this.answers.set(key, { digest, applied: visible(shown(entry)) });
    }
    return true;
  }

  private tried({ ref, body, expects }: Application): Stored {
    const stored = this.objects.get(keyOf(ref));
    const { uid, resourceVersion } = stored?.object.metadata ?? {};
    if (expects !== undefined && (expects.uid !== uid || expects.resourceVersion !== resourceVersion)) {
      throw new ModelConflict('another version');
    }
    return applied(stored, body, OPERATOR_MANAGER, false);
  }

  private setReplicas({ ref, expects, replicas, force }: Extract<Action, { type: 'setReplicas' }>): boolean {
    const key = keyOf(ref);
    const stored = this.objects.get(key);
    if (stored?.object.metadata.resourceVersion !== expects.resourceVersion) return false;
    const { apiVersion = '', kind = '' } = stored.object;
    const body = { apiVersion, kind, metadata: { name: ref.name }, spec: { replicas } };
    const entry = this.store(key, applied(stored, body, REPLICAS_MANAGER, force), stored);
    const isSame = entry.object.metadata.resourceVersion === stored.object.metadata.resourceVersion;
    this.log.push(`replicas ${ref.name} ${replicas}${isSame ? ' twice' : ''}`);
    return true;
  }

  private delete({ ref, uid }: Extract<Action, { type: 'delete' }>): boolean {
    const key = keyOf(ref);
    if (this.objects.get(key)?.object.metadata.uid !== uid) return true;
    this.erase(key);
    this.log.push(`delete ${word(ref)}`);
    return true;
  }

  private store(key: string, stored: Stored, before: Entry | undefined): Entry {
    const { object, managers } = stored;
    const spec = runsPods(object) ? { replicas: 1, ...(object.spec as object) } : object.spec;
    const filled: KubeObject = spec === undefined ? object : { ...object, spec };
    const content = ({ metadata, ...rest }: KubeObject): string => {
      const { labels, annotations, ownerReferences } = metadata;
      return digestOf({ ...rest, status: undefined, labels, annotations, ownerReferences });
    };
    const isSame = before !== undefined && content(before.object) === content(filled);
    const isHeldAlike =
      before !== undefined && digestOf(managedFields(before.managers)) === digestOf(managedFields(managers));
    if (isSame && isHeldAlike) return before;
    const was = before?.object.metadata;
    const isSpecChanged = digestOf(before?.object.spec ?? {}) !== digestOf(filled.spec ?? {});
    const generation = (was?.generation ?? 0) + (isSpecChanged || was === undefined ? 1 : 0);
    const metadata = { ...filled.metadata, uid: was?.uid ?? this.next(), generation, resourceVersion: this.next() };
    const entry = { object: { ...filled, metadata }, managers };
    this.objects.set(key, entry);
    return entry;
  }

  private podsOf(key: string): ModelPods {
    const pods = this.pods.get(key) ?? new ModelPods(key, (...end) => this.witness.ends.push(end));
    this.pods.set(key, pods);
    return pods;
  }

  private next(): string {
    this.version += 1;
    return String(this.version);
  }
}

function shown({ object, managers }: Entry): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: managedFields(managers) } };
}

function word({ kind, name }: Ref): string {
  return `${kind}/${name}`;
}
