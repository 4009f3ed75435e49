import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../cluster';
import { freePorts } from '../cluster/ports';
import { lastLines, Processes, type Program } from '../cluster/processes';
import { N8nError } from './errors';
import { readExecution, unflatten, type Execution } from './execution';
import type { N8nProgram } from './install';
import { RestClient, type Owner } from './rest';
import { n8nEnvironment } from './settings';
import { packPackage, unpackPackage } from './tarball';
import { START, type CredentialReference, type Workflow } from './workflow';

/** What n8n to start. */
export interface N8nOptions {
  readonly program: N8nProgram;
  /** The package as `npm pack` made it. Default: the built package, packed now. */
  readonly tarball?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** The package's own variables, such as NAVIN_PRIVATE_NETWORKS. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one for tests. */
  readonly owner?: Owner;
}

/** The owner of an n8n that only tests see. */
const TEST_OWNER: Owner = { email: 'owner@navin.example', password: 'Only-for-tests-1' };

/** Longest that a start may take, in milliseconds: 5 s on an idle machine with two cores. */
const START_TIMEOUT_MS = 180_000;
const EXECUTION_TIMEOUT_MS = 120_000;
/** What a worker prints when it takes jobs. */
const WORKER_READY = 'n8n worker is now ready';
/** States of an execution that is not over. */
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** What n8n is told to be: all of it, or one that only runs what is in the queue. */
type Command = 'start' | 'worker';

/** A running n8n with the package in it. It dies with this process, however that ends. */
export class N8n {
  constructor(
    private readonly processes: Processes,
    /** Where the editor is: `http://127.0.0.1:PORT`. */
    readonly url: string,
    readonly owner: Owner,
    readonly client: RestClient,
    /** Seconds from the call to a logged-in owner. */
    readonly startSeconds: number,
    private readonly programFor: (command: Command, env: Readonly<Record<string, string>>) => Program,
  ) {}

  /** Kills n8n as a power cut would (SIGKILL); its folder stays. */
  async kill(): Promise<void> {
    await this.processes.signal('n8n', 'SIGKILL');
    await this.processes.exited('n8n');
  }

  /**
   * Starts a killed n8n again on its folder; returns when it answers, which is before its triggers are active.
   *
   * @param env settings for this run, added to those of the first
   * @throws N8nError start_failed
   */
  async startAgain(env: Readonly<Record<string, string>> = {}): Promise<void> {
    // The sign of a crash: n8n would wait ten seconds because of it, and does nothing else with it.
    rmSync(join(this.folder, '.n8n', 'crash.journal'), { force: true });
    await this.processes.run(this.programFor('start', env));
    await untilReady(this.client, this.processes);
  }

  /**
   * Starts a worker beside it, on the same folder: only where the settings say queue mode. Returns when it takes jobs.
   *
   * @throws N8nError start_failed
   */
  async startWorker(): Promise<void> {
    const [brokerPort = 0] = await freePorts(1);
    await this.processes.run(this.programFor('worker', { N8N_RUNNERS_BROKER_PORT: String(brokerPort) }));
    const ready = (): boolean =>
      this.processes.exitOf('worker') !== undefined || this.workerLog().includes(WORKER_READY);
    await eventually(ready, 'the worker', START_TIMEOUT_MS);
    if (this.processes.exitOf('worker') !== undefined)
      throw new N8nError(
        'start_failed',
        `The worker ended at its start. It printed:\n${this.workerLog().slice(-2000)}`,
      );
  }

  /** What the worker printed. */
  workerLog(): string {
    return readFileSync(logFile(this.processes, 'worker'), 'utf8');
  }

  /** The executions of a workflow, oldest first, without what is in them. At most 1,000. */
  async executionsOf({ id }: Pick<StoredWorkflow, 'id'>): Promise<readonly ExecutionRow[]> {
    const rows: ExecutionRow[] = [];
    const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
    for (let lastId = ''; rows.length < 1_000;) {
      const before = lastId === '' ? '' : `&lastId=${lastId}`;
      const { results } = (await this.rest('GET', `/rest/executions?limit=100&filter=${filter}${before}`)) as {
        results: ExecutionRow[];
      };
      rows.push(...results.map((row) => ({ id: row.id, status: row.status, createdAt: row.createdAt })));
      lastId = results.at(-1)?.id ?? '';
      if (results.length < 100) break;
    }
    return rows.sort((left, right) => Number(left.id) - Number(right.id));
  }

