import { describe, expect, it } from '@jest/globals';
import type { IDataObject, IRun, ITriggerFunctions } from 'n8n-workflow';
import { NavinError } from '../../../core/errors';
import { RESOURCES } from '../../../core/kube';
import { type StoredState, type TriggerEvent, TriggerRegistry } from '../../../core/trigger';
import { readChoices } from '../../../nodes/KubernetesTrigger/choices';
import { handoverTo } from '../../../nodes/KubernetesTrigger/handover';
import { TriggerMemory } from '../../../nodes/KubernetesTrigger/memory';
import { toItem } from '../../../nodes/KubernetesTrigger/output';
import { Reports } from '../../../nodes/KubernetesTrigger/reports';
import { deferred } from '../../cluster/deferred';
import { triggerNode } from '../testing/triggerHost';

const STATE = { v: 1, n: 7 } as unknown as StoredState;

function event(fields: Partial<TriggerEvent> = {}): TriggerEvent {
  const observedAt = '2026-01-31T12:00:00.000Z';
  const named = { namespace: 'shop', name: 'web', uid: 'u', observedAt };
  return { type: 'modified', key: 'k', identity: 'u@2', gap: false, ...named, ...fields };
}

describe('the parameters', () => {
  /** What is watched, as the API is asked for it. */
  function settings(parameters: Readonly<Record<string, unknown>>, resource = RESOURCES.events) {
    const node = triggerNode({ parameters, credential: {} });
    const choices = readChoices({
      getNodeParameter: (name: string, fallback?: unknown) => (node.parameters[name] ?? fallback) as object,
    });
    return { ...choices, settings: choices.settingsFor(resource, 'own') };
  }

  it('of Events become one selector, and what the user typed stays whole', () => {
    const made = settings({
      triggerOn: 'event',
      objectKind: ' Pod ',
      reason: 'a,b=c',
      options: { fieldSelector: 'involvedObject.name=web', tellRepeats: true },
    });
    expect(made.resourceName).toBe('events');
    expect(made.settings).toMatchObject({
      fieldSelector: String.raw`type=Warning,involvedObject.kind=Pod,reason=a\,b\=c,involvedObject.name=web`,
      watch: { types: ['added', 'modified'], modifiedWhen: 'any' },
      namespaces: ['own'],
    });
  });

  it('of a component become the fields of its dimensions', () => {
    const made = settings({ triggerOn: 'component', dimensions: ['state', 'convergence'] });
    expect(made.resourceName).toBe('managedcomponents.platform.navin.ai');
    expect(made.settings.watch).toEqual({
      kind: 'changes',
      types: ['modified'],
      modifiedWhen: 'fields',
      fields: ['status.state', 'status.health', 'status.operationState', 'status.securityState', 'status.converged'],
      counting: ['status.state', 'status.converged'],
    });
    expect(() => settings({ triggerOn: 'component', dimensions: [] })).toThrow("'Dimensions' must name at least one");
  });

  it('of conditions say how long and of what', () => {
    expect(settings({ triggerOn: 'nodeNotReady', minutes: 0.5 }).settings.watch).toEqual({
      kind: 'condition',
      condition: 'nodeNotReady',
      minutes: 0.5,
      tellEnd: false,
    });
    expect(settings({ triggerOn: 'certificateExpiring' }).settings.watch).toMatchObject({ days: 14 });
    expect(settings({ triggerOn: 'rolloutSlow', workload: 'daemonsets.apps' }).resourceName).toBe('daemonsets.apps');
  });

  it('are those the docs say when nothing is set', () => {
    const { intervalMs, windowSeconds, batch, simplify, reportFaults } = settings({ triggerOn: 'podEvicted' });
    expect([intervalMs, windowSeconds, batch, simplify, reportFaults]).toEqual([30_000, 3, false, true, true]);
  });

  it('name all namespaces, or several', () => {
    const chosen = (value: string) =>
      settings({ triggerOn: 'event', namespace: { __rl: true, mode: 'name', value } }).settings.namespaces;
    expect([chosen('*'), chosen('a, b'), chosen('a')]).toEqual([['*'], ['a', 'b'], ['a']]);
    expect(() => chosen('a,,b')).toThrow("'Namespace' has a name missing between commas");
  });
});

