import { describe, expect, it } from '@jest/globals';
import { isRecord } from '../kube';
import { TriggerEngine } from './engine';
import type { HandoverPort } from './ports';
import { TriggerRegistry } from './registry';
import { ClusterModel } from './testing/clusterModel';
import { FaultyCluster } from './testing/clusterFaults';
import { FakeClock } from './testing/fakeClock';
import { settingsFor } from './testing/objects';

const WORKFLOW = 'workflow';

/** A workflow with two triggers in an n8n that gives each registration its own copy of the static data and saves it whole. */
class TwoTriggers {
  readonly clock = new FakeClock();
  readonly model = new ClusterModel();
  readonly told: string[] = [];
  readonly notes: string[] = [];
  /** In the database. */
  saved: Record<string, unknown> = {};
  private readonly rows = new Set<string>();
  private readonly api = new FaultyCluster(this.model, this.clock, undefined, () => 0.5);
  private registry = new TriggerRegistry();
  private readonly engines = new Map<string, TriggerEngine>();

  /** The node is published: n8n loads the workflow from its database. */
  async publish(nodeId: string): Promise<void> {
    const copy = structuredClone(this.saved);
    const engine = new TriggerEngine({
      owner: { workflowId: WORKFLOW, nodeId },
      settings: settingsFor(),
      cluster: this.api,
      handover: this.port(nodeId, copy),
      stored: copy[nodeId],
      intervalMs: 15_000,
      windowSeconds: 3,
      clock: this.clock,
      random: () => 0.5,
      registry: this.registry,
      onNote: ({ kind }) => this.notes.push(kind),
    });
    this.engines.set(nodeId, engine);
    const started = engine.start();
    await this.clock.advance(1000);
    await started;
    // The end of an activation saves the static data as they are at hand.
    this.save(copy);
  }

  /** kill -9 and a new start. */
  async restart(): Promise<void> {
    for (const engine of this.engines.values()) void engine.stop();
    this.registry = new TriggerRegistry();
    for (const nodeId of this.engines.keys()) await this.publish(nodeId);
  }

  async stop(): Promise<void> {
    for (const engine of this.engines.values()) await engine.stop();
  }

  cursorOf(nodeId: string): unknown {
    const state = this.saved[nodeId];
    return isRecord(state) && Array.isArray(state.p) ? (state.p as unknown[][])[0]?.[1] : undefined;
  }

  private port(nodeId: string, copy: Record<string, unknown>): HandoverPort {
    const put = (): void => {
      Object.assign(copy, this.registry.compose(WORKFLOW, copy));
    };
    const execute = (key: string, names: readonly string[]): Promise<'created' | 'duplicate'> => {
      this.save(copy);
      if (this.rows.has(key)) return Promise.resolve('duplicate');
      this.rows.add(key);
      this.told.push(...names.map((name) => `${nodeId} ${name}`));
      return Promise.resolve('created');
    };
    return {
      keyed: true,
      keep: put,
      emit: (key, events, state) => {
        if (state) put();
        return execute(
          key,
          events.map(({ identity }) => identity),
        );
      },
      checkpoint: (key) => {
        put();
        return execute(key, []);
      },
    };
  }

  private save(copy: Record<string, unknown>): void {
    this.saved = structuredClone(copy);
  }
}

describe('two triggers in one workflow', () => {
  it('republished apart do not take each other back, and tell everything once', async () => {
    const world = new TwoTriggers();
    await world.publish('one');
    await world.publish('two');
    world.model.create('shop', 'a');
    await world.clock.advance(20_000);
    await world.publish('one');
    world.model.create('shop', 'a');
    await world.clock.advance(20_000);
    await world.publish('two');
    world.model.create('shop', 'a');
    await world.clock.advance(20_000);
    // Both newest states are saved, whichever trigger saved last.
    expect([world.cursorOf('one'), world.cursorOf('two')]).toEqual(['13', '13']);
    await world.restart();
    await world.clock.advance(40_000);
    const events = ['cluster-1-object-1@11', 'cluster-1-object-2@12', 'cluster-1-object-3@13'];
    expect(world.told.filter((text) => text.startsWith('one'))).toEqual(events.map((event) => `one ${event}`));
    expect(world.told.filter((text) => text.startsWith('two'))).toEqual(events.map((event) => `two ${event}`));
    expect(world.notes).toEqual(['seeded', 'seeded']);
    await world.stop();
  });

  it('go on from what this process knows when a Code node has rolled the static data back', async () => {
    const world = new TwoTriggers();
    await world.publish('one');
    const old = structuredClone(world.saved);
    world.model.create('shop', 'a');
    await world.clock.advance(20_000);
    world.saved = old;
    await world.publish('one');
    await world.clock.advance(20_000);
    expect(world.notes).toEqual(['seeded', 'rolled-back']);
    // Rolled back once more, and nothing in memory: the event comes again, and n8n knows its key.
    world.saved = old;
    await world.restart();
    world.model.create('shop', 'a');
    await world.clock.advance(40_000);
    expect(world.told).toEqual(['one cluster-1-object-1@11', 'one cluster-1-object-2@12']);
    await world.stop();
  });
});
