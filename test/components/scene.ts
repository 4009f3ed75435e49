import { join } from 'node:path';
import type { ComponentSpec, ManagedComponent } from '../../core/components';
import { isNavinError } from '../../core/errors';
import { RESOURCES, type ApiResource, type KubeClient, type KubeObject } from '../../core/kube';
import { clusterClient } from '../../core/kube/testing/clusterClient';
import {
  eventLines,
  installComponents,
  startTestOperator,
  type TestOperator,
} from '../../operator/src/testing/testOperator';
import { eventually, type Cluster } from '../cluster';
import { Watcher, type Verdict } from './watcher';

/** Charts as people really use them. */
export const REAL_CHARTS = join(__dirname, 'charts');

/** What a {@link Scene} may be otherwise. */
export interface SceneOptions {
  /** Default: those of the examples. */
  readonly chartsDir?: string;
  /** Texts that no status may hold. */
  readonly needles?: readonly string[];
}

/** A namespace with a real operator, and a watcher that sees all of it. */
export class Scene {
  private constructor(
    readonly client: KubeClient,
    readonly namespace: string,
    readonly watcher: Watcher,
    private readonly components: ApiResource,
    private readonly operator: TestOperator,
    private readonly lines: readonly string[],
  ) {}

  static async open(cluster: Cluster, name: string, options: SceneOptions = {}): Promise<Scene> {
    const { chartsDir, needles = [] } = options;
    const namespace = await cluster.freshNamespace(name);
    const client = clusterClient(cluster, { namespace });
    const components = await installComponents(client);
    const watcher = await Watcher.start(cluster.api, { namespace, needles });
    const lines: string[] = [];
    const operator = await startTestOperator(cluster, {
      namespaces: [namespace],
      events: eventLines(lines),
      ...(chartsDir === undefined ? {} : { chartsDir }),
    });
    return new Scene(client, namespace, watcher, components, operator, lines);
  }

  /** The operator looks at everything again, as it does by itself every ten minutes. */
  lookAgain(): void {
    this.operator.operator.lookAgain();
  }

  async close(): Promise<void> {
    await this.operator.stop();
    await this.watcher.stop();
    this.client.close();
  }

  async create(name: string, spec: ComponentSpec): Promise<void> {
    const apiVersion = 'platform.navin.ai/v1alpha1';
    await this.client.create(this.components, {}, { apiVersion, kind: 'ManagedComponent', metadata: { name }, spec });
  }

  /** Changes fields of the spec as a whole; null takes one away. */
  async write(name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
    const { spec } = await this.get(name);
    const fields: Readonly<Record<string, unknown>> = { ...spec, ...change };
    const value = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
    await this.client.patch(
      this.components,
      { name },
      { type: 'json', body: [{ op: 'replace', path: '/spec', value }] },
    );
  }

  async delete(name: string): Promise<void> {
    await this.client.delete(this.components, { name });
  }

  async get(name: string): Promise<ManagedComponent> {
    return (await this.client.get(this.components, { name })) as ManagedComponent;
  }

  /** Waits until a component is as wanted; its status must be of the newest spec. */
  async until(
    name: string,
    what: string,
    holds: (status: NonNullable<ManagedComponent['status']>) => boolean,
  ): Promise<NonNullable<ManagedComponent['status']>> {
    let last: ManagedComponent | undefined;
    await this.eventually(
      async () => {
        last = await this.get(name);
        const { status, metadata } = last;
        return status !== undefined && status.observedGeneration === metadata.generation && holds(status);
      },
      `${name}: ${what}`,
      () => this.tell(last),
    );
    return last?.status ?? {};
  }

  /** Waits until an operation is done and its outcome confirmed. */
  async done(name: string, operation: string): Promise<NonNullable<ManagedComponent['status']>> {
    return this.until(name, operation, (status) => status.operation?.type === operation && status.converged === true);
  }

  /** Waits until an operation is refused or does not go on. */
  async stuck(
    name: string,
    state: 'blocked' | 'failed',
    reason: string,
  ): Promise<NonNullable<ManagedComponent['status']>> {
    return this.until(
      name,
      `${state} ${reason}`,
      (status) => status.operationState === state && status.operation?.reason === reason,
    );
  }

  /** Waits until a component is gone. */
  async gone(name: string): Promise<void> {
    await this.eventually(
      async () => (await this.find(this.components, name)) === undefined,
      `${name} to be gone`,
      () => this.tell(undefined),
    );
  }

  async find(resource: ApiResource, name: string): Promise<KubeObject | undefined> {
    try {
      return await this.client.get(resource, { name });
    } catch (error) {
      if (isNavinError(error) && error.code === 'k8s_not_found') return undefined;
      throw error;
    }
  }

  async replicas(kind: 'Deployment' | 'StatefulSet', name: string): Promise<unknown> {
    const resource = kind === 'Deployment' ? RESOURCES.deployments : RESOURCES.statefulsets;
    return ((await this.client.get(resource, { name })).spec as { replicas?: unknown }).replicas;
  }

  /** Objects of a kind that carry the label of a component. */
  async owned(resource: ApiResource, component: string): Promise<readonly string[]> {
    const items = await this.list(resource, `platform.navin.ai/component=${component}`);
    return items.map(({ metadata }) => metadata.name ?? '').sort();
  }

  /** The Pods of a release. */
  async podsOf(instance: string): Promise<readonly KubeObject[]> {
    return this.list(RESOURCES.pods, `app.kubernetes.io/instance=${instance}`);
  }

  /** Objects of the namespace. */
  async list(resource: ApiResource, labelSelector = ''): Promise<readonly KubeObject[]> {
    const { namespace } = this;
    return (await this.client.list(resource, { namespace, labelSelector })).items;
  }

  /** Makes Pods of a component ready, or not: a kubelet would say so. */
  async setReady(instance: string, count: number, isReady: boolean): Promise<void> {
    const items = await this.podsOf(instance);
    const status = { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] };
    for (const { metadata } of items.slice(0, count)) {
      const pod = { name: metadata.name ?? '', subresource: 'status' };
      await this.client.patch(RESOURCES.pods, pod, { type: 'strategic', body: { status } });
    }
  }

  /** What the watcher says, with what happened where something is wrong. */
  async verdict(): Promise<Verdict> {
    const verdict = await this.watcher.verdict();
    const wrong = [...verdict.wrong, ...(await this.watcher.lagging())];
    if (wrong.length > 0) {
      throw new Error(`${JSON.stringify(wrong, undefined, 1)}\n${this.watcher.explain()}\n${this.tell(undefined)}`);
    }
    return verdict;
  }

  /** Who waits in vain gets to know what the watcher has found. */
  private async eventually(look: () => Promise<boolean>, what: string, detail: () => string): Promise<void> {
    try {
      await eventually(look, what, 60_000, detail);
    } catch (cause) {
      const { wrong } = await this.watcher.verdict();
      if (wrong.length === 0) throw cause;
      throw new Error(`Waited in vain for ${what}: ${JSON.stringify(wrong, undefined, 1)}\n${detail()}`, { cause });
    }
  }

  private tell(last: ManagedComponent | undefined): string {
    return `${JSON.stringify(last?.status, undefined, 1)}\n${this.lines.slice(-60).join('\n')}`;
  }
}
