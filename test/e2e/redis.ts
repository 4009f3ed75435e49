import { existsSync, mkdtempSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from '../cluster';
import { freePorts } from '../cluster/ports';
import { lastLines, Processes } from '../cluster/processes';

/** A Redis for n8n's queue mode. */
export interface Redis {
  /** What n8n is told about it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it, where the tests started it. */
  readonly stop: () => Promise<void>;
}

/** Where a Redis can be had: one that runs already, or a program to start. */
export type RedisSource = { readonly url: URL } | { readonly program: string };

const PROGRAM = 'redis-server';
const START_TIMEOUT_MS = 60_000;

/**
 * Finds a Redis: `NAVIN_TEST_REDIS_URL`, else redis-server on the PATH.
 *
 * @returns undefined where there is none
 * @throws Error when the URL is none of Redis
 */
export function findRedis(env: Readonly<Record<string, string | undefined>> = process.env): RedisSource | undefined {
  const given = env.NAVIN_TEST_REDIS_URL;
  if (given !== undefined && given !== '') {
    // What it says may hold a password.
    if (!URL.canParse(given))
      throw new Error('NAVIN_TEST_REDIS_URL is no URL. Give redis://host:port or rediss://host:port.');
    const url = new URL(given);
    if (url.protocol !== 'redis:' && url.protocol !== 'rediss:')
      throw new Error('NAVIN_TEST_REDIS_URL begins with neither redis: nor rediss:.');
    return { url };
  }
  const program = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, PROGRAM))
    .find((path) => existsSync(path));
  return program === undefined ? undefined : { program };
}

/** Starts a Redis that keeps nothing and dies with this process; or takes the one that runs. */
export async function startRedis(source: RedisSource): Promise<Redis> {
  if ('url' in source) return { env: environment(source.url), stop: () => Promise.resolve() };
  const processes = await Processes.start(mkdtempSync(join(tmpdir(), 'navin-redis-')));
  const log = join(processes.directory, 'redis.log');
  try {
    const [port = 0] = await freePorts(1);
    await processes.run({
      name: PROGRAM,
      command: source.program,
      // All settings are said here: no file of the system is read. Empty `--save`: nothing goes to the disk.
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      cwd: processes.directory,
      log,
    });
    const ended = (): boolean => processes.exitOf(PROGRAM) !== undefined;
    await eventually(async () => ended() || (await answers(port)), PROGRAM, START_TIMEOUT_MS);
    if (ended()) throw new Error(`${PROGRAM} ended at its start. Its log ends with:\n${lastLines(log, 10)}`);
    processes.hold(false);
    return { env: environment(new URL(`redis://127.0.0.1:${port}`)), stop: async () => processes.stop() };
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

/** n8n's settings for queue mode. The keys carry a name of their own, so that a Redis with other guests serves too. */
function environment(url: URL): Readonly<Record<string, string>> {
  const prefix = `navin-test-${randomUUID()}`;
  const secret = (name: string, value: string): Readonly<Record<string, string>> =>
    value === '' ? {} : { [name]: decodeURIComponent(value) };
  return {
    EXECUTIONS_MODE: 'queue',
    QUEUE_BULL_PREFIX: prefix,
    N8N_REDIS_KEY_PREFIX: prefix,
    QUEUE_BULL_REDIS_HOST: url.hostname,
    QUEUE_BULL_REDIS_PORT: url.port === '' ? '6379' : url.port,
    QUEUE_BULL_REDIS_DB: url.pathname.length > 1 ? url.pathname.slice(1) : '0',
    QUEUE_BULL_REDIS_TLS: String(url.protocol === 'rediss:'),
    ...secret('QUEUE_BULL_REDIS_USERNAME', url.username),
    ...secret('QUEUE_BULL_REDIS_PASSWORD', url.password),
  };
}

/** Whether Redis takes commands at a loopback port. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
