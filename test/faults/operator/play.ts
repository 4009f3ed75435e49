import { pause } from '../../cluster/api';
import type { OwnCluster } from '../../cluster';
import type { StoryCluster } from './cluster';
import type { Crew } from './crew';
import { layHands } from './hands';
import type { Lives } from './lives';
import { MEMBERS, type Member } from './members';
import type { Change } from './requests';
import type { Step } from './story';

/** Who plays in a story. */
export interface Cast {
  readonly own: OwnCluster;
  readonly cluster: StoryCluster;
  readonly crew: Crew;
  readonly lives: Lives;
  readonly note: (text: string) => void;
  /** Does something to Pods that is not the operator's doing. */
  readonly excusing: (work: () => Promise<void>) => Promise<void>;
}

const STORM_PAUSE_MS = 3;
/** By our clock. */
const CONVERGED_MS = 4_000;
const LOOK_MS = 50;
const STRATEGIC = 'application/strategic-merge-patch+json';

/** Lets the steps of a story happen. */
export class Play {
  private readonly storms = new Set<Promise<void>>();
  private calming = new AbortController();
  private trap: { readonly isSprung: (change: Change) => boolean; readonly spring: () => void } | undefined;
  private readonly sprung: Promise<unknown>[] = [];

  constructor(private readonly cast: Cast) {}

  async step(step: Step): Promise<void> {
    const { own, cluster, crew, lives, note } = this.cast;
    if (step.do !== 'wait') note(JSON.stringify(step));
    switch (step.do) {
      case 'ask':
        return lives.ask(memberOf(step.who), step.change);
      case 'restart':
        return lives.restart(memberOf(step.who));
      case 'restart-and-lose':
        this.trap = {
          isSprung: ({ kind, object }) => kind === 'apply' && /^(deployments|statefulsets)\//.test(object),
          spring: () => {
            this.sprung.push(this.loseLease(step.how));
          },
        };
        return lives.restart(memberOf(step.who));
      case 'restart-and-suspend':
        this.trap = {
          isSprung: ({ kind }) => kind === 'status',
          spring: () => {
            crew.suspend(step.ms);
          },
        };
        return lives.restart(memberOf(step.who));
      case 'restart-ill': {
        const member = memberOf(step.who);
        await lives.ask(member, { pdb: { maxUnavailable: 1 } });
        // What is under way was allowed before: only what is decided from now on is held against the illness.
        if (await this.hasConverged(member)) await this.fallIll(member, step.ms);
        return lives.restart(member);
      }
      case 'remove':
        return lives.remove(memberOf(step.who));
      case 'autoscale':
        return this.autoscale(memberOf(step.who), step.pick);
      case 'wait':
        return pause(step.ms);
      case 'kill':
        return crew.kill();
      case 'kill-at':
        crew.killAt(step.doom);
        return;
      case 'rival':
        if (crew.all.length < 2) await crew.start();
        return;
      case 'leave':
        return crew.leave();
      case 'suspend':
        crew.suspend(step.ms);
        return;
      case 'lose-lease':
        return this.loseLease(step.how);
      case 'storm':
        this.storm(memberOf(step.who), step.ms);
        return;
      case 'restart-server':
        await this.calm();
        await own.restartApiServer();
        await cluster.served();
        return cluster.runsPods();
      case 'pause-server':
        await own.pauseApiServer();
        await pause(step.ms);
        return own.resumeApiServer();
      case 'hand': {
        const member = memberOf(step.who);
        const life = lives.of(member);
        if (life) await layHands(cluster, step, life);
      }
    }
  }

  /** An operator has changed something. */
  changed(change: Change): void {
    const { trap } = this;
    if (trap?.isSprung(change) !== true) return;
    this.trap = undefined;
    trap.spring();
  }

  /** Waits until nobody writes any more but who is asked to. */
  async calm(): Promise<void> {
    this.trap = undefined;
    this.calming.abort();
    await Promise.all([...this.storms, ...this.sprung.splice(0)]);
    this.calming = new AbortController();
  }

