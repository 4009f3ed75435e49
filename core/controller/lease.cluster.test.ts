import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/cluster';
import { sharedCluster } from '../../test/cluster/jest';
import { systemClock } from '../clock';
import { isRecord, RESOURCES, type KubeClient } from '../kube';
import { Lease } from './lease';
import { uniqueHolder } from './leaseRecord';
import type { LeaseTerm } from './leaseTerm';
import { clusterClient } from './testing/cluster';

const cluster = sharedCluster();
let namespace: string;
let kubeconfig: string;
const opened: (() => void)[] = [];

beforeAll(async () => {
  namespace = await cluster().freshNamespace('lease');
  const rules = [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] }];
  ({ kubeconfig } = await cluster().serviceAccount({ namespace, rules }));
});

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** A process that wants the lease, with the rights for it and no others. */
class Candidate {
  readonly holder = uniqueHolder();
  readonly client: KubeClient;
  readonly stop = new AbortController();
  readonly faults: unknown[] = [];
  term: LeaseTerm | undefined;

  constructor(name: string) {
    this.client = clusterClient(cluster(), { kubeconfig, namespace });
    opened.push(() => {
      this.stop.abort();
      this.client.close();
    });
    const { client, holder } = this;
    const lease = new Lease({
      client,
      namespace,
      name,
      holder,
      clock: systemClock,
      random: Math.random,
      durationMs: 3000,
      deadlineMs: 2000,
      retryMs: 200,
      onFault: (error) => this.faults.push(error),
    });
    void this.run(lease);
  }

  private async run(lease: Lease): Promise<void> {
    for (let term = await lease.acquire(this.stop.signal); term; term = await lease.acquire(this.stop.signal)) {
      this.term = term;
      await term.ended;
    }
  }

  get acts(): boolean {
    return this.term?.mayAct() === true;
  }
}

async function record(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { spec } = await cluster().api.get<{ spec: unknown }>(
    `/apis/coordination.k8s.io/v1/namespaces/${namespace}/${RESOURCES.leases.plural}/${name}`,
  );
  return isRecord(spec) ? spec : {};
}

describe('several that want one lease', () => {
  it('take turns: one acts at a time, and the next soon after it has given up or vanished', async () => {
    const all = Array.from({ length: 3 }, () => new Candidate('turns'));
    const acting = (): Candidate | undefined => {
      const those = all.filter(({ acts }) => acts);
      expect(those.length).toBeLessThanOrEqual(1);
      return those[0];
    };
    await eventually(() => acting() !== undefined, 'the first');
    const first = acting();
    expect(await record('turns')).toMatchObject({ holderIdentity: first?.holder, leaseTransitions: 0 });

    // It stays with who has it.
    const end = performance.now() + 4000;
    while (performance.now() < end) {
      expect(acting()).toBe(first);
      await systemClock.sleep(50);
    }

    first?.stop.abort();
    await first?.term?.release();
    const released = performance.now();
    await eventually(() => acting() !== undefined, 'the second', 2900);
    const second = acting();
    // Nobody waited for the lease to run out.
    expect([second === first, performance.now() - released < 2900]).toEqual([false, true]);
    expect(await record('turns')).toMatchObject({ holderIdentity: second?.holder, leaseTransitions: 1 });

    // As if the process had ended: no renewal, no release.
    second?.stop.abort();
    second?.client.close();
    await eventually(() => {
      const now = acting();
      return now !== undefined && now !== second;
    }, 'the third');
    expect([second?.term?.signal.aborted, await record('turns')]).toMatchObject([true, { leaseTransitions: 2 }]);
    expect(acting()?.faults).toEqual([]);
  }, 60_000);
});
