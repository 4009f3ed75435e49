import { describe, expect, it } from '@jest/globals';
import { guarded, required } from './arithmetic';
import { MadeUp } from './madeUp';
import { seen } from './projection';

const BUDGET = { pdb: { minAvailable: 2 } };
/** What a status says of an operation that is not the first. */
const told = (status: Record<string, unknown>) => ({ operation: { type: 'restart', key: 'other' }, ...status });

describe('what a budget requires', () => {
  it.each([
    [{ minAvailable: 2 }, 5, 2],
    [{ minAvailable: 2 }, 1, 2],
    [{ minAvailable: '50%' }, 5, 3],
    [{ minAvailable: '29%' }, 100, 29],
    [{ maxUnavailable: 1 }, 5, 4],
    [{ maxUnavailable: 9 }, 5, 0],
    [{ maxUnavailable: '30%' }, 5, 3],
    [{}, 5, 0],
  ])('%j of %i is %i', (budget, replicas, wanted) => {
    expect(required(budget, replicas)).toBe(wanted);
  });

  it.each([
    ['the live replicas', {}, 5],
    ['the smaller of live and desired', { replicas: 3 }, 3],
    ['the live ones while they are fewer', { replicas: 9 }, 5],
    ['the fewest of an autoscaler', { autoscaling: { minReplicas: 2 } }, 2],
    [
      'the live ones, when another workload is meant',
      { replicas: 3, scaleTarget: { kind: 'Deployment', name: 'api' } },
      5,
    ],
  ])('counts %s', (_what, spec, wanted) => {
    const metadata = { name: 'web', uid: 'u', resourceVersion: '1' };
    const component = seen('ManagedComponent', { metadata, spec });
    const workload = seen('Deployment', { metadata, spec: { replicas: 5 } });
    if (component.kind !== 'ManagedComponent' || workload.kind !== 'Deployment') throw new Error('impossible');
    expect(guarded(component.asks, workload, [])).toBe(wanted);
  });
});

describe('a clean life', () => {
  it('passes, and was really looked at', () => {
    const story = new MadeUp().installed();
    // A restart, one Pod after the other, one more first.
    story.asks({ ...BUDGET, restartRequestedAt: 'x' }).says(told({ operationState: 'running', converged: false }));
    story
      .deployment({ current: 3, updated: 0, template: 'two' }, 'navin-operator')
      .deployment({ current: 4, updated: 1, template: 'two' });
    for (const [old, fresh] of [
      ['a', 'd'],
      ['b', 'e'],
      ['c', 'f'],
    ] as const) {
      story.pod(fresh, 'not ready').pod(fresh, 'ready').pod(old, 'ending').pod(old, 'gone');
    }
    story.deployment({ template: 'two' });
    const { claims, fewest } = story.judge.judged;
    expect(story.wrong).toEqual([]);
    expect(claims).toEqual({ numbers: 2, converged: 1, stopped: 0, succeeded: 1, ok: 2, blocked: 0 });
    expect([...fewest]).toEqual([['shop Deployment/web', { ready: 3, required: 2 }]]);
  });

  it('may stop: the budget does not count then', () => {
    const story = new MadeUp().installed();
    story
      .asks({ ...BUDGET, desiredState: 'Stopped' })
      .deployment({ desired: 0, current: 3, updated: 3, ready: 3, available: 3 }, 'navin-operator');
    for (const name of ['a', 'b', 'c']) story.pod(name, 'ending').pod(name, 'gone');
    story.deployment({ desired: 0 }).says(told({ state: 'stopped' }), { desired: 0 });
    expect(story.wrong).toEqual([]);
  });

  it('may be removed, with everything', () => {
    const story = new MadeUp().installed().asks(BUDGET, { deletionTimestamp: 'now' });
    for (const name of ['a', 'b', 'c']) story.pod(name, 'ending').pod(name, 'gone');
    story.own('Deployment', 'web', {}, true).own('PodDisruptionBudget', 'web-deployment', {}, true).goes();
    expect(story.wrong).toEqual([]);
  });
});

