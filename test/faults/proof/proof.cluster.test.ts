import { describe, expect, it } from '@jest/globals';
import { useCluster } from '../../cluster/jest';
import { PROOF_CLUSTER, prove, summaryLine } from './proof';

const cluster = useCluster(PROOF_CLUSTER);
/** `npm run faults` goes through many more, and others. */
const RUNS = 32;

describe('a trigger between a faulty n8n and a real API server behind a faulty proxy', () => {
  it('loses nothing, repeats nothing, and reports every gap', async () => {
    const result = await prove({ cluster: cluster(), runs: RUNS, seed: 1, parallel: 16, calamityMs: 6000 });
    expect(result.failed.map(({ problems, story }) => [...problems, story].join('\n'))).toEqual([]);
    expect(result).toMatchObject({ runs: RUNS, lost: 0, repeated: 0, gapsReported: result.gapsReal });
    // Something has happened at all.
    expect([summaryLine(result), result.events > 300, result.gapsReal > 10, result.restarts > 0]).toEqual([
      expect.stringMatching(/^runs=32 events=\d+ lost=0 repeated=0 gaps_real=\d+ gaps_reported=\d+$/),
      true,
      true,
      true,
    ]);
  }, 300_000);
});
