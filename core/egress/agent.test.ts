import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import axios from 'axios';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request, type Agent, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { createPinnedAgent, type ClusterAgentOptions } from './agent';
import { connectionError } from './connectionError';
import { EgressRefusedError } from './errors';
import type { EgressPolicy } from './policy';
import type { Resolver } from './resolver';
import { CertificateAuthority, type CertificateOptions } from '../../test/certificates';
import { errorOf, refusalOf, rejection } from './testing/errors';
import { closedPort, get, startHttpsServer, startTcpServer, type TestServer } from './testing/servers';

const NAME = 'api.cluster.example';
const SECRET = { headers: { authorization: 'Bearer s3cr3t' } };
const devPolicy = (port: number, grants: EgressPolicy['grants'] = []): EgressPolicy => ({
  grants,
  devApiServer: { address: '127.0.0.1', port },
});
const toLoopback: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

let authority: CertificateAuthority;
const toClean: (() => unknown)[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create();
});

afterEach(async () => {
  for (const clean of toClean.splice(0).reverse()) await clean();
});

async function server(
  options: CertificateOptions & { answer?: Parameters<typeof startHttpsServer>[1] } = {},
): Promise<TestServer> {
  const keys = await authority.issue({ names: [NAME], addresses: ['127.0.0.1'], ...options });
  const started = await startHttpsServer(keys, options.answer);
  toClean.push(() => started.close());
  return started;
}

async function tcpServer(answer?: Parameters<typeof startTcpServer>[0]): Promise<TestServer> {
  const started = await startTcpServer(answer);
  toClean.push(() => started.close());
  return started;
}

function agentFor(port: number, options: Partial<ClusterAgentOptions> = {}): Agent {
  const agent = createPinnedAgent({
    policy: devPolicy(port),
    tls: { ca: authority.certificate },
    resolver: toLoopback,
    ...options,
  });
  toClean.push(() => {
    agent.destroy();
  });
  return agent;
}

/** What a person sees of an error of a request. */
function shown(error: unknown, host: string, port: number): unknown {
  const translated = connectionError(error, { host, port });
  return [translated?.code, translated?.details.reason];
}

describe('a pinned agent', () => {
  it('connects to a checked address and verifies its certificate by address', async () => {
    const { port, requests } = await server({ names: [] });
    expect(await get(agentFor(port), `https://127.0.0.1:${port}/version`, SECRET)).toBe('1');
    expect(requests).toEqual([{ host: `127.0.0.1:${port}`, authorization: 'Bearer s3cr3t', url: '/version' }]);
  });

  it('connects by name, and verifies the certificate by name', async () => {
    const { port, requests } = await server({ addresses: [] });
    expect(await get(agentFor(port), `https://${NAME}:${port}/`)).toBe('1');
    expect(await get(agentFor(port), `https://${NAME.toUpperCase()}.:${port}/`)).toBe('2');
    expect(requests[0]?.host).toBe(`${NAME}:${port}`);
  });

  it('indicates the name of the server in TLS, and no address', async () => {
    const names: unknown[] = [];
    const keys = await authority.issue({ names: [NAME], addresses: ['127.0.0.1'] });
    const { port, close } = await startHttpsServer(keys, {
      answer: (incoming, response) => {
        names.push((incoming.socket as TLSSocket).servername);
        response.end();
      },
    });
    toClean.push(close);
    await get(agentFor(port), `https://${NAME}:${port}/`, { headers: { host: 'other.example' } });
    await get(agentFor(port), `https://127.0.0.1:${port}/`, { headers: { host: 'other.example' } });
    expect(names).toEqual([NAME, false]);
  });

  it('says when the setting for development was used', async () => {
    const { port } = await server();
    let used = 0;
    const agent = agentFor(port, {
      onDevAddress: () => {
        used += 1;
      },
    });
    await get(agent, `https://127.0.0.1:${port}/`);
    await get(agent, `https://127.0.0.1:${port}/`);
    expect(used).toBe(1);
  });

  it('presents the client certificate of the credential', async () => {
    const { port } = await server();
    const { certificate: cert, key } = await authority.issue({ usage: 'client' });
    const agent = agentFor(port, { tls: { ca: authority.certificate, cert, key } });
    expect(await get(agent, `https://127.0.0.1:${port}/`)).toBe('1');
    const names = Object.keys(agent.freeSockets).join();
    expect(names).not.toContain('PRIVATE KEY');
  });

  it('connects to IPv6 loopback', async () => {
    const keys = await authority.issue({ addresses: ['::1'] });
    const started = await rejectionOrValue(startHttpsServer(keys, { host: '::1' }));
    if (started === undefined) return; // A machine without IPv6.
    toClean.push(started.close);
    const policy: EgressPolicy = { grants: [], devApiServer: { address: '::1', port: started.port } };
    expect(await get(agentFor(0, { policy }), `https://[::1]:${started.port}/`)).toBe('1');
  });
});