describe('the budget', () => {
  it('was broken when a rollout ends too many Pods', () => {
    const story = new MadeUp().installed().pod('a', 'ending').pod('b', 'ending');
    expect(story.wrong).toEqual(['budget: Deployment/web had 1 ready Pods, and its budget requires 2: b was ended']);
  });

  it('counts in maintenance, whoever asks for a stop', () => {
    const story = new MadeUp().installed().asks({ ...BUDGET, desiredState: 'Stopped', maintenance: true });
    story.pod('a', 'ending').pod('b', 'ending');
    expect(story.wrong).toHaveLength(1);
  });

  it('counts again once a start was taken note of and all is up', () => {
    const story = new MadeUp().installed().asks({ ...BUDGET, desiredState: 'Stopped' });
    for (const name of ['a', 'b', 'c']) story.pod(name, 'gone');
    story
      .asks(BUDGET)
      .says(told({ state: 'starting', operationState: 'running', converged: false, health: 'critical' }), {
        desired: 3,
      });
    for (const name of ['d', 'e', 'f']) story.pod(name, 'ready');
    story.pod('d', 'gone').pod('e', 'gone');
    expect(story.wrong.filter((line) => line.startsWith('budget'))).toEqual([
      'budget: Deployment/web had 1 ready Pods, and its budget requires 2: e was ended',
    ]);
  });

  it('is the lower one while another is being carried out, and the new one from then on', () => {
    const story = new MadeUp()
      .installed()
      .asks({ pdb: { minAvailable: 3 } })
      .pod('a', 'ending');
    expect(story.wrong).toEqual([]);
    story.pod('d', 'ready').budget({ minAvailable: 3 }).says({});
    story.pod('d', 'ending');
    expect(story.wrong).toHaveLength(1);
  });

  it('excuses Pods that a test makes ill, but not those that are ended meanwhile', () => {
    const story = new MadeUp().installed();
    story.judge.excuses.push({ what: 'illness', from: story.revision, to: story.revision + 2 });
    story.pod('a', 'not ready').pod('b', 'not ready');
    expect(story.wrong).toEqual([]);
    story.pod('c', 'ending');
    expect(story.wrong).toEqual(['budget: Deployment/web had 0 ready Pods, and its budget requires 2: c was ended']);
  });

  it('ends with a workload that hands took away', () => {
    const story = new MadeUp().installed();
    story.judge.excuses.push({ what: 'hands', from: story.revision, to: story.revision });
    story.own('Deployment', 'web', {}, true);
    expect(story.pod('a', 'gone').pod('b', 'gone').wrong).toEqual([]);
  });

  it('is not judged where nobody saw', () => {
    const story = new MadeUp().installed();
    story.judge.blindBetween({ from: story.revision - 1, to: story.revision + 1, at: 0 });
    expect(story.pod('a', 'gone').pod('b', 'gone').wrong).toEqual([]);
  });
});

