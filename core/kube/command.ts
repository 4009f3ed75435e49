import type { WebSocket } from 'ws';
import { NavinError } from '../errors';
import { RESOURCES } from './apiResource';
import { exitCodeOf } from './commandStatus';
import { Deadline } from './deadline';
import { parameterError, responseError } from './errors';
import type { PodRef } from './logs';
import { abortedError } from './networkError';
import { checkInteger, objectPath } from './paths';
import { upgrade, type UpgradeMeans } from './upgrade';

/** Takes what a command writes, as it comes. What it throws ends the command's connection and is thrown on. */
export type OutputSink = (bytes: Buffer) => void;

/** A command in a container. */
export interface CommandOptions {
  /** It must be one of the Pod. */
  readonly container: string;
  /** The program and its arguments; there is no shell in between. */
  readonly command: readonly string[];
  /** What it reads; absent: it has no stdin. At most 32 MiB. */
  readonly stdin?: Buffer | undefined;
  readonly stdout: OutputSink;
  readonly stderr: OutputSink;
  /** How long it may run, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. */
export interface CommandResult {
  readonly exitCode: number;
}

/**
 * `v5` (Kubernetes 1.30 and newer) can say that stdin has ended. With `v4` it cannot: a command that reads to the end of
 * its stdin never ends.
 */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** The first byte of each message: remotecommand of apimachinery. */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const CLOSE = 255;

const MAX_STDIN_BYTES = 32 * 1024 * 1024;
const MAX_ARGUMENTS = 1_000;
/** The command travels in the address of the request. */
const MAX_COMMAND_CHARACTERS = 16 * 1024;
const STDIN_PIECE = 32 * 1024;
const MAX_STATUS_BYTES = 64 * 1024;
/** Load balancers cut connections that say nothing. */
const PING_MS = 20_000;
/** How long the server has to close after the status; then we do. */
const CLOSING_MS = 5_000;

/**
 * Runs a command in a container to its end. A command whose time is over is left alone, because Kubernetes cannot stop
 * one: it may go on in the container.
 *
 * @throws NavinError `k8s_command_failed` when it could not be run; `k8s_wait_failed` when it does not end in time;
 * `k8s_outcome_unknown` when the connection broke meanwhile; else of the request, or what a sink throws
 */
export async function runCommand(means: UpgradeMeans, ref: PodRef, options: CommandOptions): Promise<CommandResult> {
  checkCommand(options);
  const deadline = new Deadline([...means.signals, options.signal]);
  try {
    const socket = await upgrade(
      means,
      {
        path: commandPath(ref, options),
        protocols: PROTOCOLS,
        subject: { verb: 'create', group: '', resource: 'pods', subresource: 'exec', kind: 'Pod', ...ref },
        concealed: options.command,
      },
      deadline,
    );
    deadline.limit(options.timeoutMs);
    const status = await converse(socket, options, deadline);
    return {
      exitCode: exitCodeOf(status, {
        silent: false,
        // The name of the program may be shown: it is what is missing most of the time.
        concealed: () => [...means.credentials(), ...options.command.slice(1)],
      }),
    };
  } finally {
    deadline.dispose();
  }
}

function commandPath(ref: PodRef, { container, command, stdin }: CommandOptions): string {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true', tty: 'false' });
  if (stdin !== undefined) query.set('stdin', 'true');
  for (const argument of command) query.append('command', argument);
  return `${objectPath(RESOURCES.pods, { ...ref, subresource: 'exec' })}?${query.toString()}`;
}

function checkCommand({ command, stdin, timeoutMs }: CommandOptions): void {
  const length = command.reduce((sum, argument) => sum + argument.length, 0);
  if (command[0] === undefined || command[0].trim() === '') throw parameterError('command', 'The command is empty.');
  if (command.length > MAX_ARGUMENTS || length > MAX_COMMAND_CHARACTERS) {
    throw parameterError(
      'command',
      `The command is longer than ${MAX_COMMAND_CHARACTERS} characters or ${MAX_ARGUMENTS} arguments.`,
    );
  }
  if (command.some((argument) => argument.includes('\0'))) {
    throw parameterError('command', 'The command must not hold the character NUL.');
  }
  if (stdin !== undefined && stdin.length > MAX_STDIN_BYTES) {
    throw parameterError('stdin', `The stdin is larger than ${MAX_STDIN_BYTES / 1024 / 1024} MiB.`);
  }
  checkInteger('timeoutMs', timeoutMs, 1, 24 * 60 * 60 * 1000);
}

/** Feeds the command and takes its output until its Status is there. */
function converse(socket: WebSocket, options: CommandOptions, deadline: Deadline): Promise<string> {
  return new Promise((resolve, reject) => {
    const status: Buffer[] = [];
    let statusBytes = 0;
    let failure: unknown;
    let closing: NodeJS.Timeout | undefined;
    const pings = setInterval(() => {
      socket.ping();
    }, PING_MS);
    const fail = (error: unknown): void => {
      failure ??= error;
      socket.terminate();
    };
    const onStop = (): void => {
      fail(deadline.reason === 'aborted' ? stopped() : overdue(options, socket.protocol));
    };
    const onStatus = (bytes: Buffer): void => {
      statusBytes += bytes.length;
      if (statusBytes > MAX_STATUS_BYTES) fail(responseError('The end of the command cannot be read.'));
      status.push(bytes);
      deadline.unlimit();
      closing ??= setTimeout(() => {
        socket.terminate();
      }, CLOSING_MS);
      socket.close(1000);
    };
    deadline.signal.addEventListener('abort', onStop, { once: true });
    socket.on('message', (message) => {
      if (failure !== undefined) return;
      try {
        takeMessage(message, options, onStatus);
      } catch (error) {
        fail(error);
      }
    });
    socket.once('close', () => {
      clearInterval(pings);
      clearTimeout(closing);
      deadline.signal.removeEventListener('abort', onStop);
      if (failure !== undefined) reject(failure as Error);
      else if (status.length > 0) resolve(Buffer.concat(status).toString('utf8'));
      else reject(broken());
    });
    if (deadline.reason !== undefined) onStop();
    else if (options.stdin !== undefined) feed(socket, options.stdin).catch(() => undefined);
  });
}

function takeMessage(
  message: Buffer,
  { stdout, stderr }: Pick<CommandOptions, 'stdout' | 'stderr'>,
  onStatus: OutputSink,
): void {
  const bytes = message.subarray(1);
  // A server opens each channel with an empty message.
  if (bytes.length === 0) return;
  if (message[0] === STDOUT) stdout(bytes);
  else if (message[0] === STDERR) stderr(bytes);
  else if (message[0] === STATUS) onStatus(bytes);
}

/** Sends stdin piece by piece, none before the last is on its way, then its end. A socket that closes ends it early. */
async function feed(socket: WebSocket, stdin: Buffer): Promise<void> {
  for (let start = 0; start < stdin.length; start += STDIN_PIECE) {
    await send(socket, Buffer.concat([Buffer.from([STDIN]), stdin.subarray(start, start + STDIN_PIECE)]));
  }
  if (socket.protocol === PROTOCOLS[0]) await send(socket, Buffer.from([CLOSE, STDIN]));
}

function send(socket: WebSocket, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(message, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function stopped(): NavinError {
  return abortedError({ phase: 'answered', reusedSocket: false, write: true });
}

function overdue({ timeoutMs, stdin }: CommandOptions, protocol: string): NavinError {
  const hints = ['Kubernetes cannot stop a command: it may still run in the container.'];
  if (stdin !== undefined && protocol !== PROTOCOLS[0]) {
    hints.push(
      'This cluster (before Kubernetes 1.30) cannot say that stdin has ended: a command that reads to its end waits on.',
    );
  }
  return new NavinError('k8s_wait_failed', `The command did not end within ${timeoutMs / 1000} s`, {
    hint: hints.join(' '),
    details: { timedOut: true },
  });
}

function broken(): NavinError {
  return new NavinError(
    'k8s_outcome_unknown',
    'The connection broke while the command ran: whether it ended, and how, is not known.',
    { hint: 'Find out in the container whether it did its work before you repeat it.' },
  );
}