async function rejectionOrValue<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}

describe('what a pinned agent refuses', () => {
  it.each([
    ['loopback without the setting', '127.0.0.1', 'never', 'loopback'],
    ['loopback as a number', '2130706433', 'never', 'loopback'],
    ['IPv6 loopback', '[::1]', 'never', 'loopback'],
    ['loopback inside IPv6', '[::ffff:127.0.0.1]', 'never', 'loopback'],
    ['the address of everything', '0.0.0.0', 'never', 'unspecified'],
    ['localhost', 'localhost', 'never', 'loopback'],
    ['a metadata service', '169.254.169.254', 'never', 'metadata'],
    ['a private address', '10.0.0.1', 'no-grant', 'private'],
  ])('%s gets no connection', async (_case, host, reason, addressClass) => {
    const { port, connections } = await server();
    const agent = agentFor(port, { policy: { grants: [] } });
    const refusal = await refusalOf(get(agent, `https://${host}:${port}/`, SECRET));
    expect([refusal.reason, refusal.addressClass, connections]).toEqual([reason, addressClass, 0]);
  });

  it('a name for one bad answer gets no connection', async () => {
    const started = await server();
    const resolver: Resolver = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const refusal = await refusalOf(get(agentFor(started.port, { resolver }), `https://${NAME}:${started.port}/`));
    expect([refusal.addressClass, started.connections]).toEqual(['private', 0]);
  });

  it('admits for its credential only', async () => {
    const grants = [{ cidr: 'fd12:3456:789a::/48', ports: [6443], credentialIds: ['mine'] }];
    const agent = agentFor(1, { policy: { grants }, credentialId: 'other' });
    const refusal = await refusalOf(get(agent, 'https://[fd12:3456:789a::1]:6443/'));
    expect(refusal.reason).toBe('grant-credential');
  });

  it('sends nothing to a peer that is not the checked address', async () => {
    const started = await tcpServer();
    Object.defineProperty(TLSSocket.prototype, 'remoteAddress', { configurable: true, get: () => '203.0.113.7' });
    toClean.push(() => Reflect.deleteProperty(TLSSocket.prototype, 'remoteAddress'));
    const refusal = await refusalOf(get(agentFor(started.port), `https://127.0.0.1:${started.port}/`, SECRET));
    await started.allClosed();
    expect(refusal.reason).toBe('peer');
    expect(refusal.details).toMatchObject({ address: '203.0.113.7', class: 'documentation' });
    expect([started.connections, started.received]).toEqual([1, 0]);
  });

  it('sends no request to a server whose certificate is refused', async () => {
    const started = await server({ names: ['other.example'], addresses: [] });
    await rejection(get(agentFor(started.port), `https://127.0.0.1:${started.port}/`, SECRET));
    await started.allClosed();
    expect([started.connections, started.requests]).toEqual([1, []]);
  });

  it('takes nothing from the request that would weaken it', async () => {
    const started = await server({ names: ['other.example'], addresses: [] });
    const weak: RequestOptions = {
      ...SECRET,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      servername: 'other.example',
      lookup: (_name, _options, callback) => {
        callback(null, '127.0.0.1', 4);
      },
      family: 6,
      localAddress: '::1',
      ca: 'x',
    };
    const refused = await rejection(get(agentFor(started.port), `https://127.0.0.1:${started.port}/`, weak));
    expect(shown(refused, '127.0.0.1', started.port)).toEqual(['k8s_tls_untrusted', 'name-mismatch']);
    const other = await refusalOf(get(agentFor(started.port), 'https://localhost:1/', weak));
    expect(other.addressClass).toBe('loopback');
    const socket = request({ ...weak, agent: agentFor(started.port), socketPath: '/var/run/docker.sock' }).end();
    const [error] = (await once(socket, 'error')) as [unknown];
    expect(error).toBeInstanceOf(EgressRefusedError);
    expect(started.requests).toEqual([]);
  });

  // kubernetes-client/javascript#327, #2546
  it('ignores the environment: proxies, and the switch that turns verification off', async () => {
    const proxy = await tcpServer();
    const started = await server();
    const untrusted = await server({ names: ['other.example'], addresses: [] });
    const environment = {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      https_proxy: `http://127.0.0.1:${proxy.port}`,
      ALL_PROXY: `http://127.0.0.1:${proxy.port}`,
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const getOnce = async (port: number): Promise<string> => {
      const script = join(__dirname, 'testing', 'getOnce.ts');
      const child = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', script, String(port), authority.certificate],
        { env: { ...process.env, ...environment } },
      );
      return child.stdout;
    };
    const answers = await Promise.all([getOnce(started.port), getOnce(untrusted.port)]);
    expect(answers).toEqual(['1', '"name-mismatch"']);
    expect(untrusted.requests).toEqual([]);
    expect(proxy.connections).toBe(0);
  }, 60_000);

  it('cannot be made with a CA, certificate or key that TLS cannot use, and does not repeat it', () => {
    const key = '-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END PRIVATE KEY-----';
    const make = (): Agent => createPinnedAgent({ policy: { grants: [] }, tls: { cert: 'x', key } });
    expect(make).toThrow('TLS cannot use the CA, client certificate or key of the credential.');
  });
});

