import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  failure,
  FaultServer,
  garbage,
  hangUp,
  html,
  json,
  overloaded,
  reset,
  resetInBody,
  stall,
  text,
  type Behaviour,
} from '../../test/faults';
import { RESOURCES } from './apiResource';
import { errorOf, faultClient, shown, TEST_TOKEN } from './testing/faultClient';

const CONFIG = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
const down = failure(503, 'ServiceUnavailable', 'down');

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

describe('reads', () => {
  const run = (options: Parameters<typeof faultClient>[1] = {}) => {
    const { client, pauses } = faultClient(server, options);
    return { pauses, answer: client.get(RESOURCES.configmaps, { name: 'a' }) };
  };

  it.each<[string, Behaviour[], number[]]>([
    ['503, with a growing pause', [down, down, down], [125, 250, 500]],
    ['429 as long as it asks', [overloaded('2'), overloaded('1')], [2100, 1050]],
    ['429 with a date', [overloaded('Thu, 01 Jan 2026 00:00:03 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT')], [3150]],
    ['429 without a word', [overloaded(undefined)], [125]],
    ['429 by a Status', [failure(429, 'TooManyRequests', 'x', { retryAfterSeconds: 1 })], [1050]],
    ['a gateway', [html(502), html(504)], [125, 250]],
    ['a reset', [reset()], [125]],
    ['a reset in the body', [resetInBody('{"kind":')], [125]],
    ['a hang-up', [hangUp()], [125]],
    ['500', [failure(500, 'InternalError', 'x')], [125]],
  ])('are repeated after %s', async (_name, faults, expected) => {
    server.next(...faults, json(CONFIG));
    const { answer, pauses } = run();
    expect(await answer).toEqual(CONFIG);
    expect(pauses).toEqual(expected);
  });

  it('are repeated four times at most', async () => {
    server.always(down);
    const { answer, pauses } = run();
    expect((await errorOf(answer)).code).toBe('k8s_server_error');
    expect(pauses).toEqual([125, 250, 500, 1000]);
    expect(server.requests).toHaveLength(5);
  });

  it('say how long the server wants to be left alone', async () => {
    server.always(overloaded('25'));
    const { answer, pauses } = run({ totalTimeoutMs: 20_000 });
    expect(await errorOf(answer)).toMatchObject({ code: 'k8s_throttled', retryAfterSeconds: 25 });
    expect(pauses).toEqual([]);
  });

  it.each<[string, Behaviour]>([
    ['404', failure(404, 'NotFound', 'x', { name: 'a', kind: 'configmaps' })],
    ['403', failure(403, 'Forbidden', 'x')],
    ['401', failure(401, 'Unauthorized', 'x')],
    ['409', failure(409, 'Conflict', 'x')],
    ['410', failure(410, 'Expired', 'x')],
    ['a web page', html()],
    ['broken JSON', text('{', 200, 'application/json')],
  ])('are not repeated after %s', async (_name, fault) => {
    server.always(fault);
    const { answer, pauses } = run();
    await errorOf(answer);
    expect(pauses).toEqual([]);
  });

  it('are repeated after a time limit', async () => {
    server.next(json(CONFIG), stall(), json(CONFIG));
    await run().answer;
    const { answer, pauses } = run({ requestTimeoutMs: 300, totalTimeoutMs: 60_000 });
    expect(await answer).toEqual(CONFIG);
    expect(pauses).toEqual([125]);
  });
});

