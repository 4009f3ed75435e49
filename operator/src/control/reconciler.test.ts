import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../core/clock/testing/fakeClock';
import { plain, workload } from '../../../core/components/testing/charts';
import type { ComponentSpec, ComponentStatus } from '../../../core/components';
import { RESOURCES, type ApiResource, type KubeObject } from '../../../core/kube';
import type { Rendering } from '../render';
import { ClusterFacts } from './facts';
import { Reconciler } from './reconciler';
import { Renderings } from './renderings';
import { SightOfObjects } from './sight';
import { FakeCluster } from './testing/fakeCluster';

const COMPONENTS: ApiResource = {
  ...RESOURCES.deployments,
  ...{ group: 'platform.navin.ai', version: 'v1alpha1', kind: 'ManagedComponent', plural: 'managedcomponents' },
};
const { deployments, configmaps } = RESOURCES;
const RESYNC_MS = 600_000;

/** One component, and somebody who works on it. */
class Bench {
  readonly clock = new FakeClock();
  readonly cluster = new FakeCluster();
  readonly asked: string[] = [];
  mayAct = true;
  renders: () => Promise<void> = () => Promise.resolve();
  documents: readonly KubeObject[] = [workload('Deployment', 'web', { replicas: 2 }), plain('v1', 'ConfigMap', 'web')];
  private reconciler: Reconciler;

  constructor(spec: Partial<ComponentSpec> = {}) {
    this.reconciler = this.begin();
    const { cluster } = this;
    cluster.put(COMPONENTS, {
      apiVersion: 'platform.navin.ai/v1alpha1',
      kind: 'ManagedComponent',
      metadata: { name: 'web' },
      spec: { source: { chart: { path: 'web' } }, ...spec },
    });
    cluster.show();
  }

  /** Another process, with nothing in its memory. */
  restart(): void {
    this.reconciler = this.begin();
  }

  work(): Promise<number | undefined> {
    return this.reconciler.work('apps/web', new AbortController().signal);
  }

  /** Works until nothing is done any more; the watches show nothing unless they are told to. */
  async settle(): Promise<void> {
    for (let pass = 0; pass < 20; pass += 1) {
      const before = this.cluster.calls.length;
      await this.work();
      if (this.cluster.calls.length === before) return;
    }
    throw new Error(`It does not settle: ${this.cluster.calls.slice(-20).join(', ')}`);
  }

  /** Somebody writes the spec. */
  write(spec: Partial<ComponentSpec>): void {
    const { generation = 0 } = this.cluster.find(COMPONENTS, 'web')?.metadata ?? {};
    const metadata = { name: 'web', generation: generation + 1 };
    this.cluster.put(COMPONENTS, { metadata, spec: { source: { chart: { path: 'web' } }, ...spec } });
  }

  /** The Deployment is rolled out. */
  rollOut(): void {
    const live = this.cluster.find(deployments, 'web');
    const { replicas } = live?.spec as { replicas: number };
    const { generation } = live?.metadata ?? {};
    const counts = Object.fromEntries(
      ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'].map((name) => [name, replicas]),
    );
    this.cluster.put(deployments, {
      ...live,
      metadata: { name: 'web' },
      status: { observedGeneration: generation, ...counts },
    });
  }

  /** The watches show everything, and doubts come with what they show no more. */
  show(): void {
    for (const key of this.cluster.show()) {
      const [plural = '', name = ''] = key.split('/');
      if (plural === 'deployments') this.reconciler.doubt('apps/web', `apps/Deployment/${name}`);
    }
  }

  get status(): ComponentStatus {
    return this.cluster.find(COMPONENTS, 'web')?.status as ComponentStatus;
  }

  /** Calls since the last time, but for looks. */
  changes(): readonly string[] {
    return this.cluster.calls.splice(0).filter((call) => !call.startsWith('get '));
  }

  private begin(): Reconciler {
    const { clock, cluster } = this;
    const { client } = cluster;
    const watched = [
      deployments,
      RESOURCES.statefulsets,
      RESOURCES.horizontalpodautoscalers,
      RESOURCES.poddisruptionbudgets,
    ];
    const informers = new Map(watched.map((each) => [`${each.group}/${each.kind}`, cluster.informer(each)]));
    const render = async (): Promise<Rendering> => {
      await this.renders();
      return { chart: { name: 'web', version: '1.0.0', digest: 'd' }, documents: this.documents, bytes: 1_000 };
    };
    const capabilities = () => Promise.resolve({ kubeVersion: 'v1.37.2', apiVersions: [] });
    return new Reconciler({
      ...{ client, clock, random: () => 0, pullSecrets: [], resyncMs: RESYNC_MS, events: {} },
      resource: COMPONENTS,
      components: cluster.informer(COMPONENTS, (object) => object),
      sight: new SightOfObjects({ client, informers, clock, resyncMs: RESYNC_MS }),
      renderings: new Renderings({ renderer: { render }, capabilities, clock, onStep: () => undefined }),
      facts: new ClusterFacts(client, clock),
      mayAct: () => this.mayAct,
      isEnding: () => false,
      again: (key) => this.asked.push(key),
    });
  }
}

/** A component that runs, as the watches show it. */
async function running(spec: Partial<ComponentSpec> = {}): Promise<Bench> {
  const bench = new Bench(spec);
  await bench.settle();
  bench.rollOut();
  bench.show();
  await bench.settle();
  bench.show();
  expect(bench.status).toMatchObject({ converged: true, state: 'started' });
  bench.cluster.calls.length = 0;
  return bench;
}

