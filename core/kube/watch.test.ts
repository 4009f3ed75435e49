import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  failure,
  FaultServer,
  html,
  json,
  pieces,
  resetInBody,
  stallInBody,
  text,
  watchEvents,
  type Behaviour,
} from '../../test/faults';
import { RESOURCES } from './apiResource';
import { all, errorOf, faultClient } from './testing/faultClient';
import { watchRequest, type WatchEvent, type WatchOptions } from './watch';

function event(type: string, version: number, more: object = {}) {
  return {
    type,
    object: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web', resourceVersion: String(version) }, ...more },
  };
}

const EXPIRED = {
  kind: 'Status',
  status: 'Failure',
  message: 'too old resource version: 5 (100)',
  reason: 'Expired',
  code: 410,
};

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

function watch(options: Partial<WatchOptions> = {}, clientOptions: Parameters<typeof faultClient>[1] = {}) {
  return faultClient(server, clientOptions).client.watch(RESOURCES.pods, {
    namespace: 'shop',
    resourceVersion: '5',
    timeoutSeconds: 3,
    ...options,
  });
}

/** What came before the error, and the error. */
async function untilError(events: AsyncGenerator<WatchEvent>) {
  const got: string[] = [];
  const error = await errorOf(
    (async () => {
      for await (const { type, object } of events) got.push(`${type} ${object.metadata.resourceVersion ?? ''}`);
    })(),
  );
  return { got, error };
}

describe('a window', () => {
  it('asks as an API server wants it', async () => {
    server.always(watchEvents());
    expect(await all(watch({ labelSelector: 'app=web' }))).toEqual([]);
    expect(server.requests[0]?.url).toBe(
      '/api/v1/namespaces/shop/pods?watch=1&resourceVersion=5&timeoutSeconds=3&allowWatchBookmarks=true&labelSelector=app%3Dweb',
    );
  });

  it('gives all events in order, bookmarks too', async () => {
    const events = [event('ADDED', 6), event('MODIFIED', 7), event('DELETED', 8), event('BOOKMARK', 9)];
    server.always(watchEvents(...events));
    expect(await all(watch())).toEqual(events);
  });

  it('puts events together from any pieces, with line separators of Unicode inside', async () => {
    const events = [event('ADDED', 6, { note: 'a\u2028b\u0085c ü 𝄞\r' }), event('MODIFIED', 7)];
    const bytes = Buffer.from(events.map((each) => `${JSON.stringify(each)}\n`).join(''), 'utf8');
    server.always(pieces([...bytes].map((byte) => Buffer.of(byte))));
    expect(await all(watch())).toEqual(events);
  });

  it('hands an event over when it comes, not when the window ends', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let part = 0;
    server.always(
      pieces([`${JSON.stringify(event('ADDED', 6))}\n`, `${JSON.stringify(event('ADDED', 7))}\n`], () =>
        part++ === 0 ? Promise.resolve() : gate,
      ),
    );
    const events = watch();
    expect((await events.next()).value?.object.metadata.resourceVersion).toBe('6');
    go();
    expect((await events.next()).value?.object.metadata.resourceVersion).toBe('7');
    expect((await events.next()).done).toBe(true);
  });

  it('ends between two events after so many bytes: the next window goes on from there', async () => {
    server.always(pieces([`${JSON.stringify(event('ADDED', 6))}\n`, `${JSON.stringify(event('ADDED', 7))}\n`]));
    const events = await all(watch({ maxBytes: 10 }));
    expect(events.length).toBeGreaterThan(0);
    expect(events[0]?.object.metadata.resourceVersion).toBe('6');
  });

  it('gives the connection up when the loop is left', async () => {
    server.always(stallInBody(`${JSON.stringify(event('ADDED', 6))}\n`));
    for await (const first of watch()) {
      expect(first.type).toBe('ADDED');
      break;
    }
    await server.closeConnections();
    expect(server.openConnections).toBe(0);
  });
});