describe('the hand-over to n8n', () => {
  type Emit = ITriggerFunctions['emit'];
  type Done = NonNullable<Parameters<Emit>[2]>;
  interface N8n {
    readonly emit: Emit;
    readonly engineType?: 'v1' | 'v2';
  }

  function port({ emit, engineType }: N8n) {
    const data: IDataObject = {};
    const owner = { workflowId: 'w', nodeId: 'n' };
    const registry = new TriggerRegistry();
    registry
      .claim(
        owner,
        () => undefined,
        () => undefined,
      )
      .publish(() => STATE);
    const context = {
      emit,
      getWorkflowStaticData: () => data,
      getWorkflowSettings: () => ({ ...(engineType === undefined ? {} : { engineType }) }),
      helpers: { createDeferredPromise: deferred },
    } as unknown as ITriggerFunctions;
    const handover = handoverTo(context, new TriggerMemory(context, owner, registry), () => ({ json: {} }));
    return { handover, data };
  }

  const cancelled = new Error('stopped');
  cancelled.name = 'ManualExecutionCancelledError';

  it.each<[string, (done: Done) => void, string]>([
    [
      'has run',
      (done) => {
        done.resolve({ status: 'success' } as IRun);
      },
      'created',
    ],
    [
      'has failed',
      (done) => {
        done.resolve({ status: 'error' } as IRun);
      },
      'created',
    ],
    [
      'waits',
      (done) => {
        done.resolve({ status: 'waiting' } as IRun);
      },
      'created',
    ],
    [
      'was there before',
      (done) => {
        done.resolve(undefined as unknown as IRun);
      },
      'duplicate',
    ],
    [
      'was stopped by a person',
      (done) => {
        done.reject(cancelled);
      },
      'stopped',
    ],
    [
      'could not be made',
      (done) => {
        done.reject(new Error('no database'));
      },
      'rejected',
    ],
  ])('knows an execution that %s', async (_name, settle, outcome) => {
    const { handover } = port({
      emit: (_data, _response, done, key) => {
        if (done !== undefined && key === 'k') settle(done);
      },
    });
    expect(handover.keyed).toBe(true);
    expect(await handover.emit('k', [event()], undefined)).toBe(outcome);
  });

  it('puts the state into the static data before n8n gets the event, and saves it without an execution', async () => {
    const seen: unknown[] = [];
    const made = port({
      emit: (items, _response, done, key) => {
        seen.push([items, key, structuredClone(made.data)]);
        done?.resolve(undefined as unknown as IRun);
      },
    });
    await made.handover.emit('k1', [event()], STATE);
    await made.handover.checkpoint?.('k1', STATE);
    const stored = { navinKubernetesTriggers: { n: STATE } };
    expect(seen).toEqual([
      [[[{ json: {} }]], 'k1', stored],
      [[[]], 'k1', stored],
    ]);
  });

  it('is at-least-once, and says so, where n8n knows no keys', async () => {
    const three = port({
      emit: (_data, _response, done) => {
        done?.resolve({ status: 'success' } as IRun);
      },
    });
    expect(three.handover.keyed).toBe(false);
    expect(three.handover).not.toHaveProperty('checkpoint');
    expect(await three.handover.emit('k', [event()], undefined)).toBe('created');
    const v2 = port({
      engineType: 'v2',
      emit: (_data, _response, done) => {
        if (done !== undefined) throw new Error('engine v2 refuses a promise');
      },
    });
    expect(v2.handover.keyed).toBe(false);
    expect(await v2.handover.emit('k', [event()], undefined)).toBe('created');
  });
});

