import { afterAll, beforeAll } from '@jest/globals';
import { Cluster, type ClusterFacts } from './cluster';
import type { ClusterOptions } from './layout';
import { startCluster, type OwnCluster } from './start';
import { readFacts, SHARED_OPTIONS } from './shared';

/** Longest that a hook may take: the programs may have to be built first (about 13 minutes on two cores, once). */
const HOOK_TIMEOUT_MS = 25 * 60_000;

/**
 * Gives a test file a cluster of its own: started before its tests, stopped after them.
 *
 * @returns asks for the cluster; only within tests and hooks
 */
export function useCluster(options: ClusterOptions = {}): () => OwnCluster {
  let cluster: OwnCluster | undefined;
  beforeAll(async () => {
    cluster = await startCluster(options);
  }, HOOK_TIMEOUT_MS);
  afterAll(async () => {
    await cluster?.stop();
  }, HOOK_TIMEOUT_MS);
  return () => started(cluster);
}

/**
 * Gives a test file the cluster that all files of a run share (see globalSetup.ts); where none runs, one of its own.
 * Stay within namespaces of your own (`cluster().freshNamespace('logs')`), and leave the nodes and the server alone.
 *
 * @returns asks for the cluster; only within tests and hooks
 */
export function sharedCluster(): () => Cluster {
  const facts: ClusterFacts | undefined = readFacts(process.env);
  if (facts === undefined) return useCluster(SHARED_OPTIONS);
  let cluster: Cluster | undefined;
  beforeAll(() => {
    cluster = new Cluster(facts);
  });
  afterAll(() => {
    cluster?.api.close();
  });
  return () => started(cluster);
}

function started<T>(cluster: T | undefined): T {
  if (cluster === undefined) throw new Error('the cluster is there within tests and hooks only');
  return cluster;
}