describe('a status lies when it', () => {
  const running = { operationState: 'running', converged: false };

  it('has numbers that never were', () => {
    const story = new MadeUp().installed().says(told({ ...running, health: 'warning' }), { available: 2 });
    expect(story.wrong).toEqual([
      'claim: Deployment/web is said to have desired 3, current 3, updated 3, ready 3, available 2; it had ' +
        'desired 3, current 3, updated 3, ready 3, available 3 (generation 1 of 1) at 108',
    ]);
  });

  it('has numbers that were too long ago', () => {
    const story = new MadeUp().installed().deployment({ available: 2, ready: 2 });
    expect(story.wait(4_000).says(told(running)).wrong).toEqual([]);
    expect(story.wait(2_000).says(told({ ...running, health: 'unknown' })).wrong).toHaveLength(1);
  });

  it('goes back to numbers from before those it told', () => {
    const story = new MadeUp().installed().deployment({ available: 2, ready: 2 });
    story.says(told({ ...running, health: 'warning' }), { available: 2, ready: 2 });
    expect(story.says(told(running)).wrong).toHaveLength(1);
  });

  it('is converged by what was there before its own last write', () => {
    const story = new MadeUp().installed().asks({ ...BUDGET, values: {} });
    story
      .deployment({ template: 'two' }, 'navin-operator')
      .says(told({ operation: { type: 'configure', key: 'new' } }));
    expect(story.wrong).toEqual([
      "claim: converged, and Deployment/web was not complete after the operator's last write to it",
      "claim: configure has succeeded, and Deployment/web was not complete after the operator's last write to it",
    ]);
  });

  it('is converged while an older generation was observed', () => {
    const story = new MadeUp()
      .installed()
      .asks(BUDGET)
      .says(told({ observedGeneration: 1 }));
    expect(story.wrong).toEqual(['claim: converged at 1, and the spec is at 2']);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['other replicas', { replicas: 5 }, {}, 'Deployment/web does not show 5 replicas'],
    ['a restart', { restartRequestedAt: 'x' }, {}, 'Deployment/web does not show the restart of x'],
    ['another budget', { pdb: { minAvailable: 1 } }, {}, 'Deployment/web does not show its budget'],
    ['a stop', { desiredState: 'Stopped' }, {}, 'started is not stopped'],
    ['nothing, and the operation is under way', {}, { operationState: 'running' }, 'the operation is running'],
    ['nothing, and leaves a workload out', {}, { workloads: [] }, 'Deployment/web is not mentioned'],
  ])('is converged though %s was asked for', (_what, spec, status, problem) => {
    const story = new MadeUp()
      .installed()
      .asks({ ...BUDGET, ...spec })
      .says(status);
    expect(story.wrong).toEqual([`claim: converged, and ${problem}`]);
  });

  it('is stopped while Pods still end', () => {
    const story = new MadeUp().installed().asks({ ...BUDGET, desiredState: 'Stopped' });
    story.deployment({ desired: 0, current: 3, updated: 3, ready: 3, available: 3 }, 'navin-operator');
    for (const name of ['a', 'b', 'c']) story.pod(name, 'ending');
    story.deployment({ desired: 0, terminating: 3 }).says(told({ state: 'stopped' }), { desired: 0 });
    expect(story.wrong).toEqual(['claim: stopped, and Deployment/web had Pods that were not gone']);
  });

  it('counts on Pods that were never ready, whatever the Deployment says', () => {
    const story = new MadeUp()
      .asks(BUDGET)
      .says({ ...running, health: 'unknown' }, 'none')
      .budget(BUDGET.pdb);
    story.deployment({ current: 0, updated: 0, ready: 0, available: 0 }, 'navin-operator').deployment({}).says({});
    expect(story.wrong).toEqual(['claim: converged, and Deployment/web had 0 Pods that were ready of 3']);
  });

  it('is ill without an illness, or well without health', () => {
    expect(new MadeUp().installed().says(told({ ...running, health: 'critical' })).wrong).toEqual([
      'claim: health is critical, and every Pod is available',
    ]);
    const story = new MadeUp().installed().deployment({ available: 2, ready: 2 });
    expect(story.says(told(running), { available: 2, ready: 2 }).wrong).toEqual([
      'claim: health is ok, and Deployment/web has 2 of 3 available',
    ]);
  });

  it('is blocked by a budget that has room', () => {
    const blocked = { operationState: 'blocked', converged: false };
    const operation = { type: 'restart', key: 'other', reason: 'DisruptionBudgetExhausted' };
    const story = new MadeUp().installed().wait(6_000);
    expect(story.says({ ...blocked, operation }).wrong).toEqual([
      'claim: blocked by the budget, and enough Pods are available',
    ]);
    const other = new MadeUp().installed().deployment({ available: 1, ready: 1 });
    expect(other.says({ ...blocked, operation, health: 'critical' }, { available: 1, ready: 1 }).wrong).toEqual([]);
  });

  it('has not said for long what is', () => {
    const story = new MadeUp().installed();
    expect(story.judge.lagging(story.now + 60_000)).toEqual([]);
    story.deployment({ available: 2, ready: 2 });
    expect(story.judge.lagging(story.now + 1_000)).toEqual([]);
    const lags = () => story.judge.lagging(story.now + 6_000).map(({ what }) => what);
    expect(lags()).toEqual(['Deployment/web is another than is said']);
    story.says(told({ ...running, health: 'warning' }), { available: 2, ready: 2 });
    expect(lags()).toEqual([]);
    story.asks({ ...BUDGET, replicas: 5 });
    expect(lags()).toEqual(['the spec 2 was not taken note of']);
  });

  it('holds a secret, which is not repeated', () => {
    const story = new MadeUp({ needles: ['hunter2'] }).installed().says({ security: { message: 'it is hunter2' } });
    expect(story.wrong).toEqual(['secret: the status holds the secret 1']);
  });
});

