import { mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Api, eventually } from './api';
import { Cluster, type ClusterFacts } from './cluster';
import * as programs from './controlPlane';
import type { ControlPlane } from './controlPlane';
import { deferred } from './deferred';
import { ClusterError } from './errors';
import { layOut, makeFolders, type ClusterOptions } from './layout';
import { createNodes, nodesReady } from './nodes';
import { requireFreePort } from './ports';
import { lastLines, Processes, type Program } from './processes';
import { findPrograms } from './programs';

/** Longest that a start may take once the programs are there, in milliseconds. */
const START_TIMEOUT_MS = 90_000;
/** How often a start is tried again when another program took one of its ports in between. */
const PORT_RACE_TRIES = 3;
/** Where the folders of clusters are made. */
const TEMP_PREFIX = join(tmpdir(), 'navin-cluster-');

/** A cluster that this process started and must stop. It dies with the process in any case. */
export class OwnCluster extends Cluster {
  constructor(
    facts: ClusterFacts,
    private readonly processes: Processes,
    private readonly apiServerProgram: Program,
  ) {
    super(facts);
  }

  /** Process ids of the supervisor and the programs. */
  get pids(): readonly number[] {
    return this.processes.pids;
  }

  /** Kills the API server and starts it again; returns when it is ready. Watches end, its watch cache is empty. */
  async restartApiServer(): Promise<void> {
    await this.killApiServer();
    await this.startApiServer();
  }

  /** Kills the API server: nobody listens at its address any more. */
  async killApiServer(): Promise<void> {
    const { name } = this.apiServerProgram;
    await this.processes.signal(name, 'SIGKILL');
    await this.processes.exited(name);
  }

  /** Starts a killed API server again; returns when it is ready. */
  async startApiServer(): Promise<void> {
    await this.processes.run(this.apiServerProgram);
    await untilServing(this.api, this.processes, this.apiServerProgram.name);
  }

  /** Stops the API server in its tracks: connections stay open and silent. */
  async pauseApiServer(): Promise<void> {
    await this.processes.signal(this.apiServerProgram.name, 'SIGSTOP');
  }

  /** Lets a paused API server go on. */
  async resumeApiServer(): Promise<void> {
    await this.processes.signal(this.apiServerProgram.name, 'SIGCONT');
  }

  /** Ends the cluster and removes its folder. May be called again. */
  async stop(): Promise<void> {
    this.api.close();
    await this.processes.stop();
  }
}

/**
 * Starts a cluster: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok on free loopback ports, with
 * fresh certificates and data. Returns when the API server, the default ServiceAccounts and all nodes are ready.
 *
 * @throws ClusterError port_taken, start_failed, and those of findPrograms
 */
export async function startCluster(options: ClusterOptions = {}): Promise<OwnCluster> {
  if (options.apiServerPort !== undefined) await requireFreePort(options.apiServerPort);
  const paths = await findPrograms(
    options.onBuildProgress === undefined ? {} : { onProgress: options.onBuildProgress },
  );
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options, paths);
    } catch (error) {
      if (attempt >= PORT_RACE_TRIES || !isPortRace(error)) throw error;
    }
  }
}

async function startOnce(options: ClusterOptions, paths: ControlPlane['programs']): Promise<OwnCluster> {
  const begin = performance.now();
  const directory = mkdtempSync(TEMP_PREFIX);
  const processes = await Processes.start(directory);
  try {
    makeFolders(directory);
    const [plane] = await Promise.all([layOut(directory, options, paths), startEtcd(directory, paths, processes)]);
    const server = `https://127.0.0.1:${plane.ports.apiServer}`;
    const { caPem, admin } = plane.pki;
    const apiServerProgram = programs.apiServer(plane);
    const facts = {
      directory,
      server,
      port: plane.ports.apiServer,
      caPem,
      caFile: plane.pki.files.ca,
      admin,
      kubectl: paths.kubectl,
      ...(plane.audit === undefined ? {} : { auditLog: plane.audit.log }),
    };
    const api = new Api({ server, caPem, ...admin });
    await bringUp(plane, processes, apiServerProgram, api, options);
    api.close();
    const cluster = new OwnCluster(
      { ...facts, startSeconds: (performance.now() - begin) / 1000 },
      processes,
      apiServerProgram,
    );
    processes.hold(false);
    return cluster;
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

async function startEtcd(directory: string, paths: ControlPlane['programs'], processes: Processes): Promise<void> {
  const etcd = programs.etcd({ directory, programs: paths });
  await processes.run(etcd);
  await watched(processes, etcd.name, async () => accepts(programs.etcdSocket(directory)), 'etcd');
}

/** Starts the other programs in the order of their needs. */
async function bringUp(
  plane: ControlPlane,
  processes: Processes,
  apiServerProgram: Program,
  api: Api,
  options: ClusterOptions,
): Promise<void> {
  await processes.run(apiServerProgram);
  await untilServing(api, processes, apiServerProgram.name);

  const controllerManager = programs.controllerManager(plane);
  const scheduler = programs.scheduler(plane);
  await Promise.all([processes.run(controllerManager), processes.run(scheduler), defineLogs(plane, api)]);
  const kwok = programs.kwok(plane);
  await Promise.all([processes.run(kwok), createNodes(api, options.nodes ?? 2)]);
  await watched(processes, kwok.name, async () => nodesReady(api, options.nodes ?? 2), 'the nodes');
  await watched(
    processes,
    controllerManager.name,
    async () => (await api.request('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200,
    'the default ServiceAccount',
  );
}

/** The kind by which tests set container logs. */
async function defineLogs({ programs: { kwokFiles } }: ControlPlane, api: Api): Promise<void> {
  const definition = readFileSync(join(kwokFiles, 'crd', 'bases', 'kwok.x-k8s.io_logs.yaml'), 'utf8');
  await api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', load(definition));
  const served = async (): Promise<boolean> =>
    (await api.request('GET', '/apis/kwok.x-k8s.io/v1alpha1/logs?limit=1')).status === 200;
  await eventually(served, 'the kind Logs to be served', START_TIMEOUT_MS);
}

async function untilServing(api: Api, processes: Processes, name: string): Promise<void> {
  await watched(processes, name, async () => (await api.request('GET', '/readyz')).status === 200, 'the API server');
}

/** Waits for something that a program brings about, or for the end of any program: none of them ends by itself. */
async function watched(processes: Processes, name: string, look: () => Promise<boolean>, what: string): Promise<void> {
  try {
    await eventually(async () => processes.firstEnded !== undefined || (await look()), what, START_TIMEOUT_MS);
  } catch (cause) {
    const message = `${what} did not get ready in ${START_TIMEOUT_MS / 1000} s. ${logEnd(processes, name)}`;
    throw new ClusterError('start_failed', message, { cause });
  }
  const ended = processes.firstEnded;
  if (ended !== undefined) {
    throw new ClusterError('start_failed', `${ended} ended at its start. ${logEnd(processes, ended)}`);
  }
}

function logEnd({ directory }: Processes, name: string): string {
  return `The log of ${name} ends with:\n${lastLines(join(directory, 'logs', `${name}.log`), 12)}`;
}

function isPortRace(error: unknown): boolean {
  return error instanceof ClusterError && error.message.includes('address already in use');
}

async function accepts(path: string): Promise<boolean> {
  const outcome = deferred<boolean>();
  const socket = connect({ path });
  socket.once('connect', () => {
    outcome.resolve(true);
  });
  socket.once('error', () => {
    outcome.resolve(false);
  });
  const accepted = await outcome.promise;
  socket.destroy();
  return accepted;
}
