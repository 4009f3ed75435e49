import { readFacts, shareCluster, SHARED_OPTIONS } from './shared';
import { startCluster, type OwnCluster } from './start';

/** The cluster that jest's global set-up started, for its tear-down; both run in jest's own process. */
export const started: { cluster?: OwnCluster } = {};

/** jest's global set-up: one cluster for all files of the run. A cluster that the environment names already is used. */
export default async function globalSetup(): Promise<void> {
  if (readFacts(process.env) !== undefined) return;
  started.cluster = await startCluster(SHARED_OPTIONS);
  Object.assign(process.env, shareCluster(started.cluster.facts));
}
