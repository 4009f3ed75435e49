import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../core/clock';
import type { ComponentSpec, ComponentStatus, ManagedComponent } from '../../../core/components';
import type { ApiResource, KubeClient } from '../../../core/kube';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { ChartStore, type ChartStoreOptions } from '../../../operator/src/charts';
import { Renderer } from '../../../operator/src/render';
import { renderPrograms } from '../../../operator/src/testing/machine';
import {
  eventLines,
  installComponents,
  startTestOperator,
  type TestOperator,
  type TestOperatorOptions,
} from '../../../operator/src/testing/testOperator';
import { eventually, type Cluster } from '../../cluster';
import { FastClock } from '../proof/fastClock';

/** What is not as usual. */
export interface OperatedOptions extends Omit<TestOperatorOptions, 'namespaces'> {
  readonly registry?: ChartStoreOptions['registry'];
}

/** How much faster than ours the time of the operator goes: what it tries again after a minute comes in some seconds. */
const SPEED = 10;
const RENDER_MS = 3_000;
const PATIENCE_MS = 45_000;
const NO_REGISTRY = { fetch: () => Promise.reject(new Error('there is no registry')) };

/** A namespace that a real operator runs the components of, with charts that tests write. */
export class Operated {
  readonly lines: string[] = [];
  private operator: TestOperator | undefined;

  private constructor(
    private readonly cluster: Cluster,
    readonly namespace: string,
    readonly client: KubeClient,
    readonly components: ApiResource,
    readonly charts: string,
    private readonly options: OperatedOptions,
  ) {}

  static async begin(cluster: Cluster, options: OperatedOptions = {}): Promise<Operated> {
    const namespace = await cluster.freshNamespace('operated');
    const client = clusterClient(cluster, { namespace });
    const components = await installComponents(client);
    const charts = mkdtempSync(join(tmpdir(), 'navin-charts-'));
    const operated = new Operated(cluster, namespace, client, components, charts, options);
    await operated.start();
    return operated;
  }

  /** An operator starts, with nothing in its memory. */
  async start(): Promise<void> {
    const { registry = NO_REGISTRY, ...options } = this.options;
    const renderer = new Renderer({
      charts: new ChartStore({ chartsDir: this.charts, registry }),
      programs: await renderPrograms(),
      clock: systemClock,
      timeoutMs: RENDER_MS,
    });
    this.operator = await startTestOperator(this.cluster, {
      ...{ renderer, clock: new FastClock(SPEED), events: eventLines(this.lines) },
      ...options,
      namespaces: [this.namespace],
    });
  }

  async stop(): Promise<void> {
    await this.operator?.stop();
    this.operator = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    this.client.close();
    rmSync(this.charts, { recursive: true, force: true });
  }

  /** Puts a chart into the charts folder: templates by their names. */
  chart(name: string, templates: Readonly<Record<string, string>>): void {
    const files = { 'Chart.yaml': `{apiVersion: v2, name: ${name}, version: 1.0.0}`, ...inTemplates(templates) };
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.charts, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  async create(name: string, spec: Partial<ComponentSpec> = {}, chart = name): Promise<void> {
    await this.client.create(
      this.components,
      {},
      {
        apiVersion: 'platform.navin.ai/v1alpha1',
        kind: 'ManagedComponent',
        metadata: { name },
        spec: { source: { chart: { path: chart } }, ...spec },
      },
    );
  }

  async patch(name: string, spec: object): Promise<void> {
    await this.client.patch(this.components, { name }, { type: 'merge', body: { spec } });
  }

  /** The status, once it is of the newest spec and as it is wanted. */
  async until(name: string, wanted: Partial<Shown>): Promise<ComponentStatus> {
    let last: ManagedComponent | undefined;
    const look = async (): Promise<boolean> => {
      last = (await this.client.get(this.components, { name })) as ManagedComponent;
      if (last.status?.observedGeneration !== last.metadata.generation) return false;
      const shown = shownBy(last.status);
      return Object.entries(wanted).every(([field, value]) => shown[field as keyof Shown] === value);
    };
    const told = (): string => `${JSON.stringify(last?.status, undefined, 1)}\n${this.lines.slice(-60).join('\n')}`;
    await eventually(look, `${name} to be ${JSON.stringify(wanted)}`, PATIENCE_MS, told);
    return last?.status ?? {};
  }

  /** What the status says now. */
  async shown(name: string): Promise<Shown> {
    return shownBy(((await this.client.get(this.components, { name })) as ManagedComponent).status);
  }
}

/** What people look at first. */
export interface Shown {
  readonly state: string | undefined;
  readonly health: string | undefined;
  /** Of the operation, with its reason. */
  readonly operation: string;
  readonly message: string | undefined;
  readonly security: string | undefined;
  readonly converged: boolean | undefined;
}

function shownBy({ state, health, operationState, operation, securityState, converged }: ComponentStatus = {}): Shown {
  const words = [operation?.type, operationState, operation?.reason].filter((word) => word !== undefined);
  return { state, health, operation: words.join(' '), message: operation?.message, security: securityState, converged };
}

function inTemplates(templates: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(templates).map(([name, text]) => [`templates/${name}`, text]));
}
