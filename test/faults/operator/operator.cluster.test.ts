import { describe, expect, it } from '@jest/globals';
import { useCluster } from '../../cluster/jest';
import { OPERATOR_PROOF_CLUSTER, operatorLine, proveOperator } from '.';

const cluster = useCluster(OPERATOR_PROOF_CLUSTER);
/** `npm run faults -- operator` goes through many more, and others. */
const STEPS = 120;

describe('operators that are killed and led astray, before a real API server', () => {
  it('lose nothing, do nothing twice, and tell no secret', async () => {
    const result = await proveOperator({ cluster: cluster(), steps: STEPS, seed: 1 });
    expect([...result.problems.map(({ fault, what }) => `${fault}: ${what}`), result.story]).toEqual(['']);
    // Something has happened at all.
    expect([operatorLine(result), result.operations > 20, result.kills > 5, result.changes > 50]).toEqual([
      expect.stringMatching(/^seed=1 steps=120 .* lost=0 doubled=0 left=0 foreign=0 secret=0 undercut=0 untrue=0 /),
      true,
      true,
      true,
    ]);
  }, 600_000);
});
