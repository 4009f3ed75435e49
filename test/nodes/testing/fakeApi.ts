import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CertificateAuthority } from '../../certificates';

/** A request as the fake API server got it. */
export interface FakeRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: unknown;
}

/** What it answers; `hang` never answers, `text` answers what is not JSON. */
export interface FakeAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hang?: true;
  /** Closes the connection instead of an answer. */
  readonly drop?: true;
}

type Handler = (request: FakeRequest) => FakeAnswer | undefined;

/** A local HTTPS server in the place of an API server, for answers a real one would not give. */
export class FakeApi {
  readonly requests: FakeRequest[] = [];
  private handler: Handler = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly caPem: string,
  ) {}

  static async start(): Promise<FakeApi> {
    const authority = await CertificateAuthority.create();
    const { certificate, key } = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
    const server = createServer({ cert: certificate, key });
    const api = new FakeApi(server, authority.certificate);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '/', 'https://fake');
        const text = Buffer.concat(chunks).toString();
        const seen: FakeRequest = {
          method: request.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          contentType: request.headers['content-type'] ?? '',
          body: text === '' ? undefined : JSON.parse(text),
        };
        api.requests.push(seen);
        const answer = api.handler(seen) ?? notFound(seen.path);
        if (answer.hang === true) return;
        if (answer.drop === true) {
          request.socket.destroy();
          return;
        }
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
        response.end(answer.text ?? JSON.stringify(answer.json ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${String(this.port)}`;
  }

  /** What every test of one answer needs: this handler until the end of the test. */
  answer(handler: Handler): void {
    this.handler = handler;
  }

  reset(): void {
    this.requests.length = 0;
    this.handler = () => undefined;
  }

  /** A credential for it, with some fields changed. */
  credential(fields: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
    return {
      authentication: 'token',
      apiServer: this.url,
      ca: this.caPem,
      token: TOKEN,
      namespace: 'shop',
      allowPublicCa: false,
      rightsToCheck: ['read'],
      ...fields,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
  }
}

/** The token of {@link FakeApi.credential}: no error may ever show it. */
export const TOKEN = 'very-secret-token-0123456789';

/** A Status as an API server sends it. */
export function statusAnswer(code: number, reason: string, message: string, details: object = {}): FakeAnswer {
  return {
    status: code,
    json: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code },
  };
}

/** A refusal by RBAC. */
export function forbidden(verb: string, resource: string, namespace: string): FakeAnswer {
  const message = `${resource} is forbidden: User "u" cannot ${verb} resource "${resource}" in API group "" in the namespace "${namespace}"`;
  return statusAnswer(403, 'Forbidden', message, { kind: resource });
}

/** The answer to a request for an object that is not there. */
function notFound(path: string): FakeAnswer {
  const [kind = '', name = ''] = path.split('/').slice(-2);
  return statusAnswer(404, 'NotFound', `${kind} "${name}" not found`, { name, kind });
}

/** Gives a test file a fake API server that the egress policy admits. */
export function useFakeApi(): () => FakeApi {
  let api: FakeApi | undefined;
  const before = process.env.NAVIN_DEV_API_SERVER;
  beforeAll(async () => {
    api = await FakeApi.start();
    process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${String(api.port)}`;
  });
  afterEach(() => {
    api?.reset();
  });
  afterAll(async () => {
    await api?.stop();
    if (before === undefined) delete process.env.NAVIN_DEV_API_SERVER;
    else process.env.NAVIN_DEV_API_SERVER = before;
  });
  return () => {
    if (api === undefined) throw new Error('the fake API server is there within tests only');
    return api;
  };
}
