import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { componentProblems } from '../resource/validate';
import { digestOf } from '../canonical';
import { clusterOf, happen, happenings, wrongsOf, type Happening } from '../testing/story';
import type { ModelCluster } from '../testing/modelCluster';

const RUNS = Number(process.env.NAVIN_PROPERTY_RUNS ?? 60);
const SEED = Number(process.env.NAVIN_PROPERTY_SEED ?? 1);
const stories = fc.array(happenings, { minLength: 5, maxLength: 60, size: 'max' });

/** Numbers that are the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function live(kind: 'Deployment' | 'StatefulSet', seed: number, story: readonly Happening[]) {
  const cluster = clusterOf(kind, dice(seed));
  const wrongs: string[] = [];
  for (const happening of story) happen(cluster, happening, wrongs);
  return { cluster, wrongs: [...wrongs, ...wrongsOf(cluster)] };
}

/** Everything calms down: nobody writes any more, nothing is in the way. */
function calm(cluster: ModelCluster): void {
  cluster.edit('/ConfigMap/web', ['data', 'other'], undefined);
  cluster.write({ maintenance: false, pdb: undefined });
  cluster.settle();
}

describe('whatever happens in whatever order', () => {
  it.each(['Deployment', 'StatefulSet'] as const)(
    'a component of a %s converges in the end, and nothing wrong was done on the way',
    (kind) => {
      fc.assert(
        fc.property(fc.nat(), stories, (seed, story) => {
          const { cluster, wrongs } = live(kind, seed, story);
          expect(wrongs).toEqual([]);
          expect(componentProblems(cluster.component)).toEqual([]);
          calm(cluster);
          const { status } = cluster;
          const state = cluster.component?.spec.desiredState === 'Stopped' ? 'stopped' : 'started';
          expect([status.state, status.health, status.operationState, status.converged]).toEqual([
            state,
            'ok',
            'succeeded',
            true,
          ]);
          expect(wrongsOf(cluster)).toEqual([]);
          // Then there is nothing more to do, for a new operator either.
          for (const again of [false, true]) {
            if (again) cluster.restartOperator();
            const decision = cluster.decide();
            expect([decision.actions, digestOf(decision.status)]).toEqual([[], digestOf(status)]);
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
    },
  );

  it('a component that is removed goes with all it had', () => {
    fc.assert(
      fc.property(fc.nat(), stories, (seed, story) => {
        const { cluster } = live('Deployment', seed, story);
        cluster.remove();
        cluster.write({ maintenance: false });
        if (cluster.component !== undefined) cluster.settle();
        expect([cluster.component, [...cluster.objects.keys()]]).toEqual([undefined, []]);
      }),
      { numRuns: Math.ceil(RUNS / 3), seed: SEED },
    );
  });
});
