import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority } from '../../test/certificates';
import {
  endless,
  failure,
  FaultServer,
  garbage,
  gzip,
  gzipBomb,
  hangUp,
  html,
  json,
  pieces,
  redirect,
  reset,
  resetInBody,
  shortOfContentLength,
  stall,
  stallInBody,
  text,
  type Behaviour,
  type FaultServerOptions,
} from '../../test/faults';
import { RESOURCES } from './apiResource';
import { KubeConnectionError } from './errors';
import { errorOf, faultClient, policyFor, shown, targetFor, TEST_TOKEN } from './testing/faultClient';

const NAMESPACE = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'shop' } };
const once = { maxRetries: 0 };

/** Runs with a server of its own. */
async function withServer<T>(options: FaultServerOptions, run: (server: FaultServer) => Promise<T>): Promise<T> {
  const server = await FaultServer.start(options);
  try {
    return await run(server);
  } finally {
    await server.stop();
  }
}

describe('TLS', () => {
  it.each([
    ['expired', 'k8s_tls_untrusted', 'expired'],
    ['not-yet-valid', 'k8s_tls_untrusted', 'not-yet-valid'],
    ['wrong-name', 'k8s_tls_untrusted', 'name-mismatch'],
    ['wrong-usage', 'k8s_tls_untrusted', 'unusable'],
    ['none', 'k8s_unreachable', 'tls-handshake'],
    ['plain', 'k8s_not_kubernetes', 'no-tls'],
  ] as const)('a certificate that is %s', async (certificate, code, reason) => {
    await withServer({ certificate }, async (server) => {
      server.always(json(NAMESPACE));
      const { client, pauses } = faultClient(server);
      const error = await errorOf(client.version());
      expect([error.code, error.details.reason]).toEqual([code, reason]);
      expect(error).toBeInstanceOf(KubeConnectionError);
      expect(pauses).toEqual([]);
      expect(server.requests).toEqual([]);
    });
  });

  // kubernetes-client/javascript#1509, #1827
  it('a certificate of another CA: nothing is sent, not even the token of a change', async () => {
    const other = await CertificateAuthority.create();
    await withServer({}, async (server) => {
      const { client } = faultClient(server, { target: targetFor(server, { ca: other.certificate }) });
      const error = await errorOf(client.create(RESOURCES.configmaps, {}, { metadata: { name: 'a' } }));
      expect([error.code, error.details.reason]).toEqual(['k8s_tls_untrusted', 'not-trusted']);
      expect(error).toMatchObject({ phase: 'connecting' });
      expect(error.hint).toContain("Add the cluster's CA");
      expect(server.requests).toEqual([]);
    });
  });

  it('a server that wants a client certificate and gets none', async () => {
    const clients = await CertificateAuthority.create();
    await withServer({ clientCa: clients.certificate }, async (server) => {
      const error = await errorOf(faultClient(server, once).client.version());
      expect(error.code).toBe('k8s_unauthorized');
    });
  });

  it('an address that is not admitted is not connected to', async () => {
    await withServer({}, async (server) => {
      const { client } = faultClient(server, { egress: { grants: [] } });
      const error = await errorOf(client.version());
      expect(error.code).toBe('k8s_egress_refused');
      expect(server.allConnections).toBe(0);
    });
  });
});

describe('connections', () => {
  it('nobody listens', async () => {
    const server = await FaultServer.start();
    await server.stop();
    const { client, pauses } = faultClient(server);
    const error = await errorOf(client.version());
    expect([error.code, error.details.reason]).toEqual(['k8s_unreachable', 'refused']);
    expect(pauses).toEqual([125, 250, 500, 1000]);
  });

  it('a name that does not resolve', async () => {
    await withServer({}, async (server) => {
      const resolver = () =>
        Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }));
      const { client } = faultClient(server, {
        target: { ...targetFor(server), server: 'https://api.nowhere.example' },
        resolver,
      });
      expect((await errorOf(client.version())).code).toBe('k8s_dns_failed');
    });
  });

  it('an address that does not answer', async () => {
    await withServer({}, async (server) => {
      let giveUp: () => void = () => undefined;
      const lookup = new Promise<never>((_resolve, reject) => {
        giveUp = () => {
          reject(new Error('given up'));
        };
      });
      const { client } = faultClient(server, {
        ...once,
        requestTimeoutMs: 50,
        resolver: () => lookup,
        target: { ...targetFor(server), server: 'https://api.nowhere.example' },
      });
      const error = await errorOf(client.create(RESOURCES.configmaps, {}, { metadata: { name: 'a' } }));
      giveUp();
      // Not one byte was sent: the outcome is certain.
      expect(error).toMatchObject({ code: 'k8s_timeout', phase: 'connecting' });
    });
  });
});

