import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { RESOURCES, type KubeObject } from '../kube';
import { TriggerEngine } from './engine';
import type { ClusterPort } from './ports';
import { TriggerRegistry } from './registry';
import { checkSettings } from './settings';
import type { FaultyCluster } from './testing/clusterFaults';
import { OWNER, objectOf, settingsFor } from './testing/objects';
import { setUp } from './testing/setUp';

describe('the first activation', () => {
  it('lists what exists, tells nothing, and leaves a state to be saved', async () => {
    const { model, n8n, start, notes } = setUp();
    model.create('shop', 'a');
    const engine = await start();
    expect(n8n.emits).toEqual([]);
    expect(n8n.kept?.p).toEqual([['', '11', '', 0]]);
    expect(notes.map(({ kind }) => kind)).toEqual(['seeded']);
    await engine.stop();
  });

  it('fails when the cluster cannot be listed, and nothing keeps running', async () => {
    const { api, clock, engine, n8n } = setUp();
    api.down = true;
    const trigger = engine();
    const started = trigger.start();
    started.catch(() => undefined);
    await clock.advance(1000);
    await expect(started).rejects.toMatchObject({ code: 'k8s_unreachable' });
    api.down = false;
    await clock.advance(600_000);
    expect([api.windows, n8n.kept]).toEqual([0, undefined]);
  });

  it('says that it was stopped, when it was', async () => {
    const { clock, engine } = setUp();
    const trigger = engine();
    const started = trigger.start();
    started.catch(() => undefined);
    void trigger.stop();
    await clock.advance(1000);
    await expect(started).rejects.toMatchObject({ code: 'k8s_aborted' });
  });

  it('tells what exists in the background, where that was asked for', async () => {
    const { model, n8n, start, clock } = setUp({ settings: settingsFor({ emitExisting: true }) });
    model.create('shop', 'a');
    const engine = await start();
    expect([n8n.emits.length, n8n.kept?.p]).toEqual([0, [['', '', 'seed', 0]]]);
    await clock.advance(40_000);
    expect(n8n.told).toEqual(['added cluster-1-object-1@11']);
    await engine.stop();
  });
});

