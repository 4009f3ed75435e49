import { NavinError } from '../../../../core/errors';

/** The time limit of copying a file, an option. */
export const COPY_TIMEOUT_OPTION = {
  displayName: 'Timeout',
  name: 'timeoutSeconds',
  type: 'number',
  default: 60,
  typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 0 },
  description: 'Seconds to wait at most',
} as const;

/** The error of a tar that ended badly. @param what `read` or `written` */
export function tarFailed(what: 'read' | 'written', exitCode: number, stderr: string): NavinError {
  const missing = exitCode === 126 || exitCode === 127;
  return new NavinError(
    'k8s_command_failed',
    missing
      ? 'The container has no tar, which copying a file needs'
      : `The file could not be ${what}: tar ended with exit code ${String(exitCode)}`,
    {
      hint: missing ? 'Use another image, or an ephemeral debug container' : 'What tar said is in the details',
      details: { exitCode, stderr },
    },
  );
}