  /** What n8n stored of an execution, also of one that crashed. */
  async storedExecution(id: string): Promise<unknown> {
    const { data } = (await this.rest('GET', `/rest/executions/${id}`)) as { data: string };
    return unflatten(data);
  }

  /** n8n's REST API, logged in as the owner. @throws N8nError request_failed */
  async rest(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.client.rest(method, path, body);
  }

  /** Stores a credential. */
  async addCredential(
    name: string,
    type: string,
    data: Readonly<Record<string, unknown>>,
  ): Promise<CredentialReference> {
    const { id } = (await this.rest('POST', '/rest/credentials', { name, type, data })) as { id: string };
    return { id, name };
  }

  /** Removes a credential. */
  async removeCredential({ id }: CredentialReference): Promise<void> {
    await this.rest('DELETE', `/rest/credentials/${id ?? ''}`);
  }

  /**
   * Stores a workflow as the editor's import does: a credential that is named without an id is found by its name.
   *
   * @returns the workflow as stored
   */
  async addWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
    return (await this.rest('POST', '/rest/workflows', workflow)) as StoredWorkflow;
  }

  /** Publishes a stored workflow and waits until its triggers are live. @throws N8nError timeout */
  async publish({ id, versionId }: StoredWorkflow): Promise<void> {
    await this.rest('POST', `/rest/workflows/${id}/activate`, { versionId });
    let status: unknown;
    const look = async (): Promise<boolean> => {
      status = await this.rest('GET', `/rest/workflows/${id}/publication-status`);
      return (status as { liveVersionId: string | null }).liveVersionId === versionId;
    };
    await within(EXECUTION_TIMEOUT_MS, look, () => `Workflow ${id} was not published: ${JSON.stringify(status)}.`);
  }

  /** Takes a workflow's triggers down again. */
  async unpublish({ id }: StoredWorkflow): Promise<void> {
    await this.rest('POST', `/rest/workflows/${id}/deactivate`, {});
  }

  /**
   * Runs a stored workflow as the editor's button does, and waits for its end.
   *
   * @param trigger name of the node to start from
   * @throws N8nError timeout
   */
  async run(workflow: StoredWorkflow, trigger = START): Promise<Execution> {
    return this.finished(await this.begin(workflow, trigger));
  }

  /** Starts a stored workflow as the editor's button does. @returns the id of the execution */
  async begin(workflow: StoredWorkflow, trigger = START): Promise<string> {
    const answer = await this.rest('POST', `/rest/workflows/${workflow.id}/run`, {
      workflowData: workflow,
      triggerToStartFrom: { name: trigger },
    });
    return (answer as { executionId: string }).executionId;
  }

  /** Waits until an execution waits for somebody, and gives what it has done so far. @throws N8nError timeout */
  async waiting(executionId: string): Promise<Execution> {
    let answer: unknown;
    const look = async (): Promise<boolean> => {
      answer = await this.rest('GET', `/rest/executions/${executionId}`);
      return (answer as { status: string }).status === 'waiting';
    };
    await within(EXECUTION_TIMEOUT_MS, look, () => `Execution ${executionId} does not wait for anybody.`);
    return readExecution(answer);
  }

  /** Stores a workflow and runs it. */
  async runOnce(workflow: Workflow, trigger = START): Promise<Execution> {
    return this.run(await this.addWorkflow(workflow), trigger);
  }

  /** Waits for the end of an execution. @throws N8nError timeout */
  async finished(executionId: string): Promise<Execution> {
    let answer: unknown;
    const look = async (): Promise<boolean> => {
      answer = await this.rest('GET', `/rest/executions/${executionId}`);
      return !UNFINISHED.includes((answer as { status: string }).status);
    };
    await within(EXECUTION_TIMEOUT_MS, look, () => `Execution ${executionId} did not end.`);
    return readExecution(answer);
  }

  /** Everything that n8n has logged: what it printed, and its event log. */
  logs(): string {
    const folder = join(this.processes.directory, '.n8n');
    const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
    const printed = readdirSync(this.processes.directory).filter((name) => name.endsWith('.log'));
    return [...printed.map((name) => join(this.processes.directory, name)), ...files.map((name) => join(folder, name))]
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
  }

  /** The end of what n8n printed, for the message of a failed test. */
  lastLog(lines = 40): string {
    return lastLines(logFile(this.processes), lines);
  }

  /** Process ids: the supervisor's and n8n's. */
  get pids(): readonly number[] {
    return this.processes.pids;
  }

  /** Process id of n8n itself. */
  get pid(): number | undefined {
    return this.processes.pidOf('n8n');
  }

  /** Folder of this n8n; gone when it is stopped. */
  get folder(): string {
    return this.processes.directory;
  }

  /** Whether this process stays alive for its sake. */
  hold(on: boolean): void {
    this.processes.hold(on);
  }

  /** Ends n8n and its children, and removes its folder. May be called again. */
  async stop(): Promise<void> {
    await this.processes.stop();
  }
}