describe('going on', () => {
  it('starts at once with a stored state, whatever the cluster does, and works when it is there again', async () => {
    const { model, api, n8n, start, clock } = setUp();
    const first = await start();
    await first.stop();
    api.down = true;
    const engine = new TriggerEngine({
      owner: OWNER,
      settings: settingsFor(),
      cluster: api,
      handover: n8n,
      stored: JSON.parse(JSON.stringify(n8n.kept)),
      intervalMs: 30_000,
      windowSeconds: 3,
      clock,
      random: () => 0.5,
      registry: new TriggerRegistry(),
    });
    await engine.start();
    await clock.advance(3_600_000);
    model.create('shop', 'a');
    api.down = false;
    await clock.advance(200_000);
    expect(n8n.told).toEqual(['added cluster-1-object-1@11']);
    await engine.stop();
  });

  it('gives each event with the state before it, and saves the state after it once it has settled', async () => {
    const { model, n8n, start, clock } = setUp();
    const engine = await start();
    model.create('shop', 'a');
    await clock.advance(40_000);
    expect(n8n.emits[0]?.state?.p).toEqual([['', '10', '', 0]]);
    expect(n8n.checkpoints).toMatchObject([{ key: n8n.emits[0]?.key, state: { p: [['', '11', '', 0]] } }]);
    await clock.advance(300_000);
    expect(n8n.checkpoints).toHaveLength(1);
    await engine.stop();
  });

  it('makes no more checkpoints after one has started an execution', async () => {
    const { model, n8n, start, clock, notes } = setUp();
    n8n.checkpointAnswer = 'created';
    const engine = await start();
    for (let round = 0; round < 3; round += 1) {
      model.create('shop', 'a');
      await clock.advance(60_000);
    }
    expect([n8n.emits.length, n8n.checkpoints.length]).toEqual([3, 1]);
    expect(notes.map(({ kind }) => kind)).toEqual(['seeded', 'checkpoint-ran']);
    await engine.stop();
  });

  it('takes an emit that throws for a refused one', async () => {
    const { model, n8n, start, clock, notes } = setUp();
    const engine = await start();
    let calls = 0;
    n8n.emit = () => {
      calls += 1;
      if (calls < 5) throw new Error('n8n');
      return Promise.resolve('created');
    };
    model.create('shop', 'a');
    await clock.advance(120_000);
    expect(calls).toBe(5);
    expect(notes.map(({ kind }) => kind)).toEqual(['seeded', 'handover-trouble']);
    await engine.stop();
  });

  it('is not ended by a listener that throws', async () => {
    const throwing = (): never => {
      throw new Error('listener');
    };
    const { model, n8n, api, start, clock } = setUp({ onNote: throwing, onFault: throwing, onRecovered: throwing });
    const engine = await start();
    api.down = true;
    await clock.advance(600_000);
    api.down = false;
    model.create('shop', 'a');
    await clock.advance(200_000);
    expect(n8n.told).toEqual(['added cluster-1-object-1@11']);
    await engine.stop();
  });

  it('waits for emits that have no promise, where n8n knows no keys', async () => {
    const { model, n8n, start, clock } = setUp();
    n8n.keyed = false;
    n8n.answer = undefined;
    const engine = await start();
    model.create('shop', 'a');
    model.create('shop', 'a');
    await clock.advance(60_000);
    expect(n8n.told).toHaveLength(2);
    model.create('shop', 'a');
    await clock.advance(60_000);
    expect(n8n.emits[2]?.state?.p).toEqual([['', '12', '', 0]]);
    await engine.stop();
  });

  it('notices a cluster that was set back after one quiet window, though its watch says nothing', async () => {
    const { model, n8n, start, clock, notes } = setUp();
    const before = model.snapshot();
    const engine = await start();
    model.create('shop', 'a');
    await clock.advance(40_000);
    model.restore(before);
    await clock.advance(70_000);
    expect(notes.flatMap((note) => (note.kind === 'gap' ? [note.cause, note.from, note.to] : []))).toEqual([
      'restored',
      '11',
      '10',
    ]);
    expect(n8n.told).toEqual(['added cluster-1-object-1@11', 'deleted cluster-1-object-1:gone']);
    await engine.stop();
  });

  it('asks which cluster answers when the history is gone, before it compares', async () => {
    const { model, n8n, start, clock, notes } = setUp();
    model.create('shop', 'a');
    const engine = await start();
    await clock.advance(25_000);
    model.exchange();
    model.create('shop', 'a');
    await clock.advance(35_000);
    expect(notes.flatMap((note) => (note.kind === 'gap' ? [note.cause] : []))).toEqual(['cluster']);
    expect(n8n.told).toEqual(['added cluster-2-object-2@2001', 'deleted cluster-1-object-1:gone']);
    await engine.stop();
  });

  it('gives n8n a state to save with the first emit of a burst, not with each', async () => {
    const { model, n8n, start, clock } = setUp();
    model.create('shop', 'a');
    const engine = await start();
    for (let count = 0; count < 10; count += 1) model.create(`shop-${count}`, 'a');
    n8n.answer = undefined;
    await clock.advance(18_000);
    expect(n8n.emits.map(({ state }) => state !== undefined)).toEqual([
      true,
      ...Array.from({ length: 9 }, () => false),
    ]);
    await engine.stop();
  });

  it('makes a checkpoint only once everything is handed over', async () => {
    const { model, n8n, start, clock } = setUp();
    const engine = await start();
    n8n.answer = undefined;
    for (let count = 0; count < 3; count += 1) model.create('shop', 'a');
    await clock.advance(17_000);
    n8n.emits[0]?.settle('created');
    await clock.advance(3000);
    expect([n8n.emits.length, n8n.checkpoints.length]).toEqual([3, 0]);
    for (const { settle } of n8n.emits) settle('created');
    await clock.advance(60_000);
    expect(n8n.checkpoints.map(({ state }) => state.p[0]?.[1])).toEqual(['13']);
    await engine.stop();
  });

  it('tells a lasting fault once, and that it is over', async () => {
    const { api, start, clock, faults } = setUp();
    const engine = await start();
    api.down = true;
    await clock.advance(1_800_000);
    expect(faults).toEqual(['k8s_unreachable']);
    api.down = false;
    await clock.advance(300_000);
    expect(faults).toEqual(['k8s_unreachable', 'recovered']);
    await engine.stop();
  });

  it('keeps one namespace going while another is forbidden', async () => {
    const { api, model, n8n, clock, start, faults } = setUp({
      settings: settingsFor({ namespaces: ['left', 'right'] }),
    });
    const engine = await start();
    const watch = api.watch.bind(api);
    api.watch = (scope, ...rest) => {
      if (scope === 'left') throw new NavinError('k8s_forbidden', 'No.');
      return watch(scope, ...rest);
    };
    for (let round = 0; round < 5; round += 1) {
      model.create('right', 'a');
      await clock.advance(35_000);
    }
    expect(n8n.told).toHaveLength(5);
    expect(faults).toEqual(['k8s_forbidden']);
    await engine.stop();
  });
});

