import type { KubeObject } from '../../kube';
import { at, fields, numberAt, textAt } from '../fields';

/** A Pod of a workload. */
interface Pod {
  readonly revision: string;
  available: boolean;
}

/** Told whenever a controller ends an available Pod: how many were available before, and what the workload is to have. */
export type Witness = (
  workload: string,
  availableBefore: number,
  replicas: number,
  because: 'rollout' | 'scale',
) => void;

/** The Pods of one Deployment or StatefulSet, moved one small step at a time as the real controllers do. */
export class ModelPods {
  private pods: Pod[] = [];

  constructor(
    private readonly name: string,
    private readonly witness: Witness,
  ) {}

  /** One step of the controller; false: there is nothing to do. */
  step(workload: KubeObject, dice: () => number): boolean {
    const replicas = numberAt(workload, 'spec', 'replicas') ?? 1;
    const revision = JSON.stringify(at(workload, 'spec', 'template'));
    const isSet = workload.kind === 'StatefulSet';
    if (this.pods.length > replicas && this.isScaleIn(replicas, revision, isSet))
      return this.scaleIn(replicas, revision);
    return isSet ? this.setStep(replicas, revision, workload) : this.deploymentStep(replicas, revision, workload, dice);
  }

  /** A Pod becomes available; false: all are. */
  ready(): boolean {
    const pod = this.pods.find(({ available }) => !available);
    if (pod !== undefined) pod.available = true;
    return pod !== undefined;
  }

  /** An available Pod falls ill by itself. */
  crash(dice: () => number): void {
    const healthy = this.pods.filter(({ available }) => available);
    const pod = healthy[Math.floor(dice() * healthy.length)];
    if (pod !== undefined) pod.available = false;
  }

  get available(): number {
    return this.pods.filter(({ available }) => available).length;
  }

  /** The status a controller would write now. */
  status(workload: KubeObject): object {
    const revision = JSON.stringify(at(workload, 'spec', 'template'));
    const updated = this.pods.filter((pod) => pod.revision === revision).length;
    const isNew = updated === this.pods.length;
    return {
      observedGeneration: workload.metadata.generation,
      replicas: this.pods.length,
      updatedReplicas: updated,
      readyReplicas: this.available,
      availableReplicas: this.available,
      ...(workload.kind === 'StatefulSet' ? { currentRevision: isNew ? 'new' : 'old', updateRevision: 'new' } : {}),
    };
  }

  private isScaleIn(replicas: number, revision: string, isSet: boolean): boolean {
    const updated = this.pods.filter((pod) => pod.revision === revision).length;
    // A surge is no reason to scale in, a stop is.
    return isSet || replicas === 0 || updated > replicas || updated === this.pods.length;
  }

  private scaleIn(replicas: number, revision: string): boolean {
    const pod =
      this.pods.find(({ available }) => !available) ??
      this.pods.find((one) => one.revision !== revision) ??
      this.pods.at(-1);
    if (pod === undefined) return false;
    this.end(pod, replicas, 'scale');
    return true;
  }

  private setStep(replicas: number, revision: string, workload: KubeObject): boolean {
    if (this.pods.length < replicas) return this.start(revision);
    if (textAt(workload, 'spec', 'updateStrategy', 'type') === 'OnDelete') return false;
    // In order: a set goes on when all of it is well.
    if (this.pods.some((pod) => !pod.available)) return false;
    const old = this.pods.filter((pod) => pod.revision !== revision).at(-1);
    if (old === undefined) return false;
    this.end(old, replicas, 'rollout');
    return true;
  }

  private deploymentStep(replicas: number, revision: string, workload: KubeObject, dice: () => number): boolean {
    const rolling = fields(workload, 'spec', 'strategy', 'rollingUpdate');
    const maxSurge = count(rolling.maxSurge, replicas, 1);
    const maxUnavailable = count(rolling.maxUnavailable, replicas, 0);
    const updated = this.pods.filter((pod) => pod.revision === revision).length;
    const old = this.pods.filter((pod) => pod.revision !== revision);
    const mayStart = updated < replicas && this.pods.length < replicas + maxSurge;
    const victim = old.find(({ available }) => !available) ?? old[0];
    const spare = this.available - (replicas - maxUnavailable);
    const mayEnd = victim !== undefined && (!victim.available || spare > 0);
    if (mayStart && (!mayEnd || dice() < 0.5)) return this.start(revision);
    if (!mayEnd) return false;
    this.end(victim, replicas, 'rollout');
    return true;
  }

  private start(revision: string): boolean {
    this.pods.push({ revision, available: false });
    return true;
  }

  private end(pod: Pod, replicas: number, because: 'rollout' | 'scale'): void {
    if (pod.available) this.witness(this.name, this.available, replicas, because);
    this.pods = this.pods.filter((other) => other !== pod);
  }
}

/** As Kubernetes reckons a bound of a rolling update: its defaults are 25 %. */
function count(value: unknown, replicas: number, roundUp: 0 | 1): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 25;
  const exact = (percent * replicas) / 100;
  return roundUp === 1 ? Math.ceil(exact) : Math.floor(exact);
}

/** Whether an object runs Pods. */
export function runsPods({ kind }: KubeObject): boolean {
  return kind === 'Deployment' || kind === 'StatefulSet';
}