describe('answers', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await FaultServer.start();
  });
  afterEach(async () => {
    await server.reset();
  });
  afterAll(async () => {
    await server.stop();
  });

  const read = (options: Parameters<typeof faultClient>[1] = once) =>
    faultClient(server, options).client.get(RESOURCES.namespaces, { name: 'shop' });

  it('sends what an API server wants', async () => {
    server.always(json(NAMESPACE));
    expect(
      await faultClient(server, {
        userAgent: 'navin-test',
        target: targetFor(server, { path: '/k8s/clusters/c-1' }),
      }).client.get(RESOURCES.namespaces, { name: 'shop' }),
    ).toEqual(NAMESPACE);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'GET', url: '/k8s/clusters/c-1/api/v1/namespaces/shop', body: '' });
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      authorization: `Bearer ${TEST_TOKEN}`,
      'user-agent': 'navin-test',
      connection: 'keep-alive',
    });
  });

  it.each<[string, Behaviour, string]>([
    ['a web page', html(), 'k8s_not_kubernetes'],
    ['a web page with 403', html(403), 'k8s_not_kubernetes'],
    ['a web page that calls itself text', text('<!DOCTYPE html><p>x', 404), 'k8s_not_kubernetes'],
    ['a gateway that has no server', html(502), 'k8s_server_error'],
    ['text', text('ok'), 'k8s_response_invalid'],
    ['text with 404', text('404 page not found\n', 404), 'k8s_not_found'],
    ['text with 403', text('no', 403), 'k8s_forbidden'],
    ['JSON that is cut', text('{"kind":"Namespace","metad', 200, 'application/json'), 'k8s_response_invalid'],
    ['nothing', text('', 200, 'application/json'), 'k8s_response_invalid'],
    ['JSON that is no object of Kubernetes', json({ hello: 'world' }), 'k8s_response_invalid'],
    ['a JSON list', json([1, 2]), 'k8s_response_invalid'],
    ['a redirect', redirect('https://evil.example/'), 'k8s_not_kubernetes'],
    ['a permanent redirect', redirect('/elsewhere', 308), 'k8s_not_kubernetes'],
    ['no HTTP', garbage(), 'k8s_not_kubernetes'],
    ['a reset', reset(), 'k8s_unreachable'],
    ['a hang-up', hangUp(), 'k8s_unreachable'],
    ['a reset before the body', resetInBody(''), 'k8s_unreachable'],
    ['a reset in the body', resetInBody('{"kind":'), 'k8s_unreachable'],
    ['fewer bytes than promised', shortOfContentLength('{"kind":"Namespace"', 100), 'k8s_unreachable'],
    [
      'gzip that is cut',
      gzip(JSON.stringify({ ...NAMESPACE, pad: 'x'.repeat(1000) }), { cutTo: 40 }),
      'k8s_response_invalid',
    ],
    [
      'gzip that is none',
      ({ response }) =>
        void response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('{}'),
      'k8s_response_invalid',
    ],
    [
      'an encoding nobody asked for',
      ({ response }) =>
        void response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'br' }).end('{}'),
      'k8s_response_invalid',
    ],
  ])('%s', async (_name, behaviour, code) => {
    server.always(behaviour);
    const error = await errorOf(read());
    expect(error.code).toBe(code);
    for (const foreign of ['Sign in', 'evil.example', 'elsewhere', 'OpenSSH', 'page not found', 'hello']) {
      expect(shown(error)).not.toContain(foreign);
    }
  });

  it('marks a redirect', async () => {
    server.always(redirect('https://evil.example/'));
    expect((await errorOf(read())).details).toMatchObject({ redirect: true, httpStatus: 302 });
    expect(server.requests).toHaveLength(1);
  });

  it('understands gzip', async () => {
    server.always(gzip(JSON.stringify(NAMESPACE)));
    expect(await read()).toEqual(NAMESPACE);
    expect(await read({ compress: false })).toEqual(NAMESPACE);
    expect(server.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'identity']);
  });

  it('puts characters together that are cut between two pieces', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...NAMESPACE, note: 'äöü€𝄞' }), 'utf8');
    server.always(pieces([...bytes].map((byte) => Buffer.of(byte))));
    expect(await read()).toMatchObject({ note: 'äöü€𝄞' });
  });

  it.each<[string, Behaviour]>([
    ['a large answer', json({ ...NAMESPACE, pad: 'x'.repeat(200_000) })],
    ['an answer without end', endless()],
    ['a gzip bomb', gzipBomb(200 * 1024 * 1024)],
  ])('gives up %s at the limit', async (_name, behaviour) => {
    server.always(behaviour);
    const before = process.memoryUsage().external;
    const error = await errorOf(read({ ...once, maxResponseBytes: 100_000 }));
    expect([error.code, error.details.maxBytes]).toEqual(['k8s_response_too_large', 100_000]);
    expect(process.memoryUsage().external - before).toBeLessThan(50 * 1024 * 1024);
  });

  it.each<[string, Behaviour, Parameters<typeof faultClient>[1]]>([
    ['no answer', stall(), { requestTimeoutMs: 200 }],
    ['an answer that stands still', stallInBody('{"kind":'), { idleTimeoutMs: 50 }],
    [
      'an answer that drips',
      pieces(Array<string>(1000).fill(' '), () => new Promise((resolve) => setTimeout(resolve, 10))),
      { requestTimeoutMs: 200 },
    ],
  ])('gives up %s in time', async (_name, behaviour, options) => {
    server.next(json(NAMESPACE)).always(behaviour);
    // The first makes the connection, so that the limit counts for the answer only.
    await read();
    const error = await errorOf(read({ ...once, ...options }));
    expect(error).toMatchObject({ code: 'k8s_timeout' });
    expect(error).not.toMatchObject({ phase: 'connecting' });
  });

  it('stops with its signal, before, during and between the tries', async () => {
    const stop = new AbortController();
    server.always(({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      stop.abort();
    });
    expect((await errorOf(read({ signal: stop.signal }))).code).toBe('k8s_aborted');
    expect((await errorOf(read({ signal: stop.signal }))).code).toBe('k8s_aborted');
    expect(server.requests).toHaveLength(1);

    await server.reset();
    const pausing = new AbortController();
    server.always(failure(503, 'ServiceUnavailable', 'down'));
    const sleep = () => {
      pausing.abort();
      return Promise.resolve();
    };
    expect((await errorOf(read({ signal: pausing.signal, sleep }))).code).toBe('k8s_aborted');
    expect(server.requests).toHaveLength(1);
  });

  it('stops with the signal of one request, and with the client', async () => {
    const { client } = faultClient(server);
    const stop = new AbortController();
    server.always(() => {
      stop.abort();
    });
    expect((await errorOf(client.get(RESOURCES.namespaces, { name: 'shop' }, { signal: stop.signal }))).code).toBe(
      'k8s_aborted',
    );
    server.always(() => {
      client.close();
    });
    expect((await errorOf(client.version())).code).toBe('k8s_aborted');
    expect((await errorOf(client.version())).code).toBe('k8s_aborted');
  });

  it('keeps its connection, and shares it with the next client of the same target', async () => {
    server.always(json(NAMESPACE));
    await read();
    await read();
    const used = server.requests.map(({ connection }) => connection);
    expect(used[0]).toBe(used[1]);
    await faultClient(server, { credentialId: 'another' }).client.get(RESOURCES.namespaces, { name: 'shop' });
    expect(server.requests[2]?.connection).not.toBe(used[0]);
  });

  it('gives the connection back after an error answer', async () => {
    server.next(failure(404, 'NotFound', 'x', { name: 'shop', kind: 'namespaces' }), json(NAMESPACE));
    await errorOf(read());
    await read();
    expect(server.requests[0]?.connection).toBe(server.requests[1]?.connection);
  });

  it('reads again at once when the server closed the idle connection', async () => {
    const { client, pauses } = faultClient(server, once);
    server.next(json(NAMESPACE), reset(), json(NAMESPACE));
    await client.get(RESOURCES.namespaces, { name: 'shop' });
    expect(await client.get(RESOURCES.namespaces, { name: 'shop' })).toEqual(NAMESPACE);
    expect(pauses).toEqual([]);
    expect(
      server.requests.map(({ connection }) => connection).filter((each, index, list) => list.indexOf(each) === index),
    ).toHaveLength(2);
  });

  // kubernetes-client/javascript#327, #2546
  it('ignores the proxy variables of the environment', async () => {
    server.always(json(NAMESPACE));
    const saved = { ...process.env };
    try {
      for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'HTTP_PROXY'])
        process.env[name] = 'http://127.0.0.1:9';
      expect(await read()).toEqual(NAMESPACE);
    } finally {
      process.env = saved;
    }
  });

  it('works with an agent that is given', async () => {
    const { Agent } = await import('node:https');
    const agent = new Agent({ ca: server.ca, keepAlive: true });
    server.always(json(NAMESPACE));
    expect(await read({ agent, egress: policyFor({ port: 1 }) })).toEqual(NAMESPACE);
    agent.destroy();
  });
});
