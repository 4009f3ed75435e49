import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createServiceAccount,
  ensureNamespace,
  kubeconfigOf,
  type ServiceAccountAccess,
  type ServiceAccountOptions,
} from './access';
import { Api, type ApiAnswer, type ApiRequestOptions } from './api';
import { deferred } from './deferred';
import { ClusterError } from './errors';
import { PodLogs } from './logs';
import type { KeyPair } from '../certificates';

/** What it takes to speak to a running cluster; JSON, so that processes can share one. */
export interface ClusterFacts {
  /** Folder of the cluster's state; gone when the cluster is. */
  readonly directory: string;
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  readonly port: number;
  readonly caPem: string;
  /** Path of the same. */
  readonly caFile: string;
  readonly admin: KeyPair;
  /** Path of kubectl. */
  readonly kubectl: string;
  /** Path of the audit log, where one is written. */
  readonly auditLog?: string;
  /** Seconds from the call to a cluster that is ready. */
  readonly startSeconds: number;
}

/** An entry of the audit log (the fields that tests look at). */
export interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly requestReceivedTimestamp: string;
}

/** What a kubectl call may bring along. */
export interface KubectlOptions {
  readonly stdin?: string;
  /** Default: the administrator's. */
  readonly kubeconfig?: string;
  /** Default a minute. */
  readonly timeoutMs?: number;
}

/** A running cluster, own or shared. What is done through it is done as administrator. */
export class Cluster {
  /** The witness client. */
  readonly api: Api;
  /** Container logs. */
  readonly logs: PodLogs;

  constructor(readonly facts: ClusterFacts) {
    this.api = new Api({ server: facts.server, caPem: facts.caPem, ...facts.admin });
    this.logs = new PodLogs(this.api, join(facts.directory, 'pod-logs'));
  }

  /** `https://127.0.0.1:PORT` */
  get server(): string {
    return this.facts.server;
  }

  /** Certificate authority of the API server, PEM. */
  get caPem(): string {
    return this.facts.caPem;
  }

  /** Environment that lets n8n and core/egress reach this one loopback address. */
  get egressEnv(): { readonly NAVIN_DEV_API_SERVER: string } {
    return { NAVIN_DEV_API_SERVER: `127.0.0.1:${this.facts.port}` };
  }

  /** The administrator's self-contained kubeconfig, as text. */
  get adminKubeconfig(): string {
    return kubeconfigOf(this.facts, this.facts.admin);
  }

  /** The same as a file. */
  get adminKubeconfigPath(): string {
    return join(this.facts.directory, 'admin.kubeconfig');
  }

  /** One request as administrator; any status is an answer. */
  async request(method: string, path: string, options: ApiRequestOptions = {}): Promise<ApiAnswer> {
    return this.api.request(method, path, options);
  }

  /** Makes a ServiceAccount with exactly the given rights. */
  async serviceAccount(options: ServiceAccountOptions): Promise<ServiceAccountAccess> {
    return createServiceAccount(this.api, this.facts, options);
  }

  /** Makes a namespace, ready for Pods. */
  async namespace(name: string): Promise<string> {
    await ensureNamespace(this.api, name);
    return name;
  }

  /** Makes a namespace that nobody else uses. @param prefix begins its name */
  async freshNamespace(prefix: string): Promise<string> {
    return this.namespace(`${prefix}-${randomBytes(4).toString('hex')}`);
  }

  /**
   * Runs kubectl.
   *
   * @returns its stdout
   * @throws ClusterError request_failed with its stderr
   */
  async kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<string> {
    const kubeconfig =
      options.kubeconfig === undefined ? this.adminKubeconfigPath : this.writeKubeconfig(options.kubeconfig);
    const child = spawn(this.facts.kubectl, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeoutMs ?? 60_000,
      env: { ...process.env, KUBECONFIG: kubeconfig, HOME: this.facts.directory },
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    const ended = deferred<number | null>();
    child.once('error', ended.reject);
    child.once('close', ended.resolve);
    const code = await ended.promise;
    if (code !== 0) {
      const reason = Buffer.concat(errors).toString('utf8').trim();
      throw new ClusterError('request_failed', `kubectl ${args.join(' ')} ended with ${code ?? 'a signal'}: ${reason}`);
    }
    return Buffer.concat(output).toString('utf8');
  }

  /** Applies YAML or JSON (server-side, by kubectl). */
  async apply(yaml: string): Promise<string> {
    return this.kubectl(['apply', '--server-side', '-f', '-'], { stdin: yaml });
  }

  /** The audit log so far. @throws Error when the cluster was started without `auditLog` */
  auditEvents(): readonly AuditEvent[] {
    if (this.facts.auditLog === undefined) throw new Error('start the cluster with `auditLog: true`');
    const text = readFileSync(this.facts.auditLog, 'utf8');
    // The last line may still be in the writing.
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
  }

  private writeKubeconfig(text: string): string {
    const file = join(this.facts.directory, `user-${process.pid}-${++kubeconfigCounter}.kubeconfig`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }
}

let kubeconfigCounter = 0;
