import { describe, expect, it } from '@jest/globals';
import { webChart } from '../testing/charts';
import { ModelCluster } from '../testing/modelCluster';

const SPEC = { source: { chart: { path: 'web' } } };

describe('an installation', () => {
  it('takes its steps one after the other: finalizer, render, what is about to be, apply, replicas', () => {
    const cluster = new ModelCluster(SPEC, webChart);
    expect(cluster.pass(Infinity, { rendering: 'pending' }).map(({ type }) => type)).toEqual(['addFinalizer']);
    expect(cluster.pass(Infinity, { rendering: 'pending' }).map(({ type }) => type)).toEqual(['render']);
    expect(cluster.status).toMatchObject({ state: 'installing', health: 'unknown', operationState: 'running' });
    expect(cluster.status).toMatchObject({ securityState: 'unknown', converged: false });
    // Written down first, done then.
    expect(cluster.pass()).toEqual([]);
    expect(cluster.status.inventory?.map(({ kind, name, uid }) => [kind, name, uid])).toEqual([
      ['Deployment', 'web', undefined],
      ['ConfigMap', 'web', undefined],
    ]);
    expect(cluster.pass()).toMatchObject([
      { type: 'apply', objects: [{ ref: { kind: 'ConfigMap' } }, { ref: { kind: 'Deployment' }, disruptive: false }] },
    ]);
    expect(cluster.object('apps/Deployment/web')?.metadata).toMatchObject({
      labels: { 'platform.navin.ai/component': 'web' },
      ownerReferences: [{ kind: 'ManagedComponent', uid: 'component-uid', controller: true, blockOwnerDeletion: true }],
    });
    cluster.pass();
    expect(cluster.status).toMatchObject({ state: 'installing', health: 'unknown', securityState: 'compliant' });
    cluster.settle();
    expect(cluster.status).toMatchObject({
      observedGeneration: 1,
      state: 'started',
      health: 'ok',
      operationState: 'succeeded',
      securityState: 'compliant',
      converged: true,
      operation: { type: 'install' },
      chart: { name: 'web', version: '1.0.0' },
      workloads: [{ kind: 'Deployment', name: 'web', desired: 3, available: 3, required: 0, complete: true }],
    });
    expect(cluster.log).toEqual(['apply ConfigMap/web', 'apply Deployment/web']);
  });
});