describe('changes', () => {
  const run = (options: Parameters<typeof faultClient>[1] = {}) => {
    const { client, pauses } = faultClient(server, options);
    return {
      pauses,
      answer: client.create(RESOURCES.configmaps, {}, { metadata: { name: 'a' }, data: { k: 'very-secret' } }),
    };
  };

  it.each<[string, Behaviour, string]>([
    ['a reset', reset(), 'no certain answer came'],
    ['a hang-up', hangUp(), 'no certain answer came'],
    ['a reset in the body', resetInBody('{"kind":', 201), 'its answer broke off'],
    ['an answer that cannot be read', text('{', 201, 'application/json'), 'its answer broke off'],
    ['a gateway that lost the answer', html(502), 'no certain answer came'],
    ['a time limit of the API server', failure(504, 'Timeout', 'request did not complete'), 'no certain answer came'],
    ['a store that does not answer', failure(500, '', 'etcdserver: request timed out'), 'no certain answer came'],
  ])('are never repeated after %s: the outcome is not known', async (_name, fault, words) => {
    server.always(fault);
    const { answer, pauses } = run();
    const error = await errorOf(answer);
    expect(error.code).toBe('k8s_outcome_unknown');
    expect(error.message).toContain('create ConfigMap "a" in namespace "shop"');
    expect(error.message).toContain(words);
    expect(error.hint).toContain('Read the object');
    expect(server.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('are not repeated when the server closed the idle connection: they may have been read', async () => {
    server.next(json(CONFIG), reset());
    const { client } = faultClient(server);
    await client.get(RESOURCES.configmaps, { name: 'a' });
    expect((await errorOf(run().answer)).code).toBe('k8s_outcome_unknown');
  });

  it('have an unknown outcome after their time limit', async () => {
    server.next(json(CONFIG)).always(stall());
    await faultClient(server).client.get(RESOURCES.configmaps, { name: 'a' });
    const error = await errorOf(run({ requestTimeoutMs: 200 }).answer);
    expect(error).toMatchObject({ code: 'k8s_outcome_unknown', details: { cause: 'k8s_timeout' } });
  });

  it('say so when they are stopped on the way', async () => {
    const stop = new AbortController();
    server.always(() => {
      stop.abort();
    });
    const error = await errorOf(run({ signal: stop.signal }).answer);
    expect(error).toMatchObject({ code: 'k8s_aborted', details: { outcome: 'unknown' } });
  });

  it('are repeated when nothing was done: refused with Retry-After', async () => {
    server.next(overloaded('1'), json(CONFIG, 201));
    const { answer, pauses } = run();
    expect(await answer).toEqual(CONFIG);
    expect(pauses).toEqual([1050]);
    await server.reset();
    server.always(overloaded(undefined));
    expect((await errorOf(run().answer)).code).toBe('k8s_throttled');
    expect(server.requests).toHaveLength(1);
  });

  it('are repeated when nothing was sent: nobody listened', async () => {
    const other = await FaultServer.start();
    await other.stop();
    const { client, pauses } = faultClient(other);
    const error = await errorOf(client.delete(RESOURCES.configmaps, { name: 'a' }));
    expect(error).toMatchObject({ code: 'k8s_unreachable', phase: 'connecting' });
    expect(pauses).toHaveLength(4);
  });

  it('tell how to look for an object without a name', async () => {
    server.always(reset());
    const { client } = faultClient(server);
    const error = await errorOf(client.create(RESOURCES.jobs, {}, { metadata: { generateName: 'a-' } }));
    expect(error.hint).toContain('it may exist twice');
  });

  it('are repeated like reads when they are dry runs', async () => {
    server.next(down, json(CONFIG, 201));
    const { client, pauses } = faultClient(server);
    await client.create(RESOURCES.configmaps, {}, {}, { dryRun: true });
    expect(pauses).toEqual([125]);
  });

  it('are refused before they are sent when they are too large', async () => {
    const { client } = faultClient(server);
    const error = await errorOf(client.create(RESOURCES.configmaps, {}, { data: { k: 'x'.repeat(9_000_000) } }));
    expect(error.code).toBe('k8s_parameter_invalid');
    expect(server.requests).toEqual([]);
  });
});

describe('errors', () => {
  it.each([400, 401, 403, 404, 409, 410, 422, 429, 500, 503])(
    '%d shows neither the token nor what was sent',
    async (code) => {
      const leak = `Bearer ${TEST_TOKEN} very-secret`;
      server.always(
        failure(code, 'Some', leak, {
          name: 'a',
          kind: 'configmaps',
          causes: [{ reason: 'X', message: leak, field: 'y' }, { message: leak }],
        }),
      );
      const { client } = faultClient(server, { maxRetries: 0 });
      const body = { metadata: { name: 'a' }, data: { k: 'very-secret' } };
      for (const promise of [
        client.create(RESOURCES.configmaps, {}, body),
        client.get(RESOURCES.configmaps, { name: 'a' }),
      ]) {
        expect(shown(await errorOf(promise))).not.toContain(TEST_TOKEN);
      }
      expect(shown(await errorOf(client.replace(RESOURCES.configmaps, { name: 'a' }, body)))).not.toContain(
        'very-secret',
      );
    },
  );

  it.each<[string, Behaviour]>([
    ['a reset', reset()],
    ['no answer', stall()],
    ['a reset in the body', resetInBody('{')],
    ['no HTTP', garbage()],
  ])('of %s show neither the token nor what was sent, printed with all their causes', async (_name, behaviour) => {
    server.next(json(CONFIG)).always(behaviour);
    const { client } = faultClient(server, { maxRetries: 0, requestTimeoutMs: 400 });
    await client.get(RESOURCES.configmaps, { name: 'a' });
    const body = { metadata: { name: 'a' }, data: { k: 'very-secret' } };
    for (const attempt of [
      () => client.get(RESOURCES.configmaps, { name: 'a' }),
      () => client.create(RESOURCES.configmaps, {}, body),
    ]) {
      const text = shown(await errorOf(attempt()));
      expect(text).not.toContain(TEST_TOKEN);
      expect(text).not.toContain('very-secret');
      expect(text).not.toContain('uthorization');
    }
  });

  it('are not the only thing that may be printed: a client shows no token either', () => {
    const { client } = faultClient(server);
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(TEST_TOKEN);
    expect(JSON.stringify(client)).not.toContain(TEST_TOKEN);
  });

  it('show nothing the server says about Secrets', async () => {
    server.always(
      failure(422, 'Invalid', 'stored-value', {
        causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: "x": stored-value', field: 'data[k]' }],
      }),
    );
    const { client } = faultClient(server);
    const error = await errorOf(client.patch(RESOURCES.secrets, { name: 'a' }, { type: 'merge', body: {} }));
    expect(error.message).toBe(
      'The API server refuses to change Secret "a" in namespace "shop": data[k]: FieldValueInvalid.',
    );
    expect(shown(error)).not.toContain('stored-value');
  });
});
