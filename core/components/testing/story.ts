import fc from 'fast-check';
import type { Action } from '../decide/types';
import type { ComponentSpec } from '../resource/spec';
import { requiredOf } from '../budget';
import { webChart } from './charts';
import { ModelCluster, type SpecChange } from './modelCluster';

/** What happens to a component between two passes of the operator, or instead of one. */
export type Happening =
  | { readonly do: 'pass' | 'controllers' | 'report' | 'restart' | 'autoscale' | 'time' | 'remove' }
  | { readonly do: 'write'; readonly change: SpecChange }
  | { readonly do: 'kill'; readonly after: number }
  | { readonly do: 'step'; readonly steps: number }
  | { readonly do: 'crash' | 'scaleByHand' | 'editByHand' | 'deleteByHand'; readonly pick: number };

const SOURCE = { chart: { path: 'web' } };

const values = fc.record({
  image: fc.constantFrom('web:1', 'web:2'),
  level: fc.constantFrom('info', 'debug'),
  extra: fc.boolean(),
});
const pdb = fc.constantFrom(undefined, { minAvailable: 2 }, { maxUnavailable: 1 }, { minAvailable: '50%' });
/** Replicas, or an autoscaler: never below what any budget of the story requires. */
const scale = fc.constantFrom<SpecChange>(
  { replicas: undefined, autoscaling: undefined },
  { replicas: 3, autoscaling: undefined },
  { replicas: 5, autoscaling: undefined },
  { replicas: 10, autoscaling: undefined },
  { replicas: undefined, autoscaling: { minReplicas: 3, maxReplicas: 6 } },
  { replicas: undefined, autoscaling: { minReplicas: 2, maxReplicas: 4 } },
);
const change: fc.Arbitrary<SpecChange> = fc.oneof(
  values.map((chosen) => ({ values: chosen })),
  pdb.map((chosen) => ({ pdb: chosen })),
  scale,
  fc.constantFrom<SpecChange>({ desiredState: 'Stopped' }, { desiredState: 'Running' }),
  fc.constantFrom<SpecChange>({ maintenance: true }, { maintenance: false }),
  fc.integer({ min: 10, max: 59 }).map((second) => ({ restartRequestedAt: `2026-01-01T00:00:${second}Z` })),
);

export const happenings: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ do: 'pass' } as const) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }).map((steps) => ({ do: 'step', steps }) as const) },
  { weight: 3, arbitrary: fc.constantFrom({ do: 'controllers' } as const, { do: 'report' } as const) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), after: fc.integer({ min: 0, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'restart' } as const, { do: 'autoscale' } as const, { do: 'time' } as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('crash' as const, 'scaleByHand' as const, 'editByHand' as const, 'deleteByHand' as const),
      pick: fc.nat(20),
    }),
  },
);

/** A component of one kind of workload. */
function specOf(kind: 'Deployment' | 'StatefulSet'): ComponentSpec {
  return { source: SOURCE, values: { kind } };
}

/** What a story did wrong, in words; empty: nothing. */
export function wrongsOf(cluster: ModelCluster): readonly string[] {
  return cluster.log.filter((line) => line.endsWith('twice'));
}

