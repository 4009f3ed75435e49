import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { failure, FaultServer, html, json, pieces, resetInBody, stallInBody, text } from '../../test/faults';
import { cutAtCharacter } from './logs';
import { errorOf, faultClient } from './testing/faultClient';

const REF = { namespace: 'shop', name: 'web' };
const POD = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'app' }, { name: 'sidecar' }], initContainers: [{ name: 'setup' }] },
};
const choose = failure(
  400,
  'BadRequest',
  'a container name must be specified for pod web, choose one of: [app sidecar]',
);

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

function client(options: Parameters<typeof faultClient>[1] = { maxRetries: 0 }) {
  return faultClient(server, options).client;
}

describe('logs', () => {
  it('asks for the part that is wanted', async () => {
    server.always(text('a\nb\n'));
    const log = await client().logs(REF, {
      container: 'app',
      previous: true,
      sinceSeconds: 60,
      tailLines: 2,
      timestamps: true,
      limitBytes: 100,
    });
    expect(log).toEqual({ text: 'a\nb\n', truncated: false });
    expect(server.requests[0]?.url).toBe(
      '/api/v1/namespaces/shop/pods/web/log?container=app&previous=true&sinceSeconds=60&tailLines=2&timestamps=true&limitBytes=101',
    );
  });

  it('keeps the limit, and never cuts a character', async () => {
    server.always(text('aä𝄞b'.repeat(1000)));
    expect(await client().logs(REF, { limitBytes: 2 })).toEqual({ text: 'a', truncated: true });
    expect(await client().logs(REF, { limitBytes: 3 })).toEqual({ text: 'aä', truncated: true });
    expect(await client().logs(REF, { limitBytes: 6 })).toEqual({ text: 'aä', truncated: true });
    expect(await client().logs(REF, { limitBytes: 8000 })).toEqual({ text: 'aä𝄞b'.repeat(1000), truncated: false });
  });

  it('puts characters together that are cut between two pieces', async () => {
    server.always(
      pieces(
        [...Buffer.from('ä€𝄞\n', 'utf8')].map((byte) => Buffer.of(byte)),
        undefined,
        'text/plain',
      ),
    );
    expect((await client().logs(REF)).text).toBe('ä€𝄞\n');
  });

  it('gives the bytes as they were written, text or not, up to 64 MiB', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x00, 0xc3, 0x0a]);
    server.always(pieces([bytes.subarray(0, 2), bytes.subarray(2)], undefined, 'text/plain'));
    const log = await client().logBytes(REF, { limitBytes: 64 * 1024 * 1024 });
    expect([log.bytes, log.truncated]).toEqual([bytes, false]);
    const tooMuch = client().logBytes(REF, { limitBytes: 64 * 1024 * 1024 + 1 });
    expect((await errorOf(tooMuch)).code).toBe('k8s_parameter_invalid');
  });

  it('reads a log anew that broke off, and no line of it twice', async () => {
    const broken = resetInBody('a\n', 200, 'text/plain');
    server.next(broken, broken, text('a\nb\n'));
    expect((await client({ maxRetries: 2 }).logs(REF)).text).toBe('a\nb\n');
    server.always(broken);
    expect((await errorOf(client({ maxRetries: 2 }).logs(REF))).code).toBe('k8s_unreachable');
    expect(server.requests).toHaveLength(6);
  });

  it('gives a log that holds HTML or JSON as it is', async () => {
    server.always(text('<!DOCTYPE html>\n{"kind":"Status"}\n'));
    expect((await client().logs(REF)).text).toBe('<!DOCTYPE html>\n{"kind":"Status"}\n');
  });

  it('takes the default container of the Pod when the API server cannot choose', async () => {
    const annotations = { 'kubectl.kubernetes.io/default-container': 'sidecar' };
    server.next(choose, json({ ...POD, metadata: { ...POD.metadata, annotations } }), text('from sidecar\n'));
    expect((await client().logs(REF, { tailLines: 1 })).text).toBe('from sidecar\n');
    expect(server.requests.map(({ url }) => url.split('/web')[1])).toEqual([
      '/log?tailLines=1&limitBytes=16777217',
      '',
      '/log?tailLines=1&container=sidecar&limitBytes=16777217',
    ]);
  });

  it('names the containers when none is the default, also when the Pod may not be read', async () => {
    server.next(choose, json(POD));
    expect((await errorOf(client().logs(REF))).hint).toBe('Its containers are "app", "sidecar", "setup".');
    server.next(choose, failure(403, 'Forbidden', 'no'));
    expect(await errorOf(client().logs(REF))).toMatchObject({
      code: 'k8s_parameter_invalid',
      hint: 'Its containers are "app", "sidecar".',
    });
    server.next(failure(400, 'BadRequest', 'container ap is not valid for pod web'), json(POD));
    expect(await errorOf(client().logs(REF, { container: 'ap' }))).toMatchObject({
      message: 'Pod "web" in namespace "shop" has no container "ap".',
      hint: 'Its containers are "app", "sidecar", "setup".',
    });
  });

  it.each([
    [
      'that has not started',
      failure(400, 'BadRequest', 'container "app" in pod "web" is waiting to start: ContainerCreating'),
      'waiting',
    ],
    [
      'that is on no node',
      ({ response }: { response: { writeHead: (status: number) => { end: () => void } } }) => {
        response.writeHead(204).end();
      },
      'waiting',
    ],
    [
      'without a run before',
      failure(400, 'BadRequest', 'previous terminated container "app" in pod "web" not found'),
      'no-previous',
    ],
  ])('says why there is no log of a container %s', async (_name, behaviour, log) => {
    server.always(behaviour);
    const error = await errorOf(client().logs(REF));
    expect([error.code, error.details.log]).toEqual(['k8s_not_found', log]);
  });

  it.each([
    ['that breaks off', resetInBody('some\n', 200, 'text/plain'), 'k8s_unreachable'],
    ['that stands still', stallInBody('some\n', 'text/plain'), 'k8s_timeout'],
    ['that is a web page', html(), 'k8s_not_kubernetes'],
    ['that is JSON', json({}), 'k8s_response_invalid'],
  ])('does not take a log %s for the whole', async (_name, behaviour, code) => {
    server.always(behaviour);
    expect((await errorOf(client({ maxRetries: 0, idleTimeoutMs: 100 }).logs(REF))).code).toBe(code);
  });

  it.each([
    { sinceSeconds: 0 },
    { sinceSeconds: 1.5 },
    { tailLines: -1 },
    { limitBytes: 0 },
    { limitBytes: 100_000_000 },
    { sinceTime: 'yesterday' },
    { sinceTime: '2026-13-01T00:00:00Z' },
    { sinceTime: '2026-01-01T00:00:00Z', sinceSeconds: 5 },
  ])('refuses %j', async (options) => {
    expect((await errorOf(client().logs(REF, options))).code).toBe('k8s_parameter_invalid');
    expect(server.requests).toEqual([]);
  });
});

describe('cutAtCharacter', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['abc', 9, 'abc'],
    ['ä', 1, ''],
    ['€', 2, ''],
    ['𝄞x', 3, ''],
    ['𝄞x', 4, '𝄞'],
    ['', 0, ''],
  ])('%s at %d', (value, length, expected) => {
    expect(cutAtCharacter(Buffer.from(value, 'utf8'), length).toString('utf8')).toBe(expected);
  });
});