it('many open windows do not keep a request waiting', async () => {
  server.always(stallInBody(`${JSON.stringify(event('ADDED', 6))}\n`));
  const { client } = faultClient(server, { requestTimeoutMs: 20_000 });
  const open = Array.from({ length: 40 }, () =>
    client.watch(RESOURCES.pods, { namespace: 'shop', resourceVersion: '5', timeoutSeconds: 60 }),
  );
  await Promise.all(open.map((events) => events.next()));
  server.always(json({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web' } }));
  expect((await client.get(RESOURCES.pods, { name: 'web' })).metadata.name).toBe('web');
  await Promise.all(open.map((events) => events.return()));
}, 30_000);

describe('a window fails', () => {
  const whole = `${JSON.stringify(event('ADDED', 6))}\n`;
  it.each<[string, Behaviour, string, string | undefined]>([
    [
      'when a line is no JSON',
      text(`${whole}{"type":"MODIF\n${whole}`, 200, 'application/json'),
      'k8s_response_invalid',
      'broken',
    ],
    ['when a line is empty', text(`${whole}\n${whole}`, 200, 'application/json'), 'k8s_response_invalid', 'broken'],
    [
      'when a line is no event',
      text(`${whole}{"kind":"Pod"}\n`, 200, 'application/json'),
      'k8s_response_invalid',
      'broken',
    ],
    [
      'when an event has an unknown type',
      watchEvents(event('ADDED', 6), event('SYNCED', 7)),
      'k8s_response_invalid',
      'broken',
    ],
    [
      'when an event has no object',
      watchEvents(event('ADDED', 6), { type: 'ADDED' }),
      'k8s_response_invalid',
      'broken',
    ],
    [
      'when the last line is cut',
      text(`${whole}{"type":"MODIFIED","obj`, 200, 'application/json'),
      'k8s_response_invalid',
      'cut',
    ],
    [
      'when a line is too long',
      watchEvents(event('ADDED', 6), event('ADDED', 7, { pad: 'x'.repeat(5000) })),
      'k8s_response_invalid',
      'too-long',
    ],
    [
      'when a line never ends',
      pieces([whole, ...Array<string>(10).fill('x'.repeat(1000))]),
      'k8s_response_invalid',
      'too-long',
    ],
    ['when the connection is reset', resetInBody(whole), 'k8s_unreachable', 'reset'],
    [
      'when an ERROR comes',
      watchEvents(event('ADDED', 6), { type: 'ERROR', object: EXPIRED }),
      'k8s_expired',
      undefined,
    ],
    [
      'when an ERROR without a Status comes',
      watchEvents(event('ADDED', 6), { type: 'ERROR', object: 7 }),
      'k8s_server_error',
      undefined,
    ],
  ])('%s, after what came whole', async (_name, behaviour, code, reason) => {
    server.always(behaviour);
    const { got, error } = await untilError(watch({ maxLineBytes: 4000 }));
    expect(got).toEqual(['ADDED 6']);
    expect([error.code, error.details.reason]).toEqual([code, reason]);
  });

  it('when nothing comes any more and it does not end', async () => {
    server.always(stallInBody(whole));
    const { got, error } = await untilError(watch({ stallTimeoutMs: 100 }));
    expect([got, error.code]).toEqual([['ADDED 6'], 'k8s_timeout']);
  });

  it('with 410 by status as by event', async () => {
    server
      .next(failure(410, 'Gone', 'gone'))
      .next(watchEvents({ type: 'ERROR', object: { ...EXPIRED, reason: 'Gone' } }));
    for (let run = 0; run < 2; run += 1) {
      expect((await untilError(watch())).error).toMatchObject({ code: 'k8s_expired', httpStatus: 410 });
    }
  });

  it('when the server is no Kubernetes', async () => {
    server.always(html());
    expect((await untilError(watch())).error.code).toBe('k8s_not_kubernetes');
  });

  it('when it is stopped', async () => {
    const stop = new AbortController();
    server.always(stallInBody(whole));
    const events = watch({ signal: stop.signal });
    await events.next();
    stop.abort();
    expect((await errorOf(events.next())).code).toBe('k8s_aborted');
  });

  it('is opened again after 503, like a read', async () => {
    server.next(failure(503, 'ServiceUnavailable', 'x'), watchEvents(event('ADDED', 6)));
    expect(await all(watch())).toHaveLength(1);
  });

  it.each([
    { resourceVersion: '' },
    { resourceVersion: '0' },
    { resourceVersion: 'a b' },
    { timeoutSeconds: 0 },
    { timeoutSeconds: 9999 },
  ])('is refused with %j', (options) => {
    expect(() => watchRequest(RESOURCES.pods, { resourceVersion: '5', timeoutSeconds: 3, ...options })).toThrow(
      expect.objectContaining({ code: 'k8s_parameter_invalid' }),
    );
  });
});

it('watches all namespaces, and metadata only', () => {
  const request = watchRequest(RESOURCES.pods, {
    namespace: '*',
    resourceVersion: '5',
    timeoutSeconds: 3,
    metadataOnly: true,
    allowWatchBookmarks: false,
  });
  expect(request.path).toBe('/api/v1/pods');
  expect(request.accept).toContain('as=PartialObjectMetadata;');
  expect(request.query?.get('allowWatchBookmarks')).toBe('false');
});

it('does not mistake an ordinary answer for a window', async () => {
  server.always(json({ kind: 'PodList', items: [] }));
  expect((await untilError(watch())).error.details.reason).toBe('cut');
});
