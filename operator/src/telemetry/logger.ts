import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { shownError } from './shownError';

export type { Logger } from 'pino';

/** The levels of `--log-level`, the most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Writes a line of JSON for each thing that happens. Errors go in as `err`, and come out as {@link shownError} has them.
 *
 * @param stream default: stdout, at once, so that nothing is lost when the process ends
 */
export function createLogger(
  level: LogLevel,
  stream: DestinationStream = destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: shownError },
    },
    stream,
  );
}