  private async loseLease(how: 'deleted' | 'stolen'): Promise<void> {
    const { cluster, note } = this.cast;
    note(`the lease is ${how}`);
    if (how === 'deleted') {
      await cluster.change('DELETE', cluster.leasePath);
      return;
    }
    const lease = await cluster.find(cluster.leasePath);
    const { leaseTransitions = 0 } = (lease?.spec ?? {}) as { readonly leaseTransitions?: number };
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'somebody-else', leaseTransitions: leaseTransitions + 1, renewTime };
    await cluster.change('PATCH', cluster.leasePath, { spec });
  }

  /** Whether nothing is left to be done for a component, within some moments. */
  private async hasConverged(member: Member): Promise<boolean> {
    const { cluster, crew } = this.cast;
    for (const end = performance.now() + CONVERGED_MS; performance.now() < end;) {
      const found = await cluster.find(cluster.pathOf(member));
      const status = (found?.status ?? {}) as { readonly converged?: boolean; readonly observedGeneration?: number };
      const isCurrent = status.observedGeneration === found?.metadata.generation;
      // Where nobody leads the illness is over before anybody looks.
      if (status.converged === true && isCurrent && crew.leader?.isLeading === true) return true;
      await pause(LOOK_MS);
    }
    return false;
  }

  /** A Pod is not ready for a while. */
  private async fallIll(member: Member, ms: number): Promise<void> {
    const { cluster, excusing, note } = this.cast;
    const path = `/api/v1/namespaces/${cluster.namespaceOf(member)}/pods`;
    const pods = await cluster.api.items(`${path}?labelSelector=app.kubernetes.io%2Finstance%3D${member.name}`);
    // A set replaces its Pods from the last to the first: the first is the one it would not replace before others.
    const [pod] = pods;
    if (pod === undefined) return;
    const ready = (status: 'True' | 'False'): Promise<unknown> => {
      const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status }));
      const body = { metadata: { uid: pod.metadata.uid }, status: { conditions } };
      return cluster.change('PATCH', `${path}/${pod.metadata.name}/status`, body, STRATEGIC);
    };
    let begun = (): void => undefined;
    const isIll = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { signal } = this.calming;
    const illness = excusing(async () => {
      await ready('False');
      note(`${pod.metadata.name} is ill`);
      begun();
      for (const end = performance.now() + ms; performance.now() < end && !signal.aborted;) await pause(50);
      await ready('True');
    });
    this.sprung.push(illness);
    await Promise.race([isIll, illness]);
  }

  /** What a HorizontalPodAutoscaler with metrics would do. */
  private async autoscale(member: Member, pick: number): Promise<void> {
    const { cluster, lives } = this.cast;
    const scale = lives.of(member)?.wish.scale;
    if (scale === undefined || typeof scale === 'number') return;
    const { kind, name } = member.target;
    const plural = kind === 'Deployment' ? 'deployments' : 'statefulsets';
    const path = cluster.path(cluster.namespaceOf(member), plural, name);
    const autoscaler = cluster.path(cluster.namespaceOf(member), 'horizontalpodautoscalers', name);
    const live = await cluster.find(path);
    if ((live?.spec as { replicas?: number } | undefined)?.replicas === 0) return;
    if ((await cluster.find(autoscaler)) === undefined) return;
    const replicas = scale.least + (pick % (scale.most - scale.least + 1));
    await cluster.change('PATCH', `${path}/scale?fieldManager=kube-controller-manager`, { spec: { replicas } });
  }

  /** Somebody writes between each look of the operator and its next change, so that the API server answers 409. */
  private storm(member: Member, ms: number): void {
    const { cluster, lives } = this.cast;
    const { signal } = this.calming;
    const end = performance.now() + ms;
    const uid = lives.of(member)?.uid;
    const blow = async (): Promise<void> => {
      const owned = uid === undefined ? [] : await cluster.ownedBy(cluster.namespaceOf(member), uid);
      const paths = [cluster.pathOf(member), ...owned.map(({ path }) => path)];
      for (let at = 0; performance.now() < end && !signal.aborted; at += 1) {
        const path = paths[at % paths.length] ?? '';
        await cluster.change('PATCH', path, { metadata: { annotations: { storm: String(at) } } });
        await pause(STORM_PAUSE_MS);
      }
    };
    const blown = blow();
    this.storms.add(blown);
    void blown.catch(() => undefined).finally(() => this.storms.delete(blown));
  }
}

function memberOf(who: number): Member {
  const member = MEMBERS[who];
  if (member === undefined) throw new Error(`There is no member ${who}.`);
  return member;
}
