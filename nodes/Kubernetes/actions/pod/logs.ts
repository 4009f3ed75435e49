import { isNavinError, type NavinError } from '../../../../core/errors';
import type { KubeClient, LogOptions } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import type { OperationContext } from '../../../shared/operation';
import { inParallel } from '../../../shared/parallel';

/** A container whose log is read. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Nothing else is read: that there is no log is an error, not a `problem` of one of several. */
  readonly alone: boolean;
}

/** A log, or why there is none. */
export interface Log {
  readonly pod: string;
  readonly container: string;
  readonly text: string;
  /** In place of the text, where it is read byte for byte. */
  readonly file?: LogFile;
  readonly truncated: boolean;
  /** Why there is no log, or why following it broke off. */
  readonly problem?: string;
  /** Whether a log that was followed came to its end. */
  readonly ended?: boolean;
  /** Lines may be missing: the node rotated them away while the connection was broken. */
  readonly gap?: true;
}

/** A log as a file. */
export interface LogFile {
  readonly data: Buffer;
  /** Gives its memory back. */
  readonly release?: () => void;
}

/** What was read. */
type ReadLog = Omit<Log, 'pod' | 'container'>;

type Limited = LogOptions & {
  /** Of each log. */
  readonly limitBytes: number;
};
type Context = Pick<OperationContext, 'clock' | 'signal'> & { readonly seconds: number };

/** How many logs are read or followed at once. */
const PARALLEL = 8;
const MAX_FOLLOWED = 64;

/** Reads logs as they are. */
export async function readAll(
  client: KubeClient,
  targets: readonly LogTarget[],
  options: Limited,
): Promise<readonly Log[]> {
  return await inParallel(targets, PARALLEL, async (target) => {
    const { namespace, pod: name, container } = target;
    return await orProblem(target, async () => await client.logs({ namespace, name }, { ...options, container }));
  });
}

/** Reads logs as they are, byte for byte. */
export async function readFiles(
  client: KubeClient,
  targets: readonly LogTarget[],
  options: Limited,
): Promise<readonly Log[]> {
  return await inParallel(targets, PARALLEL, async (target) => {
    const { namespace, pod: name, container } = target;
    return await orProblem(target, async () => {
      const { bytes, truncated, release } = await client.logBytes({ namespace, name }, { ...options, container });
      return { text: '', file: { data: bytes, release }, truncated };
    });
  });
}

/** Follows logs to their ends or to the deadline, all at once. */
export async function followAll(
  client: KubeClient,
  targets: readonly LogTarget[],
  options: Limited,
  context: Context,
): Promise<readonly Log[]> {
  const over = new AbortController();
  const done = new AbortController();
  const timer = context.clock.sleep(context.seconds * 1_000, done.signal).then(
    () => {
      over.abort();
    },
    () => undefined,
  );
  try {
    return await inParallel(
      targets,
      MAX_FOLLOWED,
      async (target) =>
        await orProblem(target, async () => await follow(client, target, options, over.signal, context)),
    );
  } finally {
    done.abort();
    await timer;
  }
}

/** Line by line, so that what came before the deadline is kept. */
async function follow(
  client: KubeClient,
  { namespace, pod: name, container }: LogTarget,
  { limitBytes, ...options }: Limited,
  over: AbortSignal,
  { seconds, signal }: Context,
): Promise<ReadLog> {
  const lines: string[] = [];
  let size = 0;
  let truncated = false;
  const missing: { gap?: true } = {};
  const onGap = (): void => {
    missing.gap = true;
  };
  const read = async (): Promise<{ readonly ended: boolean; readonly problem?: string }> => {
    // A second before the deadline: that the container has not started, and why, is said and not cut off.
    const startTimeoutMs = (seconds - 1) * 1_000;
    const followed = { ...options, container, startTimeoutMs, onGap, signal: over };
    for await (const line of client.followLogs({ namespace, name }, followed)) {
      size += Buffer.byteLength(line) + 1;
      truncated = size > limitBytes;
      if (truncated) break;
      lines.push(`${line}\n`);
    }
    return { ended: !truncated };
  };
  const end = await read().catch((error: unknown) => {
    // The deadline is no fault; that the execution was stopped is.
    if (over.aborted && signal?.aborted !== true) return { ended: false };
    // What was read is worth more than the error alone.
    if (lines.length === 0 || !isNavinError(error) || error.code === 'k8s_aborted') throw error;
    return { ended: false, problem: problemOf(error) ?? error.code };
  });
  return { text: lines.join(''), truncated, ...end, ...missing };
}

/** A container without a log does not spoil the others: its problem is said in its place. */
async function orProblem({ pod, container, alone }: LogTarget, read: () => Promise<ReadLog>): Promise<Log> {
  const log = await attempt(read);
  if (log.error === undefined) return { pod, container, ...log.value };
  const problem = problemOf(log.error);
  if (alone || problem === undefined) throw log.error;
  return { pod, container, text: '', truncated: false, problem };
}

function problemOf({ code, details }: NavinError): string | undefined {
  return typeof details.log === 'string' ? details.log : code === 'k8s_not_found' ? 'gone' : undefined;
}
