import { CertificateAuthority } from '../../certificates';
import type { OwnCluster } from '../../cluster';
import { Upstream } from '../proxy';
import { Calamities } from './calamities';
import { Gate } from './gate';
import { KINDS } from './kinds';
import { runStory, type RunResult, type Stage } from './run';
import { Witness } from './witness';

/** What to prove. */
export interface ProofOptions {
  readonly cluster: OwnCluster;
  readonly runs: number;
  /** Of the first run; the next has the next. */
  readonly seed: number;
  /** Runs at the same time. */
  readonly parallel: number;
  /** The API server is killed or stopped so often, ms. Default 10 s. */
  readonly calamityMs?: number;
  readonly onRun?: (result: RunResult, done: number) => void;
}

/** What all runs came to together. */
export interface ProofResult {
  readonly runs: number;
  readonly events: number;
  readonly lost: number;
  readonly repeated: number;
  readonly gapsReal: number;
  readonly gapsReported: number;
  readonly faults: ReadonlyMap<string, number>;
  /** Runs in which something is wrong. */
  readonly failed: readonly RunResult[];
  /** How often the API server was killed, and how often it was stopped for a while. */
  readonly restarts: number;
  readonly pauses: number;
}

/** The cluster a proof wants: its history is short. */
export const PROOF_CLUSTER = { nodes: 1, compactionInterval: '500ms' } as const;

const PREFIX = 'faults-';
/** Twice the compaction interval, and a bit. */
const FORGOTTEN_MS = 1300;

/** The line a proof ends with. */
export function summaryLine(result: ProofResult): string {
  const { runs, events, lost, repeated, gapsReal, gapsReported } = result;
  return `runs=${runs} events=${events} lost=${lost} repeated=${repeated} gaps_real=${gapsReal} gaps_reported=${gapsReported}`;
}

/** Lives through many stories, several at a time, while the API server is killed and stopped once in a while. */
export async function prove(options: ProofOptions): Promise<ProofResult> {
  const { cluster, runs, seed, parallel, onRun } = options;
  const stage = await setStage(cluster);
  const places = await Promise.all(
    Array.from({ length: Math.min(parallel, runs) }, async (_, at) => {
      const place = `${PREFIX}${at + 1}`;
      return { place, namespaces: [await cluster.namespace(`${place}-a`), await cluster.namespace(`${place}-b`)] };
    }),
  );
  const results: RunResult[] = [];
  const calamities = new Calamities({ ...options, stage, place: `${PREFIX}1-a` });
  let next = 0;
  try {
    await Promise.all(
      places.map(async ({ place, namespaces }) => {
        for (let at = next++; at < runs; at = next++) {
          const result = await runStory(seed + at, stage, place, namespaces);
          // Stories are long, and most end well.
          results.push(result.problems.length > 0 ? result : { ...result, story: '' });
          onRun?.(result, results.length);
        }
      }),
    );
  } finally {
    try {
      await calamities.end();
    } finally {
      await Promise.all(Object.values(stage.witnesses).map((witness) => witness.stop()));
      stage.upstream.close();
    }
  }
  return { ...total(results), restarts: calamities.restarts, pauses: calamities.pauses };
}

async function setStage(cluster: OwnCluster): Promise<Stage> {
  const { api } = cluster;
  const watchable = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['get', 'list', 'watch'] },
  ];
  const clusterMark = { apiGroups: [''], resources: ['namespaces'], resourceNames: ['kube-system'], verbs: ['get'] };
  const full = await cluster.serviceAccount({ namespace: 'default', clusterRules: [...watchable, clusterMark] });
  const narrow = await cluster.serviceAccount({ namespace: 'default', clusterRules: watchable });
  return {
    api,
    gate: new Gate(),
    witnesses: {
      configmaps: await Witness.start(api, KINDS.configmaps, PREFIX),
      networkpolicies: await Witness.start(api, KINDS.networkpolicies, PREFIX),
    },
    upstream: new Upstream(cluster.server, cluster.caPem),
    authority: await CertificateAuthority.create({ name: 'fault-proxy' }),
    tokens: { full: full.token, narrow: narrow.token },
    forgottenMs: FORGOTTEN_MS,
  };
}

function total(results: readonly RunResult[]): Omit<ProofResult, 'restarts' | 'pauses'> {
  const sum = (count: (result: RunResult) => number): number => results.reduce((all, each) => all + count(each), 0);
  const faults = new Map<string, number>();
  for (const result of results) {
    for (const [kind, times] of result.faults) faults.set(kind, (faults.get(kind) ?? 0) + times);
  }
  return {
    runs: results.length,
    events: sum(({ events }) => events),
    lost: sum(({ lost }) => lost),
    repeated: sum(({ repeated }) => repeated),
    gapsReal: sum(({ gapsReal }) => gapsReal),
    gapsReported: sum(({ gapsReported }) => gapsReported),
    faults,
    failed: results.filter(({ problems }) => problems.length > 0),
  };
}
