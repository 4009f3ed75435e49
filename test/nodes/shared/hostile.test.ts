import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Behaviour,
  endless,
  FaultServer,
  garbage,
  gzip,
  gzipBomb,
  html,
  json,
  resetInBody,
  shortOfContentLength,
  stallInBody,
  text,
} from '../../faults';
import { execute } from '../testing/context';
import { TOKEN } from '../testing/fakeApi';

const LIST = { resource: 'pod', operation: 'getAll', returnAll: true };
const MEBIBYTE = 1024 * 1024;

let server: FaultServer | undefined;
const before = process.env.NAVIN_DEV_API_SERVER;

afterEach(async () => {
  await server?.stop();
  server = undefined;
  if (before === undefined) delete process.env.NAVIN_DEV_API_SERVER;
  else process.env.NAVIN_DEV_API_SERVER = before;
});

async function listFrom(behaviour: Behaviour, signal?: AbortSignal): Promise<Record<string, unknown>> {
  server = await FaultServer.start();
  server.always(behaviour);
  process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${server.port}`;
  const [item, ...more] = await execute({
    parameters: LIST,
    credential: {
      authentication: 'token',
      apiServer: server.url,
      ca: server.ca,
      token: TOKEN,
      namespace: 'shop',
      allowPublicCa: false,
      rightsToCheck: ['read'],
    },
    onError: 'continueRegularOutput',
    ...(signal && { signal }),
  });
  expect(more).toEqual([]);
  const shown = JSON.stringify(item);
  expect(shown).not.toContain(TOKEN);
  expect(shown).not.toContain('TOP-SECRET');
  return item?.json.details as Record<string, unknown>;
}

describe('a list from a server that is broken or hostile ends in an item with its code', () => {
  it.each([
    ['an answer without end', endless(), 'k8s_response_too_large'],
    ['a small answer that unpacks to 200 MiB', gzipBomb(200 * MEBIBYTE), 'k8s_response_too_large'],
    ['a damaged compressed answer', gzip(`{"items":[]}${' '.repeat(5000)}`, { cutTo: 40 }), 'k8s_response_invalid'],
    [
      'JSON that stops in the middle',
      text('{"kind":"PodList","items":[{"TOP-SECRET', 200, 'application/json'),
      'k8s_response_invalid',
    ],
    [
      'a list that is none',
      json({ kind: 'PodList', metadata: { resourceVersion: '1' }, items: 'TOP-SECRET' }),
      'k8s_response_invalid',
    ],
    ['JSON of something else', json(['TOP-SECRET']), 'k8s_response_invalid'],
    ['a page to sign in', html(200, '<!DOCTYPE html><title>TOP-SECRET</title>'), 'k8s_not_kubernetes'],
    ['bytes that are no HTTP', garbage(), 'k8s_not_kubernetes'],
  ])('%s', async (_what, behaviour, code) => {
    expect(await listFrom(behaviour)).toMatchObject({ code });
  });

  it.each([
    ['a connection that is cut in the body', resetInBody('{"kind":"PodList"')],
    ['an answer shorter than promised', shortOfContentLength('{"kind":"PodList"', 1000)],
  ])('%s is tried again before it is given up', async (_what, behaviour) => {
    expect(await listFrom(behaviour)).toMatchObject({ code: 'k8s_unreachable' });
    expect(server?.requests.length).toBeGreaterThan(1);
  });

  it('an answer that stalls ends when the workflow is stopped, and so does its connection', async () => {
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    const listed = listFrom((exchange) => {
      closed = once(exchange.socket, 'close');
      void stallInBody('{"kind":"PodList"')(exchange);
      stop.abort();
    }, stop.signal);
    await expect(listed).rejects.toMatchObject({ message: 'Stopped before the answer came.' });
    await closed;
    expect(server?.openConnections).toBe(0);
  });
});
