import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterFacts } from './cluster';
import type { ClusterOptions } from './layout';

/** What the shared cluster is like. */
export const SHARED_OPTIONS: ClusterOptions = { nodes: 3, auditLog: true };

/** Environment variable that names the file with the facts of a cluster to share. */
const VARIABLE = 'NAVIN_TEST_CLUSTER';

/**
 * Lets other processes of this user use a cluster.
 *
 * @returns the environment that tells them
 */
export function shareCluster(facts: ClusterFacts): Readonly<Record<string, string>> {
  const file = join(facts.directory, 'facts.json');
  writeFileSync(file, JSON.stringify(facts), { mode: 0o600 });
  return { [VARIABLE]: file };
}

/** The facts of the cluster that the environment tells of, if any. */
export function readFacts(env: Readonly<Record<string, string | undefined>>): ClusterFacts | undefined {
  const file = env[VARIABLE];
  return file === undefined || file === '' ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as ClusterFacts);
}
