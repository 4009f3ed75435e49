import { afterAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Cluster } from '../../cluster';

/** Keeps the pods of other tests off the nodes made here. */
const TAINT = { key: 'navin.test/own', value: 'yes', effect: 'NoSchedule' };

interface NodeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * Makes nodes that only pods of one's own come to ({@link onNode}): the shared nodes are everybody's. They are taken away
 * after the tests.
 */
export function useOwnNodes(cluster: () => Cluster): (capacity?: Readonly<Record<string, string>>) => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    for (const name of made) await cluster().api.delete(`/api/v1/nodes/${name}`);
  });
  return async (capacity = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110' }) => {
    const name = `own-${randomBytes(4).toString('hex')}`;
    const { api } = cluster();
    await api.create('/api/v1/nodes', {
      metadata: { name, labels: { 'kubernetes.io/hostname': name } },
      spec: { taints: [TAINT] },
      status: { capacity, allocatable: capacity },
    });
    made.push(name);
    await api.until<NodeObject>(`/api/v1/nodes/${name}`, (node) => isReady(node));
    return name;
  };
}

/** Waits until a node has the spec a test needs. */
function isReady(node: (NodeObject & { readonly spec?: unknown }) | undefined): boolean {
  const ready = node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  return ready && !JSON.stringify(node?.spec ?? {}).includes('node.kubernetes.io/not-ready');
}

/** What brings a pod to such a node. */
export function onNode(name: string): object {
  return {
    nodeSelector: { 'kubernetes.io/hostname': name },
    tolerations: [{ key: TAINT.key, operator: 'Exists' }],
  };
}
