import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { CertificateAuthority } from '../certificates';
import { freePorts } from '../cluster/ports';
import { Processes } from '../cluster/processes';
import { findRegistry } from './build';

/** Who may read and write everything in a test registry. */
export const REGISTRY_USER = { username: 'robot', password: 'not-a-secret' } as const;
/** bcrypt of the password above, the only form the registry takes. */
const HTPASSWD = 'robot:$2a$10$KZQPxd/93GRMi0SCu.m5G.L2QRCAZhHhNRlTi1McsJVngttVn269S\n';

const START_MS = 30_000;
const RETRY_MS = 50;

/** A real OCI registry on loopback, with TLS and a password. */
export class TestRegistry {
  private constructor(
    private readonly processes: Processes,
    private readonly directory: string,
    /** `127.0.0.1:PORT` */
    readonly host: string,
    readonly port: number,
    /** The CA to trust, PEM. */
    readonly ca: string,
  ) {}

  static async start(): Promise<TestRegistry> {
    const program = await findRegistry();
    const directory = mkdtempSync(join(tmpdir(), 'navin-registry-'));
    const [port = 0] = await freePorts(1);
    const authority = await CertificateAuthority.create();
    const pair = await authority.issue({ addresses: ['127.0.0.1'] });
    const write = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text, { mode: 0o600 });
      return join(directory, name);
    };
    const config = write(
      'config.yaml',
      dump({
        version: 0.1,
        log: { level: 'error' },
        storage: { filesystem: { rootdirectory: join(directory, 'data') } },
        auth: { htpasswd: { realm: 'test', path: write('htpasswd', HTPASSWD) } },
        http: {
          addr: `127.0.0.1:${port}`,
          tls: { certificate: write('tls.crt', pair.certificate), key: write('tls.key', pair.key) },
        },
      }),
    );
    mkdirSync(join(directory, 'data'));
    const processes = await Processes.start(mkdtempSync(join(directory, 'run-')));
    const registry = new TestRegistry(processes, directory, `127.0.0.1:${port}`, port, authority.certificate);
    const log = join(directory, 'registry.log');
    await processes.run({
      name: 'registry',
      command: program,
      args: ['serve', config],
      log,
      env: { OTEL_TRACES_EXPORTER: 'none' },
    });
    await registry.ready();
    return registry;
  }

  async stop(): Promise<void> {
    await this.processes.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Puts a blob into a repository. */
  async pushBlob(repository: string, digest: string, bytes: Buffer): Promise<void> {
    const begun = await this.send('POST', `/v2/${repository}/blobs/uploads/`);
    const upload = new URL(begun.location ?? '', `https://${this.host}`);
    upload.searchParams.set('digest', digest);
    await this.send('PUT', `${upload.pathname}${upload.search}`, bytes, 'application/octet-stream');
  }

  /** Puts a manifest into a repository, under its digest alone. */
  async pushManifest(repository: string, digest: string, bytes: Buffer, type: string): Promise<void> {
    await this.send('PUT', `/v2/${repository}/manifests/${digest}`, bytes, type);
  }

  private async ready(): Promise<void> {
    const end = performance.now() + START_MS;
    for (;;) {
      try {
        await this.send('GET', '/v2/');
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  private send(method: string, path: string, body?: Buffer, type?: string): Promise<{ location: string | undefined }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `https://${this.host}${path}`,
        {
          method,
          ca: this.ca,
          auth: `${REGISTRY_USER.username}:${REGISTRY_USER.password}`,
          headers: {
            ...(body === undefined ? {} : { 'Content-Length': body.length }),
            ...(type === undefined ? {} : { 'Content-Type': type }),
          },
        },
        (answer) => {
          answer.resume();
          const { statusCode = 0, headers } = answer;
          if (statusCode >= 200 && statusCode < 300) resolve({ location: headers.location });
          else reject(new Error(`${method} ${path} was answered with ${statusCode}`));
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
