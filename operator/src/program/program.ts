import { createLogger, type Logger } from '../telemetry';
import { parseOptions } from './options';
import { readPlace } from './place';
import { runOperator, type RunningOperator } from './runOperator';
import { ProgramError } from '../render';
import { UsageError } from './usageError';

/** What draining may take, in ms; Kubernetes kills after 30 s. */
const DRAIN_MS = 25_000;

/**
 * The program, from its flags to its end. Exit codes: 0 ended by a signal after draining, 1 failed, 2 a wrong flag.
 *
 * @param args without node and the file of the program
 */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  let log: Logger | undefined;
  try {
    const request = parseOptions(args, await readPlace(env));
    if ('print' in request) {
      process.stdout.write(request.print);
      return;
    }
    log = createLogger(request.run.logLevel);
    endOnFaults(log);
    const stopped = endOnSignals(log);
    const running = await runOperator(request.run, { env, log });
    await stopped;
    await drained(running, log);
    log.info('The operator has ended.');
    process.exit(0);
  } catch (error) {
    end(error, log);
  }
}

/** One line for what a person has to change; what nobody foresaw goes into the log. */
function end(error: unknown, log: Logger | undefined): never {
  if (error instanceof UsageError || error instanceof ProgramError) {
    process.stderr.write(`navin-platform-operator: ${error.message}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
  (log ?? createLogger('error')).fatal({ err: error }, 'The operator failed.');
  process.exit(1);
}

/** Settles at the first signal; the second ends the process at once, whatever it does. */
function endOnSignals(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (signal: NodeJS.Signals): void => {
      signals += 1;
      if (signals > 1) {
        log.warn({ signal }, 'It is ended at once.');
        process.exit(1);
      }
      log.info({ signal }, 'It finishes what is under way and ends.');
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

function endOnFaults(log: Logger): void {
  const onFault = (error: unknown): void => {
    log.fatal({ err: error }, 'The operator has a fault and ends.');
    process.exit(1);
  };
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
}

async function drained(running: RunningOperator, log: Logger): Promise<void> {
  const timer = setTimeout(() => {
    log.error('What is under way does not end; the operator ends without it.');
    process.exit(1);
  }, DRAIN_MS);
  await running.stop();
  clearTimeout(timer);
}