/** One thing that happens. */
export function happen(cluster: ModelCluster, happening: Happening, wrongs: string[]): void {
  const { component } = cluster;
  if (component === undefined) return;
  const kind = (component.spec.values as { kind?: string } | undefined)?.kind ?? 'Deployment';
  const key = `apps/${kind}/web`;
  cluster.now += 1_000;
  switch (happening.do) {
    case 'pass':
      judged(cluster, wrongs, () => cluster.pass());
      return;
    case 'kill':
      judged(cluster, wrongs, () => cluster.pass(happening.after));
      cluster.restartOperator();
      return;
    case 'restart':
      cluster.restartOperator();
      return;
    case 'controllers':
      watched(cluster, wrongs, () => {
        cluster.converge();
      });
      return;
    case 'step':
      watched(cluster, wrongs, () => {
        for (let step = 0; step < happening.steps; step += 1) cluster.controllerStep();
      });
      return;
    case 'report':
      cluster.report();
      return;
    case 'autoscale':
      cluster.autoscale();
      return;
    case 'time':
      cluster.now += 3_600_000;
      return;
    case 'remove':
      cluster.remove();
      return;
    case 'write': {
      const { values: changed } = happening.change;
      cluster.write(changed === undefined ? happening.change : { ...happening.change, values: { ...changed, kind } });
      return;
    }
    case 'crash':
      cluster.crash(key);
      return;
    case 'scaleByHand':
      cluster.edit(key, ['spec', 'replicas'], happening.pick % 12, 'kubectl-scale');
      return;
    case 'editByHand':
      cluster.edit('/ConfigMap/web', ['data', 'other'], String(happening.pick));
      return;
    case 'deleteByHand': {
      const keys = [...cluster.objects.keys()].filter((one) => !one.startsWith('apps/'));
      const chosen = keys[happening.pick % Math.max(1, keys.length)];
      if (chosen !== undefined) cluster.erase(chosen);
    }
  }
}

/** A pass is held against what was seen: nothing disruptive in maintenance, and nothing that ends Pods without budget. */
function judged(cluster: ModelCluster, wrongs: string[], pass: () => unknown): void {
  const { component } = cluster;
  if (component === undefined) return;
  const { actions, status } = cluster.decide();
  const isMaintained = component.spec.maintenance === true;
  for (const action of actions) {
    const isScaleIn = action.type === 'setReplicas' && action.disruptive;
    const wasAccepted = component.status?.accepted?.desiredState === 'Stopped';
    if (isMaintained && isScaleIn && !wasAccepted) wrongs.push(`scaled in in maintenance: ${JSON.stringify(action)}`);
    if (isMaintained && component.metadata.deletionTimestamp !== undefined && action.type === 'delete') {
      wrongs.push('deleted in maintenance');
    }
  }
  const planned = new Set(actions.flatMap(disruptions));
  const news = cluster
    .decideAfresh()
    .actions.flatMap(disruptions)
    .filter((one) => !planned.has(one));
  if (news.length > 0) wrongs.push(`a new operator would also: ${news.join(', ')}`);
  const shows = status.workloads?.every(({ available, desired }) => available === desired) ?? true;
  if (status.converged === true && !shows) wrongs.push('claims to have converged');
  pass();
}

/** What of an action may end Pods, in words. */
function disruptions(action: Action): readonly string[] {
  if (action.type === 'apply') {
    return action.objects.filter(({ disruptive }) => disruptive).map(({ ref, digest }) => `${ref.kind} ${digest}`);
  }
  if (action.type === 'delete') return [`delete ${action.ref.kind} ${action.ref.name}`];
  return action.type === 'setReplicas' && action.disruptive ? [`${action.ref.name} to ${action.replicas}`] : [];
}

/** What controllers end while they run is held against the live budget. */
function watched(cluster: ModelCluster, wrongs: string[], run: () => void): void {
  cluster.witness.ends.length = 0;
  run();
  const budget = [...cluster.objects.values()].find(({ object }) => object.kind === 'PodDisruptionBudget')?.object.spec;
  if (budget === undefined) return;
  for (const [workload, available, replicas, because] of cluster.witness.ends) {
    if (because !== 'rollout' || replicas === 0) continue;
    const required = requiredOf(budget as ComponentSpec['pdb'], replicas);
    if (available - 1 < required) wrongs.push(`${workload}: ${available - 1} available of ${required} required`);
  }
}

/** The cluster of a story. */
export function clusterOf(kind: 'Deployment' | 'StatefulSet', dice: () => number): ModelCluster {
  return new ModelCluster(specOf(kind), webChart, dice);
}
