/** Runs of a property test: `NAVIN_TRIGGER_RUNS` of the largest, and of the others so much of it. */
const RUNS = Number(process.env.NAVIN_TRIGGER_RUNS ?? 500);
const SEED = process.env.NAVIN_TRIGGER_SEED;

/**
 * How often a property is tried. A failure prints seed and path; `NAVIN_TRIGGER_SEED` repeats a seed.
 *
 * @param share of the runs of the largest property
 */
export function runs(share: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = Math.ceil(RUNS * share);
  return SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) };
}