describe("another authority's filter", () => {
  it('is asked with the URL, and may refuse before a connection', async () => {
    const started = await server();
    const asked: string[] = [];
    const cause = new Error('blocked');
    const agent = agentFor(started.port, {
      externalFilter: (url) => {
        asked.push(url.href);
        return url.hostname === NAME ? Promise.resolve() : Promise.reject(cause);
      },
    });
    expect(await get(agent, `https://${NAME}:${started.port}/secret?token=1`)).toBe('1');
    const refusal = await refusalOf(get(agent, `https://127.0.0.1:${started.port}/`));
    expect([refusal.reason, refusal.cause, started.connections]).toEqual(['external-filter', cause, 1]);
    expect(asked).toEqual([`https://${NAME}:${started.port}/`, `https://127.0.0.1:${started.port}/`]);
  });

  it('may not find the name', async () => {
    const cause = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const agent = agentFor(6443, { externalFilter: () => Promise.reject(cause) });
    expect((await errorOf(get(agent, `https://${NAME}:6443/`))).code).toBe('k8s_dns_failed');
  });
});

describe('the sockets of a pinned agent', () => {
  it('are kept for the next request', async () => {
    const started = await server();
    const agent = agentFor(started.port);
    for (const expected of ['1', '2', '3']) {
      expect(await get(agent, `https://${NAME}:${started.port}/`)).toBe(expected);
    }
    expect(started.connections).toBe(1);
  });

  it('are bounded, also while the name is being resolved', async () => {
    const started = await server();
    let resolving = 0;
    const agent = agentFor(started.port, {
      maxSockets: 3,
      resolver: (name) => {
        resolving += 1;
        return toLoopback(name);
      },
    });
    const all = Array.from({ length: 30 }, () => get(agent, `https://${NAME}:${started.port}/`));
    expect(resolving).toBe(3);
    expect(await Promise.all(all)).toHaveLength(30);
    expect(started.connections).toBeLessThanOrEqual(3);
  });

  it('are closed when they are idle', async () => {
    const started = await server();
    const agent = agentFor(started.port, { idleTimeoutMs: 20 });
    await get(agent, `https://127.0.0.1:${started.port}/`);
    await started.allClosed();
    expect(started.open).toBe(0);
    expect(await get(agent, `https://127.0.0.1:${started.port}/`)).toBe('2');
    expect(started.connections).toBe(2);
  });

  it('are not closed as idle while an answer is awaited', async () => {
    const keys = await authority.issue({ addresses: ['127.0.0.1'] });
    const started = await startHttpsServer(keys, {
      answer: (_request, response) => {
        setTimeout(() => response.end('late'), 100);
      },
    });
    toClean.push(started.close);
    const agent = agentFor(started.port, { idleTimeoutMs: 20 });
    expect(await get(agent, `https://127.0.0.1:${started.port}/`)).toBe('late');
  });

  it('are closed with the agent', async () => {
    const started = await server();
    const agent = agentFor(started.port);
    await get(agent, `https://127.0.0.1:${started.port}/`);
    agent.destroy();
    await started.allClosed();
    expect(started.open).toBe(0);
  });

  it('are not opened for a request that was aborted while its name was resolved', async () => {
    const started = await server();
    let answer: (() => void) | undefined;
    const resolver: Resolver = (name) =>
      new Promise((resolve) => {
        answer = () => {
          resolve(toLoopback(name));
        };
      });
    const abort = new AbortController();
    const agent = agentFor(started.port, { resolver });
    const aborted = rejection(get(agent, `https://${NAME}:${started.port}/`, { signal: abort.signal }));
    await setImmediate();
    abort.abort();
    expect(await aborted).toMatchObject({ code: 'ABORT_ERR' });
    answer?.();
    expect(await get(agentFor(started.port), `https://${NAME}:${started.port}/`)).toBe('1');
    expect(started.connections).toBe(1);
  });
});