describe('watches that lag', () => {
  it('do not make it do again what it has done', async () => {
    const bench = new Bench();
    await bench.settle();
    expect(bench.changes().filter((call) => call.startsWith('apply '))).toEqual([
      'apply configmaps/web',
      'apply deployments/web',
    ]);
    await bench.clock.advance(4_000);
    await bench.settle();
    expect(bench.changes()).toEqual([]);
  });

  it('are asked what is there when they do not show for long what was made', async () => {
    const bench = new Bench();
    await bench.settle();
    bench.cluster.calls.length = 0;
    bench.cluster.erase(deployments, 'web');
    await bench.clock.advance(6_000);
    await bench.settle();
    expect(bench.changes()).toContain('apply deployments/web');
  });

  it('do not make it try again and again with a component that has changed', async () => {
    const bench = new Bench();
    bench.write({ values: { more: true } });
    await bench.settle();
    expect(bench.cluster.calls.slice(0, 3)).toEqual([
      'patch managedcomponents/web',
      'get managedcomponents/web',
      'patch managedcomponents/web',
    ]);
  });

  it('are believed when they show an object no more, whatever was answered a moment before', async () => {
    const bench = await running();
    await bench.clock.advance(1_000);
    bench.write({ desiredState: 'Stopped' });
    bench.show();
    await bench.settle();
    expect(bench.changes()).toContain('apply deployments/web');
    // Its own write is newer than what the watch shows; then somebody deletes the object, and the watch has seen both.
    bench.cluster.erase(deployments, 'web');
    bench.show();
    await bench.work();
    expect(bench.status.workloads).toMatchObject([{ desired: 0, current: 0, available: 0 }]);
    expect(bench.changes()).toContain('apply deployments/web');
  });
});

describe('a component at rest', () => {
  it('costs no request until something changes', async () => {
    const bench = await running();
    await bench.clock.advance(60_000);
    expect(await bench.work()).toBeGreaterThan(0);
    expect(bench.cluster.calls).toEqual([]);
    bench.rollOut();
    bench.show();
    await bench.settle();
    expect(bench.cluster.calls).toEqual([]);
  });

  it('is looked at whole from time to time, and what nobody watches is put right then', async () => {
    const bench = await running();
    bench.cluster.erase(configmaps, 'web');
    await bench.settle();
    expect(bench.cluster.calls).toEqual([]);
    await bench.clock.advance(RESYNC_MS);
    await bench.settle();
    expect(bench.changes()).toContain('apply configmaps/web');
    expect(bench.cluster.find(configmaps, 'web')).toBeDefined();
  });

  it('is known from its status by who begins without memory: nothing is applied, nothing is tried', async () => {
    const bench = await running();
    bench.restart();
    await bench.settle();
    expect(bench.cluster.calls).toEqual(['get configmaps/web']);
  });
});

describe('a lease that is lost', () => {
  it('between the dry run and the apply lets nothing be applied any more', async () => {
    const bench = new Bench();
    bench.cluster.before = (call) => {
      if (call === 'try deployments/web') bench.mayAct = false;
    };
    await expect(bench.settle()).rejects.toMatchObject({ code: 'k8s_aborted' });
    expect(bench.changes().filter((call) => call.startsWith('apply '))).toEqual([]);
  });

  it('between two applies lets the second be', async () => {
    const bench = new Bench();
    bench.cluster.before = (call) => {
      if (call === 'apply configmaps/web') bench.mayAct = false;
    };
    await expect(bench.settle()).rejects.toMatchObject({ code: 'k8s_aborted' });
    expect(bench.changes().filter((call) => call.startsWith('apply '))).toEqual(['apply configmaps/web']);
    bench.mayAct = true;
    bench.cluster.before = () => undefined;
    bench.show();
    await bench.settle();
    expect(bench.changes()).toContain('apply deployments/web');
  });

  it('before the status is written lets nothing be written', async () => {
    const bench = new Bench();
    bench.mayAct = false;
    await expect(bench.settle()).rejects.toMatchObject({ code: 'k8s_aborted' });
    expect(bench.changes()).toEqual([]);
  });
});

describe('a spec that changes', () => {
  it('just before Pods are replaced for the one before is seen, and nothing is done for that', async () => {
    const bench = await running();
    bench.write({ restartRequestedAt: '2026-01-01T10:00:00Z' });
    bench.show();
    let looks = 0;
    bench.cluster.before = (call) => {
      if (call !== 'get managedcomponents/web') return;
      looks += 1;
      if (looks === 1) bench.write({ maintenance: true, restartRequestedAt: '2026-01-01T10:00:00Z' });
    };
    await bench.settle();
    expect(looks).toBeGreaterThan(0);
    expect(JSON.stringify(bench.cluster.find(deployments, 'web')?.spec)).not.toContain('restarted-at');
    expect(bench.status).toMatchObject({ operationState: 'blocked', operation: { reason: 'MaintenanceActive' } });
  });
});

describe('a chart that takes long to render', () => {
  it('is not waited for, and carried out when it is there', async () => {
    const bench = new Bench();
    let done = (): void => undefined;
    bench.renders = () =>
      new Promise((resolve) => {
        done = resolve;
      });
    const pass = bench.work();
    await bench.clock.advance(3_000);
    await pass;
    expect([bench.status.operationState, bench.asked]).toEqual(['running', []]);
    // Another pass does not wait at all.
    await bench.settle();
    done();
    await bench.clock.advance(1);
    expect(bench.asked).toContain('apps/web');
    await bench.settle();
    expect(bench.changes()).toContain('apply deployments/web');
  });
});