describe('what is stored with the workflow', () => {
  const contextOf = (data: IDataObject) => ({ getWorkflowStaticData: () => data });

  it('keeps the states of two triggers apart, whichever copy of the static data is written', () => {
    const registry = new TriggerRegistry();
    const copies = [{}, { navinKubernetesTriggers: { a: { v: 0 } } }] as const satisfies IDataObject[];
    const memories = (['a', 'b'] as const).map((nodeId, index) => {
      const owner = { workflowId: 'w', nodeId };
      registry
        .claim(
          owner,
          () => undefined,
          () => undefined,
        )
        .publish(() => ({ v: 1, l: nodeId }) as StoredState);
      return new TriggerMemory(contextOf(copies[index] ?? {}), owner, registry);
    });
    memories.forEach((memory) => {
      memory.keep();
    });
    for (const copy of copies) {
      expect(copy).toEqual({ navinKubernetesTriggers: { a: { v: 1, l: 'a' }, b: { v: 1, l: 'b' } } });
    }
  });

  it('remembers what a custom resource was, and believes nothing that is not one', () => {
    const data: IDataObject = {};
    const memory = new TriggerMemory(contextOf(data), { workflowId: 'w', nodeId: 'n' }, new TriggerRegistry());
    memory.keepResource('cm', RESOURCES.configmaps);
    expect(memory.resourceOf('cm')).toEqual(RESOURCES.configmaps);
    expect(memory.resourceOf('other')).toBeUndefined();
    const evil = { ...RESOURCES.configmaps, plural: '../secrets' };
    data.navinKubernetesTriggers = { 'n/resource': { name: 'cm', resource: evil as unknown as IDataObject } };
    expect(memory.resourceOf('cm')).toBeUndefined();
  });
});

describe('the item', () => {
  const options = { cluster: 'https://c:6443', simplify: true };

  it('never holds the data of a Secret', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'web',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":"c2VjcmV0"}', team: 'a' },
      },
      data: { password: 'c2VjcmV0' },
      stringData: { password: 'c2VjcmV0' },
    };
    const { json } = toItem(event({ object }), { ...options, resource: RESOURCES.secrets });
    expect(JSON.stringify(json)).not.toContain('c2VjcmV0');
    expect(json.object).toMatchObject({ kind: 'Secret', metadata: { annotations: { team: 'a' } } });
  });

  it('holds the simplified object where there is such a form, the whole one else', () => {
    const deployment = { metadata: { name: 'web' }, spec: { replicas: 3 } };
    const made = event({ object: deployment });
    const simplified = toItem(made, { ...options, resource: RESOURCES.deployments });
    expect(simplified.json.object).toMatchObject({ name: 'web', replicas: 3, readyReplicas: 0 });
    expect(toItem(made, { ...options, simplify: false, resource: RESOURCES.deployments }).json.object).toBe(deployment);
    expect(toItem(made, { ...options, resource: RESOURCES.ingresses }).json.object).toBe(deployment);
    // Of an object that is too large only the metadata are known: nothing else may be made up.
    const partial = toItem(event({ object: { metadata: { name: 'web' } }, partial: true }), {
      ...options,
      resource: RESOURCES.deployments,
    });
    expect(partial.json.object).toEqual({ metadata: { name: 'web' } });
  });
});

describe('reports', () => {
  const fault = (scope: string, code: 'k8s_forbidden' | 'k8s_unreachable') => ({
    scope,
    code,
    error: new NavinError(code, `no (${code})`, { cause: { config: { headers: 'Bearer secret' } } }),
    failures: 3,
    lastsMs: 150_000,
  });

  function reports(asExecutions: boolean) {
    const failed: Error[] = [];
    const logged: string[] = [];
    const logger = { info: (text: string) => logged.push(text), warn: (text: string) => logged.push(text) };
    const context = {
      getNode: () => triggerNode({ parameters: {}, credential: {} }),
      logger,
      saveFailedExecution: (error: Error) => failed.push(error),
    } as unknown as ITriggerFunctions;
    return { failed, logged, reports: new Reports(context, { workflowId: 'w', asExecutions }) };
  }

  it('record a fault of many namespaces once, and again only after it was over', () => {
    const made = reports(true);
    for (const scope of ['scope:a', 'scope:b', 'scope:c']) made.reports.fault(fault(scope, 'k8s_forbidden'));
    expect(made.failed.map(({ message }) => message)).toEqual([
      'The trigger is still active, but it could not watch the namespace a for 3 min (3 attempts): no (k8s_forbidden)',
    ]);
    expect(made.logged).toHaveLength(3);
    for (const scope of ['scope:a', 'scope:b', 'scope:c']) made.reports.recovered(scope);
    made.reports.fault(fault('cluster', 'k8s_forbidden'));
    expect(made.failed).toHaveLength(2);
    expect(JSON.stringify(made.failed)).not.toContain('Bearer');
  });

  it('only log it where the workflow wants that', () => {
    const made = reports(false);
    made.reports.fault(fault('cluster', 'k8s_unreachable'));
    expect([made.failed, made.logged.length]).toEqual([[], 1]);
  });
});