describe('what a component owns', () => {
  it('is made once for a spec', () => {
    const story = new MadeUp().installed().own('PodDisruptionBudget', 'web-deployment', {}, true);
    story.own('PodDisruptionBudget', 'web-deployment', { metadata: { uid: 'second' } });
    expect(story.wrong).toEqual(['twice: PodDisruptionBudget/web-deployment was made twice for the spec 1']);
  });

  it('may be made again for another spec, or when hands took it away', () => {
    const story = new MadeUp().installed();
    story.judge.excuses.push({ what: 'hands', from: story.revision, to: story.revision });
    story.own('PodDisruptionBudget', 'web-deployment', {}, true);
    story.own('PodDisruptionBudget', 'web-deployment', { metadata: { uid: 'second' } });
    story.own('PodDisruptionBudget', 'web-deployment', { metadata: { uid: 'second' } }, true);
    story.asks({}).own('PodDisruptionBudget', 'web-deployment', { metadata: { uid: 'third' } });
    expect(story.wrong).toEqual([]);
  });

  it('is listed before it is made', () => {
    expect(new MadeUp().installed().own('ConfigMap', 'web').wrong).toEqual([
      'unlisted: ConfigMap/web was made before the inventory had it',
    ]);
  });

  it('is gone when the component is', () => {
    const story = new MadeUp().installed().asks(BUDGET, { deletionTimestamp: 'now' }).pod('a', 'gone').pod('b', 'gone');
    story.own('PodDisruptionBudget', 'web-deployment', {}, true).goes().own('Service', 'web');
    expect(story.wrong).toEqual([
      'left: Deployment/web was still there when the component went',
      'left: Pod/c was still there when the component went',
      'left: Service/web was made after the component had gone',
    ]);
  });

  it('keeps the claims of a StatefulSet, and its own as long as it lives', () => {
    const story = new MadeUp().installed();
    story.own('StatefulSet', 'db', { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } });
    story.own('PersistentVolumeClaim', 'own');
    story.own('PersistentVolumeClaim', 'own', { metadata: { deletionTimestamp: 'now' } });
    story.asks(BUDGET, { deletionTimestamp: 'now' });
    story.own('PersistentVolumeClaim', 'data-db-10', { metadata: { ownerReferences: [] } }, true);
    story.own('PersistentVolumeClaim', 'data-db-backup', { metadata: { ownerReferences: [] } }, true);
    expect(story.wrong).toEqual([
      'unlisted: StatefulSet/db was made before the inventory had it',
      'storage: PersistentVolumeClaim/own was to be kept, and was deleted',
      'storage: PersistentVolumeClaim/data-db-10 was to be kept, and was deleted',
    ]);
  });

  it('has one budget for the same Pods', () => {
    expect(new MadeUp().installed().budget({ minAvailable: 1 }, 'other').says(told({})).wrong).toContain(
      'doubled: Deployment/web has the budgets web-deployment, other',
    );
  });

  it('is left alone once it is converged', () => {
    const story = new MadeUp().installed().deployment({ template: 'two' }, 'navin-operator');
    expect(story.wrong).toEqual(['restless: Deployment/web got another pod template, though nobody asked for it']);
    // Hands changed it, and the operator put it right.
    const other = new MadeUp().installed().deployment({ template: 'two' }, 'kubectl');
    expect(other.deployment({ template: 'one' }, 'navin-operator').wrong).toEqual([]);
  });
});