/** Waits for something in n8n. @throws N8nError timeout */
async function within(milliseconds: number, look: () => Promise<boolean>, message: () => string): Promise<void> {
  await eventually(look, 'n8n', milliseconds).catch((cause: unknown) => {
    throw new N8nError('timeout', `${message()} Waited ${milliseconds / 1000} s.`, { cause });
  });
}

/** An execution in n8n's list. */
export interface ExecutionRow {
  readonly id: string;
  /** `new`, `running`, `success`, `error`, `crashed`, … */
  readonly status: string;
  /** When the row was made; ISO 8601, to the millisecond. */
  readonly createdAt: string;
}

/** A workflow that n8n has stored. */
export interface StoredWorkflow extends Workflow {
  readonly id: string;
  readonly versionId: string;
}

/**
 * Starts n8n with the packed package in its `nodes` folder, as n8n itself puts an installed community package there.
 * Returns when the owner is set up and logged in.
 *
 * @throws N8nError package_failed, start_failed
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
  const begin = performance.now();
  const owner = options.owner ?? TEST_OWNER;
  const processes = await Processes.start(mkdtempSync(join(tmpdir(), 'navin-n8n-')));
  try {
    const [free = 0, brokerPort = 0] = await freePorts(2);
    const port = options.port ?? free;
    await layOut(processes.directory, options);
    const settings = { userFolder: processes.directory, port, brokerPort, ...(options.env && { env: options.env }) };
    const { node, entry } = options.program;
    const programFor = (command: Command, env: Readonly<Record<string, string>>): Program => ({
      name: command === 'start' ? 'n8n' : command,
      // Only `env -i` gives a program less than the environment of its parent.
      command: 'env',
      args: [
        '-i',
        ...Object.entries({ ...n8nEnvironment(settings), ...env }).map(([name, value]) => `${name}=${value}`),
        node,
        entry,
        command,
      ],
      cwd: processes.directory,
      log: logFile(processes, command === 'start' ? 'n8n' : command),
    });
    await processes.run(programFor('start', {}));
    const client = new RestClient(`http://127.0.0.1:${port}`);
    await untilReady(client, processes);
    await client.setUpOwner(owner);
    processes.hold(false);
    return new N8n(processes, client.url, owner, client, (performance.now() - begin) / 1000, programFor);
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

async function layOut(folder: string, { program, tarball }: N8nOptions): Promise<void> {
  const home = join(folder, '.n8n');
  mkdirSync(home, { mode: 0o700 });
  for (const file of readdirSync(program.emptyDatabase)) {
    copyFileSync(join(program.emptyDatabase, file), join(home, file));
  }
  await unpackPackage(tarball ?? (await packPackage(folder)), join(home, 'nodes', 'node_modules'));
}

/** The port answers before the database is there, and /healthz before the REST API is: the settings are the sign. */
async function untilReady(client: RestClient, processes: Processes): Promise<void> {
  const ready = async (): Promise<boolean> => {
    if (processes.exitOf('n8n') !== undefined) return true;
    const { status, data } = await client.ask('GET', '/rest/settings');
    return status === 200 && typeof data === 'object';
  };
  const said = (): string => `Its log ends with:\n${lastLines(logFile(processes), 20)}`;
  await eventually(ready, 'n8n', START_TIMEOUT_MS).catch((cause: unknown) => {
    throw new N8nError('start_failed', `n8n did not get ready in ${START_TIMEOUT_MS / 1000} s. ${said()}`, { cause });
  });
  const exit = processes.exitOf('n8n');
  if (exit !== undefined)
    throw new N8nError('start_failed', `n8n ended at its start (${exit.code ?? exit.signal}). ${said()}`);
}

function logFile({ directory }: Processes, name = 'n8n'): string {
  return join(directory, `${name}.log`);
}
