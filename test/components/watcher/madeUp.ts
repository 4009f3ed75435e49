import type { ServerObject } from '../../cluster';
import { Judge } from './judge';
import type { JudgeSettings } from './wrong';
import { seen } from './projection';
import type { Kind } from './seen';

type Fields = Readonly<Record<string, unknown>>;

/** The numbers of a workload as its status has them. */
export interface Counts {
  readonly desired?: number;
  readonly current?: number;
  readonly updated?: number;
  readonly ready?: number;
  readonly available?: number;
}

const OWNER = [{ uid: 'component', controller: true }];

/** A history that somebody made up, told to a judge: each line is one version later, and ten milliseconds. */
export class MadeUp {
  readonly judge: Judge;
  revision = 100;
  now = 1_000;
  private generation = 0;
  private workloadGeneration = 0;
  private spec: Fields = {};
  private status: Fields | undefined;

  constructor(settings: Partial<JudgeSettings> = {}) {
    this.judge = new Judge({ maxAgeMs: 5_000, needles: [], ...settings });
  }

  /** `rule: what`, of everything that is wrong. */
  get wrong(): readonly string[] {
    return this.judge.wrong.map(({ rule, what }) => `${rule}: ${what}`);
  }

  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Somebody asks for something. */
  asks(spec: Fields, metadata: Fields = {}): this {
    this.generation += 1;
    this.spec = spec;
    return this.component(metadata);
  }

  /** The operator writes a status; what is not said is as in a component that is as it should be. */
  says(status: Fields, workload: (Counts & { readonly complete?: boolean }) | 'none' = {}): this {
    const {
      desired = 3,
      current = desired,
      updated = desired,
      ready = desired,
      available = desired,
    } = workload === 'none' ? {} : workload;
    const complete = workload !== 'none' && (workload.complete ?? available === desired);
    const entry = { kind: 'Deployment', name: 'web', state: 'started', health: 'ok', complete };
    this.status = {
      ...{
        observedGeneration: this.generation,
        state: 'started',
        health: 'ok',
        operationState: 'succeeded',
        converged: true,
      },
      operation: { type: 'install', key: 'key' },
      inventory: [
        { kind: 'Deployment', name: 'web' },
        { kind: 'PodDisruptionBudget', name: 'web-deployment' },
        { kind: 'PersistentVolumeClaim', name: 'own' },
      ],
      workloads: workload === 'none' ? [] : [{ ...entry, desired, current, updated, ready, available }],
      ...status,
    };
    return this.component({});
  }

  /** The component goes. */
  goes(): this {
    return this.take('ManagedComponent', this.componentObject({}), true);
  }

  /** The Deployment `web` becomes another. @param by who changed its spec; absent: it is a change of its status */
  deployment(
    counts: Counts & { readonly template?: string; readonly terminating?: number },
    by?: string,
    metadata: Fields = {},
  ): this {
    if (by !== undefined) this.workloadGeneration += 1;
    const {
      desired = 3,
      current = desired,
      updated = desired,
      ready = desired,
      available = desired,
      terminating = 0,
    } = counts;
    const { template = 'one' } = counts;
    const labels = { app: 'web' };
    const managedFields = by === undefined ? [] : [{ manager: by, operation: 'Apply', time: String(this.revision) }];
    const generation = this.workloadGeneration;
    return this.take('Deployment', {
      ...this.head('web', { ownerReferences: OWNER, uid: 'Deployment/web', generation, managedFields, ...metadata }),
      spec: { replicas: desired, template: { metadata: { labels }, image: template } },
      status: {
        observedGeneration: by === undefined || by === 'settled' ? generation : generation - 1,
        ...{ replicas: current, updatedReplicas: updated, readyReplicas: ready, availableReplicas: available },
        terminatingReplicas: terminating,
      },
    });
  }

  pod(name: string, state: 'ready' | 'not ready' | 'ending' | 'gone'): this {
    const metadata = {
      ...{ uid: name, ownerReferences: [{ uid: 'set', controller: true }] },
      ...(state === 'ending' ? { deletionTimestamp: 'now' } : {}),
    };
    const status = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: state === 'not ready' ? 'False' : 'True' }],
    };
    return this.take('Pod', { ...this.head(name, metadata), status }, state === 'gone');
  }

  /** Any object of the component. */
  own(kind: Kind, name: string, more: Fields = {}, isGone = false): this {
    const { metadata, ...rest } = more as { readonly metadata?: Fields };
    return this.take(
      kind,
      { ...this.head(name, { ownerReferences: OWNER, uid: `${kind}/${name}`, ...metadata }), ...rest },
      isGone,
    );
  }

  /** Three Pods of `web`, and everything as it should be. */
  installed(spec: Fields = { pdb: { minAvailable: 2 } }): this {
    this.asks(spec).says(
      { state: 'installing', operationState: 'running', converged: false, health: 'unknown' },
      'none',
    );
    this.budget(spec.pdb as Fields);
    this.deployment({ current: 0, updated: 0, ready: 0, available: 0 }, 'navin-operator');
    this.take(
      'ReplicaSet',
      this.head('set', { uid: 'set', ownerReferences: [{ uid: 'Deployment/web', controller: true }] }),
    );
    for (const name of ['a', 'b', 'c']) this.pod(name, 'ready');
    return this.deployment({}).says({});
  }

  budget(budget: Fields, name = 'web-deployment'): this {
    return this.own('PodDisruptionBudget', name, {
      metadata: { generation: 1 },
      spec: { ...budget, selector: { matchLabels: { app: 'web' } } },
      status: { observedGeneration: 1 },
    });
  }

  private component(metadata: Fields): this {
    return this.take('ManagedComponent', this.componentObject(metadata));
  }

  private componentObject(metadata: Fields): ServerObject {
    const { spec, status, generation } = this;
    const head = this.head('shop', { uid: 'component', generation, ...metadata });
    return { ...head, spec, ...(status === undefined ? {} : { status }) };
  }

  private head(name: string, metadata: Fields): ServerObject {
    return { metadata: { name, resourceVersion: String(this.revision), uid: name, ...metadata } };
  }

  private take(kind: Kind, object: ServerObject, isGone = false): this {
    const { revision, now } = this;
    this.judge.take({ revision, at: now, since: now, seen: seen(kind, object), isGone, isOld: false });
    this.revision += 1;
    this.now += 10;
    return this;
  }
}
