import { expect, it, jest } from '@jest/globals';
import { pause } from './api';
import { useCluster } from './jest';
import { createShop } from './workloads';

jest.setTimeout(300_000);

/** Long enough for nodes without leases to turn NotReady (50 s) and for their Pods to lose Ready. */
const IDLE_MS = 120_000;

const cluster = useCluster({ nodes: 3 });

interface Conditioned {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

it('has all nodes and Pods Ready after two idle minutes', async () => {
  const namespace = await createShop(cluster());
  const ready = async (path: string): Promise<readonly string[]> => {
    const { items } = await cluster().api.get<{ items: readonly Conditioned[] }>(path);
    return items
      .filter(({ status }) => status.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True'))
      .map(({ metadata }) => metadata.name)
      .sort();
  };
  const pods = `/api/v1/namespaces/${namespace}/pods?fieldSelector=status.phase=Running`;
  const before = await ready(pods);
  expect(before).toHaveLength(5);
  await pause(IDLE_MS);
  expect(await ready('/api/v1/nodes')).toEqual(['node-1', 'node-2', 'node-3']);
  expect(await ready(pods)).toEqual(before);
});
