import type { KubeObject } from '../../../core/kube';
import { at, conditionIsTrue, defined, listAt, numberAt, textAt, textsAt } from '../json';

/** A pod in flat fields; `status` is what `kubectl get pods` shows. */
export function simplifyPod(pod: KubeObject): object {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const containers = listAt(pod, 'spec', 'containers');
  const ready = statuses.filter((status) => at(status, 'ready') === true).length;
  const owner = listAt(pod, 'metadata', 'ownerReferences')[0];
  return defined({
    name: textAt(pod, 'metadata', 'name'),
    namespace: textAt(pod, 'metadata', 'namespace'),
    status: statusOfPod(pod),
    ready: `${String(ready)}/${String(containers.length)}`,
    restarts: statuses.reduce<number>((sum, status) => sum + (numberAt(status, 'restartCount') ?? 0), 0),
    node: textAt(pod, 'spec', 'nodeName'),
    ip: textAt(pod, 'status', 'podIP'),
    images: containers.map((container) => textAt(container, 'image')).filter((image) => image !== undefined),
    owner: owner === undefined ? undefined : `${textAt(owner, 'kind') ?? ''}/${textAt(owner, 'name') ?? ''}`,
    createdAt: textAt(pod, 'metadata', 'creationTimestamp'),
    labels: textsAt(pod, 'metadata', 'labels'),
  });
}

/**
 * The status of a pod in one word, as kubectl prints it: the reason a container waits or ended beats the phase, the
 * init containers come first, and a pod that is being deleted is Terminating.
 */
export function statusOfPod(pod: KubeObject): string {
  if (textAt(pod, 'metadata', 'deletionTimestamp') !== undefined) return 'Terminating';
  const phase = textAt(pod, 'status', 'reason') ?? textAt(pod, 'status', 'phase') ?? 'Unknown';
  return initStatus(pod) ?? containerStatus(pod, phase);
}

function initStatus(pod: KubeObject): string | undefined {
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  const specs = listAt(pod, 'spec', 'initContainers');
  for (const [index, status] of statuses.entries()) {
    if (numberAt(status, 'state', 'terminated', 'exitCode') === 0) continue;
    const spec = specs.find((candidate) => textAt(candidate, 'name') === textAt(status, 'name'));
    // A sidecar is an init container that keeps running: it has done its part once it has started.
    if (textAt(spec, 'restartPolicy') === 'Always' && at(status, 'started') === true) continue;
    const terminated = at(status, 'state', 'terminated');
    if (terminated !== undefined) return `Init:${endOf(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (waiting !== undefined && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${String(index)}/${String(specs.length)}`;
  }
  return undefined;
}

function containerStatus(pod: KubeObject, phase: string): string {
  let status = phase;
  let running = false;
  for (const container of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    const terminated = at(container, 'state', 'terminated');
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    if (waiting !== undefined) status = waiting;
    else if (terminated !== undefined) status = endOf(terminated);
    else if (at(container, 'ready') === true) running = true;
  }
  if (status !== 'Completed' || !running) return status;
  return conditionIsTrue(pod, 'Ready') ? 'Running' : 'NotReady';
}

function endOf(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== undefined && reason !== '') return reason;
  const signal = numberAt(terminated, 'signal') ?? 0;
  return signal === 0 ? `ExitCode:${String(numberAt(terminated, 'exitCode') ?? 0)}` : `Signal:${String(signal)}`;
}