describe('a burst', () => {
  it('of 10,000 changes waits in the cluster: little is read ahead, and everything is told in order', async () => {
    const { model, n8n, start, clock, api } = setUp();
    const engine = await start();
    n8n.answer = undefined;
    const uid = model.create('shop', 'a');
    for (let count = 1; count < 10_000; count += 1) model.update(uid, {});
    let told = 0;
    let ahead = 0;
    for (let round = 0; round < 1000 && told < 10_000; round += 1) {
      await clock.advance(told === 0 ? 20_000 : 20);
      for (const { settle } of n8n.emits.slice(told)) settle('created');
      told = n8n.emits.length;
      const { versions } = readAhead(api);
      ahead = Math.max(ahead, versions - told);
    }
    expect(told).toBe(10_000);
    expect(ahead).toBeLessThanOrEqual(220);
    const versions = n8n.emits.map(({ events }) => Number(events[0]?.resourceVersion));
    expect(versions).toEqual([...versions].sort((left, right) => left - right));
    await engine.stop();
  }, 60_000);
});

/** How many events were taken from the cluster. */
function readAhead(api: FaultyCluster): { readonly versions: number } {
  return { versions: api.handedOut };
}

describe('a list', () => {
  it('of 2,000 new objects after a gap waits in the cluster too: no page is read before there is room', async () => {
    const { clock, model, api, n8n, start } = setUp();
    const engine = await start();
    for (let count = 0; count < 2000; count += 1) model.create(`shop-${count}`, 'a');
    model.compact();
    const pages = api.pages.bind(api);
    let read = 0;
    api.pages = async function* (...wanted) {
      for await (const page of pages(...wanted)) {
        read += page.items.length;
        yield page;
      }
    };
    n8n.answer = undefined;
    await clock.advance(20_000);
    expect([n8n.emits.length, read <= 205]).toEqual([20, true]);
    n8n.answer = 'created';
    for (const { settle } of [...n8n.emits]) settle('created');
    await clock.advance(60_000);
    expect(new Set(n8n.told).size).toBe(2000);
    await engine.stop();
  });

  it('is read in pages of about a megabyte, so that none holds n8n up', async () => {
    const { clock, model, api, start } = setUp();
    const pages = api.pages.bind(api);
    const sizes: number[] = [];
    let bytes = 10;
    api.pages = async function* (scope, options, signal) {
      sizes.push(options.pageSize);
      for await (const page of pages(scope, options, signal)) {
        yield { ...page, items: page.items.map((item) => ({ ...item, data: { x: 'x'.repeat(bytes) } })) };
      }
    };
    model.create('shop', 'a');
    const engine = await start();
    for (const next of [10_000, 10_000_000, 10]) {
      bytes = next;
      api.plan.push('expired');
      await clock.advance(35_000);
    }
    api.plan.push('expired');
    await clock.advance(35_000);
    expect(sizes).toEqual([100, 500, 102, 1, 500]);
    await engine.stop();
  });
});

describe('what must last', () => {
  const settings = checkSettings({
    resource: RESOURCES.nodes,
    namespaces: [],
    watch: { kind: 'condition', condition: 'nodeNotReady', minutes: 10 },
  });
  const node: KubeObject = objectOf('n', 50, {
    status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: 'T' }] },
  });
  const cluster = (status: () => KubeObject | undefined): ClusterPort => ({
    identity: () => Promise.resolve({ server: 's', uid: undefined }),
    newest: () => Promise.resolve('100'),
    pages: async function* () {
      const object = await Promise.resolve(status());
      yield { items: object ? [object] : [], resourceVersion: '100', inconsistent: false };
    },
    watch: async function* () {
      await Promise.resolve();
    },
    read: () => Promise.resolve(status()),
  });

  it('is told when its time comes, between two passes, and not before', async () => {
    const { n8n, start, clock } = setUp({ settings, cluster: cluster(() => node), intervalMs: 300_000 });
    const engine = await start();
    await clock.advance(597_000);
    expect(n8n.told).toEqual([]);
    await clock.advance(3000);
    expect(n8n.told).toEqual(['started uid-n!nodeNotReady:ready:T']);
    expect(n8n.emits[0]?.events[0]?.object).toMatchObject({ kind: 'Node' });
    await engine.stop();
  });

  it('is neither hurried nor delayed by a jump of the clock', async () => {
    const { n8n, start, clock } = setUp({ settings, cluster: cluster(() => node) });
    const engine = await start();
    clock.jump(7 * 86_400_000);
    await clock.advance(500_000);
    expect(n8n.told).toEqual([]);
    clock.jump(-30 * 86_400_000);
    await clock.advance(101_000);
    expect(n8n.told).toHaveLength(1);
    await engine.stop();
  });

  it('is not told when it is over by then', async () => {
    let object: KubeObject | undefined = node;
    const { n8n, start, clock } = setUp({ settings, cluster: cluster(() => object) });
    const engine = await start();
    object = undefined;
    await clock.advance(1_200_000);
    expect(n8n.told).toEqual([]);
    await engine.stop();
  });
});
