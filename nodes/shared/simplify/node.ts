import type { KubeObject } from '../../../core/kube';
import { taintsOf, taintText } from '../../../core/machine';
import { at, conditionOf, defined, listAt, textAt, textsAt } from '../json';

/** A Node in flat fields; `status` and `roles` are what `kubectl get nodes` shows. */
export function simplifyNode(node: KubeObject): object {
  const labels = textsAt(node, 'metadata', 'labels');
  return defined({
    name: textAt(node, 'metadata', 'name'),
    status: statusOf(node),
    schedulable: at(node, 'spec', 'unschedulable') !== true,
    roles: Object.keys(labels).flatMap((label) => /^node-role\.kubernetes\.io\/(.+)$/.exec(label)?.[1] ?? []),
    version: textAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    internalIp: addressOf(node, 'InternalIP'),
    externalIp: addressOf(node, 'ExternalIP'),
    os: textAt(node, 'status', 'nodeInfo', 'osImage'),
    cpu: textAt(node, 'status', 'allocatable', 'cpu'),
    memory: textAt(node, 'status', 'allocatable', 'memory'),
    taints: taintsOf(node).map(taintText),
    createdAt: textAt(node, 'metadata', 'creationTimestamp'),
    labels,
  });
}

/** A node that has not been heard of for a while has a condition, but an unknown one. */
function statusOf(node: KubeObject): string {
  const ready = textAt(conditionOf(node, 'Ready'), 'status');
  if (ready === 'True') return 'Ready';
  return ready === undefined ? 'Unknown' : 'NotReady';
}

function addressOf(node: KubeObject, type: string): string | undefined {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return textAt(found, 'address');
}
