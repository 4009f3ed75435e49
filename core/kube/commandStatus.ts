import { NavinError } from '../errors';
import { isRecord } from './kubeObject';
import { serverText, type Disclosure } from './serverText';
import { parseStatus } from './status';

/**
 * The exit code a command ended with, from the Status at the end of its streams (channel 3).
 *
 * @throws NavinError `k8s_command_failed` when it did not start, or when the container runtime does not say how it ended
 */
export function exitCodeOf(text: string, disclosure: Disclosure): number {
  const value = tryParse(text);
  if (isRecord(value) && value.kind === undefined && value.status === 'Success') return 0;
  if (isRecord(value) && value.status === 'Success') return 0;
  const status = parseStatus(isRecord(value) ? { ...value, kind: 'Status' } : undefined);
  const code = status?.causes.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  if (/^-?\d{1,10}$/.test(code)) return Number(code);
  const says = serverText(status?.message, disclosure);
  throw new NavinError('k8s_command_failed', `The command could not be run${says === undefined ? '' : `: ${says}`}`, {
    hint: 'See whether the container has the program; a shell is not part of every image.',
    details: status?.reason === undefined ? {} : { reason: status.reason },
  });
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
