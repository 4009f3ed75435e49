import type { Api } from '../../cluster/api';
import type { ServerObject } from '../../cluster';
import { Collection, type Blind, type Observation } from './collection';
import { Judge } from './judge';
import { Ledger } from './ledger';
import type { Kind } from './seen';
import type { Excuse, Judged, Wrong } from './wrong';

export interface WatcherOptions {
  readonly namespace: string;
  /** How far a status may be behind what it tells of, in ms. Default 5 s. */
  readonly maxAgeMs?: number;
  /** Texts that no status may hold. */
  readonly needles?: readonly string[];
}

/** What the watcher has to say. */
export interface Verdict {
  /** Empty: nothing. */
  readonly wrong: readonly Wrong[];
  /** How many there are; of too many not all are kept. */
  readonly count: number;
  /** How much was looked at. */
  readonly judged: Judged;
  readonly observations: number;
}

const PLATFORM = '/apis/platform.navin.ai/v1alpha1';
const SCALED_OBJECTS = '/apis/keda.sh/v1alpha1';
const PATHS: readonly (readonly [Kind, string, string])[] = [
  ['ManagedComponent', PLATFORM, 'managedcomponents'],
  ['Deployment', '/apis/apps/v1', 'deployments'],
  ['StatefulSet', '/apis/apps/v1', 'statefulsets'],
  ['ReplicaSet', '/apis/apps/v1', 'replicasets'],
  ['Pod', '/api/v1', 'pods'],
  ['PodDisruptionBudget', '/apis/policy/v1', 'poddisruptionbudgets'],
  ['HorizontalPodAutoscaler', '/apis/autoscaling/v2', 'horizontalpodautoscalers'],
  ['PersistentVolumeClaim', '/api/v1', 'persistentvolumeclaims'],
  ['ConfigMap', '/api/v1', 'configmaps'],
  ['Service', '/api/v1', 'services'],
  ['ServiceAccount', '/api/v1', 'serviceaccounts'],
  ['NetworkPolicy', '/apis/networking.k8s.io/v1', 'networkpolicies'],
  ['Ingress', '/apis/networking.k8s.io/v1', 'ingresses'],
];
/** So many observations may wait before they are judged in between. */
const MAX_WAITING = 2_000;

/**
 * Watches the components of a namespace and everything they own straight from the API server, and judges it by what
 * docs/managed-component.md promises. It knows nothing of the operator, nor shares any code with it.
 */
export class Watcher {
  private readonly ledger = new Ledger();
  private readonly judge: Judge;
  private readonly collections: Collection[] = [];
  private readonly foreign = new Map<string, { readonly uid: string; readonly resourceVersion: string }>();
  private judging: Promise<void> = Promise.resolve();
  private isJudging = false;
  private failure: unknown;

  private constructor(
    private readonly api: Api,
    private readonly options: WatcherOptions,
  ) {
    this.judge = new Judge({ maxAgeMs: options.maxAgeMs ?? 5_000, needles: options.needles ?? [] });
  }

  /** Begins to watch. ManagedComponents must be served already; ScaledObjects are watched where they are. */
  static async start(api: Api, options: WatcherOptions): Promise<Watcher> {
    const watcher = new Watcher(api, options);
    const listener = {
      onSeen: (observation: Observation) => {
        watcher.take(observation);
      },
      onBlind: (blind: Blind) => {
        watcher.judge.blindBetween(blind);
      },
    };
    const isScaled = (await api.request('GET', SCALED_OBJECTS)).status === 200;
    const paths = isScaled ? [...PATHS, ['ScaledObject', SCALED_OBJECTS, 'scaledobjects'] as const] : PATHS;
    for (const [kind, group, plural] of paths) {
      const path = `${group}/namespaces/${options.namespace}/${plural}`;
      watcher.collections.push(await Collection.follow(api, kind, path, listener));
    }
    return watcher;
  }

  /** An object that nobody may change from now on. @param path of the API */
  async guard(path: string): Promise<void> {
    const { metadata } = await this.api.get(path);
    this.foreign.set(path, { uid: metadata.uid, resourceVersion: metadata.resourceVersion });
  }

  /** Does something to Pods or objects that is not the operator's doing. */
  async excusing<T>(what: Excuse['what'], work: () => Promise<T>): Promise<T> {
    const excuse: Excuse = { what, from: await this.revision(), to: Infinity };
    this.judge.excuses.push(excuse);
    try {
      return await work();
    } finally {
      excuse.to = await this.revision();
    }
  }

  /** Judges everything that has happened by now. */
  async verdict(): Promise<Verdict> {
    await this.settle();
    const changed = await this.changedForeign();
    const { wrong, count, judged } = this.judge;
    return {
      wrong: [...wrong, ...changed],
      count: count + changed.length,
      judged,
      observations: this.ledger.judged,
    };
  }

  /**
   * Statuses that have not said for long what is. Only to be asked while an operator runs, and nothing hinders it: one
   * that does not run leaves its last words.
   */
  async lagging(): Promise<readonly Wrong[]> {
    await this.settle();
    return this.judge.lagging(performance.now());
  }

  /** What happened last, for whoever looks into a verdict. */
  explain(): string {
    return this.ledger.toString();
  }

  async stop(): Promise<void> {
    await Promise.all(this.collections.map((collection) => collection.stop()));
  }

  private take(observation: Observation): void {
    this.ledger.add(observation);
    if (this.ledger.waiting < MAX_WAITING || this.isJudging) return;
    void this.settle().catch((error: unknown) => {
      this.failure = error;
    });
  }

  private async settle(): Promise<void> {
    this.judging = this.judging.catch(() => undefined).then(() => this.judgeNow());
    await this.judging;
    if (this.failure !== undefined) throw this.failure as Error;
  }

  /** What every collection has got past can be judged: nothing older comes any more. */
  private async judgeNow(): Promise<void> {
    this.isJudging = true;
    try {
      const reached = await Promise.all(this.collections.map((collection) => collection.fence()));
      this.ledger.judgeUpTo(Math.min(...reached), this.judge);
      this.judge.forget(this.ledger.oldest);
    } finally {
      this.isJudging = false;
    }
  }

  private async changedForeign(): Promise<readonly Wrong[]> {
    const wrong: Wrong[] = [];
    for (const [path, known] of this.foreign) {
      const { status, body } = await this.api.request('GET', path);
      const { uid = '', resourceVersion = '0' } = status === 200 ? (body as ServerObject).metadata : {};
      if (uid === known.uid && resourceVersion === known.resourceVersion) continue;
      const how = uid === known.uid ? 'changed' : 'deleted';
      wrong.push({ rule: 'foreign', component: '', revision: Number(resourceVersion), what: `${path} was ${how}` });
    }
    return wrong;
  }

  private async revision(): Promise<number> {
    const path = `/api/v1/namespaces/${this.options.namespace}/configmaps?limit=1`;
    const { metadata } = await this.api.get<{ metadata: { resourceVersion: string } }>(path);
    return Number(metadata.resourceVersion);
  }
}
