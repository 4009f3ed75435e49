import { containerNames } from './containers';
import { isNavinError } from '../errors';
import type { KubeObject } from './kubeObject';
import { MAX_LOG_BYTES, readLog, type LogOptions, type LogText, type PodRef } from './logs';
import type { LogProblem } from './logRefusals';
import type { Requester } from './requester';

/** The log of one of several containers. */
export interface ContainerLog extends LogText {
  readonly container: string;
  readonly init: boolean;
  /** Why there is none; then `text` is empty. */
  readonly problem?: LogProblem;
}

/**
 * The logs of all containers of a Pod, in the order in which they run: init containers, containers, ephemeral ones. A
 * container without a log does not spoil the others: `problem` says why. All together are bounded by `limitBytes`.
 *
 * @throws NavinError of the requests
 */
export async function readAllLogs(
  requester: Requester,
  pod: KubeObject,
  ref: PodRef,
  options: Omit<LogOptions, 'container'>,
  idleMs: number,
): Promise<readonly ContainerLog[]> {
  const { containers, initContainers, ephemeralContainers } = containerNames(pod);
  const logs: ContainerLog[] = [];
  let left = options.limitBytes ?? MAX_LOG_BYTES;
  for (const container of [...initContainers, ...containers, ...ephemeralContainers]) {
    const about = { container, init: initContainers.includes(container) };
    if (left <= 0) {
      logs.push({ ...about, text: '', truncated: true });
      continue;
    }
    try {
      const log = await readLog(requester, ref, { ...options, container, limitBytes: left }, idleMs);
      left -= Buffer.byteLength(log.text, 'utf8');
      logs.push({ ...about, ...log });
    } catch (error) {
      const problem = isNavinError(error) ? error.details.log : undefined;
      if (problem !== 'waiting' && problem !== 'no-previous' && problem !== 'gone') throw error;
      logs.push({ ...about, text: '', truncated: false, problem });
    }
  }
  return logs;
}
