import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { OperatorHealth } from '../control';
import { Metrics } from './metrics';
import { operatorPages } from './pages';
import { Probes } from './probes';

let health: OperatorHealth;
let stopping: boolean;
let probes: Probes;
let faults: unknown[];

beforeEach(async () => {
  const queue = { depth: 0, active: 0, delayed: 0, failing: 0, oldestActiveMs: 0 };
  health = { synced: true, leading: true, missing: [], components: [], queue };
  stopping = false;
  faults = [];
  const metrics = new Metrics('1', () => health);
  probes = await Probes.start({
    listen: { address: '127.0.0.1', port: 0 },
    pages: operatorPages({ health: () => health, metrics, isStopping: () => stopping }),
    onFault: (error) => faults.push(error),
  });
});
afterEach(async () => {
  await probes.stop();
});

async function get(path: string, method = 'GET'): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${probes.address.port}${path}`, { method });
  return `${response.status} ${await response.text()}`.trim();
}

/** What the server answers to some bytes, to the end of the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(probes.address.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

describe('readiness', () => {
  it('comes when everything was listed, and goes when the operator ends', async () => {
    health = { ...health, synced: false, missing: ['deployments in shop', 'a\nb'] };
    expect(await get('/readyz')).toBe('503 not listed yet:\ndeployments in shop\na b');
    health = { ...health, missing: Array.from({ length: 60 }, (_, index) => `k${index}`) };
    expect((await get('/readyz')).split('\n').slice(-2)).toEqual(['k49', 'and 10 more']);
    health = { ...health, synced: true };
    expect(await get('/readyz')).toBe('200 ok');
    stopping = true;
    expect(await get('/readyz')).toBe('503 stopping');
  });
});

describe('health', () => {
  it('ends when a component is worked on for more than ten minutes, whatever else goes on', async () => {
    health = { ...health, queue: { ...health.queue, active: 3, oldestActiveMs: 600_000 } };
    expect(await get('/healthz')).toBe('200 ok');
    health = { ...health, queue: { ...health.queue, active: 3, oldestActiveMs: 600_001 } };
    expect(await get('/healthz')).toBe('503 stuck: a component has been worked on for more than ten minutes');
  });
});

describe('the server of probes', () => {
  it('answers reads of its pages, and nothing else', async () => {
    expect(await get('/metrics')).toContain('navin_operator_leading 1');
    expect(await get('/healthz?verbose')).toBe('200 ok');
    expect(await get('/healthz', 'HEAD')).toBe('200');
    expect(await get('/healthz', 'DELETE')).toBe('405 GET and HEAD only');
    for (const path of ['/', '/healthz/', '/toString', '/__proto__', '//healthz', '/metrics/../x']) {
      expect(await get(path)).toBe('404 not found');
    }
    expect(await raw('GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    );
  });

  it('reads no more of a request than it needs', async () => {
    expect(await raw(`GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  });

  it('tells of a page that fails, and goes on', async () => {
    const thrown = new Error('no');
    Object.defineProperty(health, 'queue', {
      get: () => {
        throw thrown;
      },
    });
    expect(await get('/metrics')).toBe('500 failed');
    expect(faults).toEqual([thrown]);
    expect(await get('/readyz')).toBe('200 ok');
  });

  it('stops with connections that are open', async () => {
    const socket = connect(probes.address.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await probes.stop();
    await closed;
    await expect(get('/healthz')).rejects.toThrow('fetch failed');
  });

  it('says when its address is taken', async () => {
    const second = Probes.start({ listen: probes.address, pages: {}, onFault: () => undefined });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