describe('several addresses', () => {
  const grants = [{ cidr: 'fd12:3456:789a::/48', ports: [] as number[] }];
  const unreachableThenLoopback: Resolver = () =>
    Promise.resolve([
      { address: 'fd12:3456:789a::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const policyFor = (port: number): EgressPolicy =>
    devPolicy(
      port,
      grants.map((grant) => ({ ...grant, ports: [port] })),
    );

  it('are tried one after the other until one answers', async () => {
    const { port } = await server();
    const agent = agentFor(port, {
      policy: policyFor(port),
      resolver: unreachableThenLoopback,
      connectTimeoutMs: 8000,
    });
    expect(await get(agent, `https://${NAME}:${port}/`)).toBe('1');
  });

  it('that all fail give one error', async () => {
    const port = await closedPort();
    const agent = agentFor(port, {
      policy: policyFor(port),
      resolver: unreachableThenLoopback,
      connectTimeoutMs: 8000,
    });
    const error = await rejection(get(agent, `https://${NAME}:${port}/`));
    expect(connectionError(error, { host: NAME, port })?.code).toMatch(/^k8s_(unreachable|timeout)$/);
  });
});

describe('faults of a connection are told apart', () => {
  const HOUR = 3_600_000;

  it.each([
    ['has expired', { notBefore: new Date(Date.now() - 2 * HOUR), notAfter: new Date(Date.now() - HOUR) }, 'expired'],
    ['is not valid yet', { notBefore: new Date(Date.now() + HOUR / 2) }, 'not-yet-valid'],
    ['is for another name', { names: ['other.example'], addresses: [] }, 'name-mismatch'],
    ['is for clients', { usage: 'client' as const }, 'unusable'],
  ])('a certificate that %s', async (_case, options, reason) => {
    const { port } = await server(options);
    const error = await rejection(get(agentFor(port), `https://127.0.0.1:${port}/`, SECRET));
    expect(shown(error, '127.0.0.1', port)).toEqual(['k8s_tls_untrusted', reason]);
  });

  it('a certificate of another CA, and of no public CA', async () => {
    const { port } = await server();
    const other = await CertificateAuthority.create();
    for (const tls of [{ ca: other.certificate }, {}]) {
      const error = await rejection(get(agentFor(port, { tls }), `https://127.0.0.1:${port}/`));
      expect(shown(error, '127.0.0.1', port)).toEqual(['k8s_tls_untrusted', 'not-trusted']);
    }
  });

  it('a server that speaks no TLS', async () => {
    const { port } = await tcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const error = await rejection(get(agentFor(port), `https://127.0.0.1:${port}/`, SECRET));
    expect(shown(error, '127.0.0.1', port)).toEqual(['k8s_not_kubernetes', 'no-tls']);
  });

  it('a port on which nothing listens', async () => {
    const port = await closedPort();
    const error = await rejection(get(agentFor(port), `https://127.0.0.1:${port}/`));
    expect(shown(error, '127.0.0.1', port)).toEqual(['k8s_unreachable', 'refused']);
  });

  it('a server that hangs up', async () => {
    const { port } = await tcpServer((socket) => socket.destroy());
    const error = await rejection(get(agentFor(port), `https://127.0.0.1:${port}/`));
    expect(shown(error, '127.0.0.1', port)).toEqual(['k8s_unreachable', 'reset']);
  });

  it('a server that accepts and says nothing', async () => {
    const { port } = await tcpServer();
    const error = await errorOf(get(agentFor(port, { connectTimeoutMs: 100 }), `https://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ code: 'k8s_timeout', details: { phase: 'tls', port } });
  });

  it('a resolver that says nothing', async () => {
    const agent = agentFor(6443, { connectTimeoutMs: 100, resolver: () => new Promise(() => undefined) });
    const error = await errorOf(get(agent, `https://${NAME}:6443/`));
    expect(error).toMatchObject({ code: 'k8s_timeout', details: { phase: 'dns' } });
  });

  it('a name that does not resolve', async () => {
    const cause = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const agent = agentFor(6443, { resolver: () => Promise.reject(cause) });
    expect((await errorOf(get(agent, `https://${NAME}:6443/`))).code).toBe('k8s_dns_failed');
  });

  it('through axios: the refusal is the same object for whoever unwraps it', async () => {
    const port = await closedPort();
    const client = axios.create({ httpsAgent: agentFor(port), proxy: false, maxRedirects: 0 });
    const refused = await rejection(client.get(`https://10.0.0.1:${port}/`));
    expect(connectionError(refused, { host: '10.0.0.1', port })).toBeInstanceOf(EgressRefusedError);
    const unreachable = await rejection(client.get(`https://127.0.0.1:${port}/`));
    expect(shown(unreachable, '127.0.0.1', port)).toEqual(['k8s_unreachable', 'refused']);
  });
});
