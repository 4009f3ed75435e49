import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../../core/clock';
import { uniqueHolder } from '../../../core/controller';
import { KubeClient } from '../../../core/kube';
import { ChartStore } from '../charts';
import { Operator, type OperatorEvents, type OperatorHealth } from '../control';
import { RegistryClient, type Reach } from '../oci';
import { findRenderPrograms, Renderer } from '../render';
import { logEvents, Metrics, operatorPages, Probes, tellAll, type Logger } from '../telemetry';
import type { ProgramOptions } from './options';
import { readRegistryFiles } from './registry';
import { selfCheck } from './selfCheck';
import { systemCode } from './systemCode';
import { findCluster } from './target';
import { UsageError } from './usageError';
import { VERSION } from './version';

/** What an operator finds around it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Default: the clock of this process. */
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Default: where Kubernetes mounts it. */
  readonly serviceAccountDir?: string;
  /** Told of everything, beside logs and metrics. */
  readonly events?: OperatorEvents;
  /** For tests: registries on loopback, which no operator may connect to. */
  readonly registryReach?: Reach;
}

/** An operator at work. */
export interface RunningOperator {
  /** Where probes and metrics are served. */
  readonly address: { readonly address: string; readonly port: number };
  health(): OperatorHealth;
  /** Lets what is under way end, gives the lease up and closes everything. May be called again. */
  stop(): Promise<void>;
}

/**
 * Puts an operator together and starts it. It need not reach its cluster by then: that is tried again and again.
 *
 * @throws UsageError what a flag is to blame for; ProgramError when helm or prlimit is missing
 */
export async function runOperator(options: ProgramOptions, surroundings: Surroundings): Promise<RunningOperator> {
  const undo = new Undo();
  try {
    return await start(options, surroundings, undo);
  } catch (error) {
    await undo.all();
    throw error;
  }
}

async function start(options: ProgramOptions, surroundings: Surroundings, undo: Undo): Promise<RunningOperator> {
  const { env, log, clock = systemClock, random = Math.random } = surroundings;
  const programs = await findRenderPrograms(env);
  await requireFolder('--charts-dir', options.chartsDir);
  const registryFiles = await readRegistryFiles(options);
  const access = await findCluster(options.cluster, {
    env,
    clock,
    serviceAccountDir: surroundings.serviceAccountDir,
    onTokenFault: (error) => {
      log.warn({ err: error }, 'The token of the ServiceAccount cannot be read; the last one is used on.');
    },
  });
  for (const warning of [...access.warnings, ...registryFiles.warnings]) log.warn(warning);

  const client = new KubeClient({
    ...access,
    looksForNamespaces: false,
    userAgent: `navin-platform-operator/${VERSION}`,
  });
  undo.add(() => {
    client.close();
  });
  const workDir = await mkdtemp(join(tmpdir(), 'navin-operator-'));
  undo.add(() => rm(workDir, { recursive: true, force: true }));
  const ending = new AbortController();
  undo.add(() => {
    ending.abort();
  });

  const { registryReach: reach } = surroundings;
  const registry = new RegistryClient({
    ...registryFiles,
    registries: options.registries,
    ...(reach === undefined ? {} : { reach }),
  });
  const charts = new ChartStore({ chartsDir: options.chartsDir, registry });
  const renderer = new Renderer({ charts, programs, clock, signal: ending.signal, workDir });
  const health = (): OperatorHealth => operator.health();
  const metrics = new Metrics(VERSION, health);
  const listeners = [logEvents(log, clock), metrics.events, surroundings.events ?? {}];
  const operator = new Operator({
    client,
    namespaces: options.namespaces,
    renderer,
    lease: { ...options.lease, holder: uniqueHolder() },
    clock,
    random,
    pullSecrets: options.pullSecrets,
    concurrency: options.concurrency,
    resyncMs: options.resyncMs,
    events: tellAll(listeners, (error) => {
      log.error({ err: error }, 'What happened could not be told.');
    }),
  });

  let stopping: Promise<void> | undefined;
  const probes = await listen(options, {
    pages: operatorPages({ health, metrics, isStopping: () => stopping !== undefined }),
    onFault: (error) => {
      log.warn({ err: error }, 'A probe could not be answered.');
    },
  });
  undo.add(() => probes.stop());
  operator.start();
  undo.add(() => operator.stop());
  const { namespaces, lease } = options;
  log.info({ version: VERSION, namespaces, lease, listen: probes.address }, 'The operator has started.');
  void selfCheck({ client, options, log, signal: ending.signal });
  return { address: probes.address, health, stop: () => (stopping ??= undo.all()) };
}

async function requireFolder(flag: string, path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new UsageError(`${flag} must be a folder that exists.`);
}

async function listen(
  { listen: where }: ProgramOptions,
  means: Omit<Parameters<typeof Probes.start>[0], 'listen'>,
): Promise<Probes> {
  try {
    return await Probes.start({ ...means, listen: where });
  } catch (error) {
    throw new UsageError(`--listen: the address cannot be listened at (${systemCode(error)}).`);
  }
}

/** What has to be undone at the end, the last first. One that fails keeps none of the others from being done. */
class Undo {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  async all(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }
}
