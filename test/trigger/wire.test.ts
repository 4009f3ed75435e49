import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RESOURCES } from '../../core/kube';
import { faultClient } from '../../core/kube/testing/faultClient';
import {
  checkSettings,
  kubeClusterPort,
  systemClock,
  TriggerEngine,
  TriggerRegistry,
  type Clock,
  type Fault,
  type HandoverPort,
  type Note,
  type TriggerEvent,
} from '../../core/trigger';
import { failure, FaultServer, hangUp, html, json, overloaded, reset, resetInBody, stallInBody, text } from '../faults';
import type { Behaviour } from '../faults';
import { ConfigMapServer } from './configMapServer';

/** Time goes by so much faster for the trigger. An answer that takes longer than 20 s of it is given up. */
const HURRY = 100;
const UNHURRIED = 6;

function hurriedClock(hurry: number): Clock {
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() * hurry,
    sleep: (ms, signal) => systemClock.sleep(ms / hurry, signal),
  };
}

const settings = checkSettings({
  resource: RESOURCES.configmaps,
  namespaces: [],
  watch: { kind: 'changes', types: ['added', 'modified', 'deleted'], modifiedWhen: 'any' },
});

const EXPIRED = {
  kind: 'Status',
  status: 'Failure',
  message: 'too old resource version: 11 (12)',
  reason: 'Expired',
  code: 410,
};
const expiredAnswer = failure(410, 'Expired', 'too old resource version: 11 (12)');
const tooLarge = failure(504, 'Timeout', 'Timeout: Too large resource version: 99, current: 12', {
  causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  retryAfterSeconds: 1,
});

function lines(body: string): Behaviour {
  return text(body, 200, 'application/json');
}

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

/** Two objects are created while the trigger goes on by answers that are prepared. Shown is what it told. */
async function live(prepare: (api: ConfigMapServer) => void, hurry = HURRY) {
  const api = new ConfigMapServer();
  server.always(api.behaviour);
  const { client } = faultClient(server);
  const told: TriggerEvent[] = [];
  const notes: Note[] = [];
  const faults: Fault[] = [];
  const handover: HandoverPort = {
    keyed: true,
    keep: () => undefined,
    emit: (_, events) => {
      told.push(...events);
      return Promise.resolve('created');
    },
  };
  api.model.create('shop', 'a');
  const engine = new TriggerEngine({
    owner: { workflowId: 'workflow', nodeId: 'node' },
    settings,
    cluster: kubeClusterPort(client, settings),
    handover,
    stored: undefined,
    intervalMs: 15_000,
    windowSeconds: 1,
    clock: hurriedClock(hurry),
    random: () => 0.5,
    registry: new TriggerRegistry(),
    onNote: (note) => notes.push(note),
    onFault: (fault) => faults.push(fault),
  });
  await engine.start();
  api.model.create('shop', 'a');
  api.model.create('shop', 'a');
  prepare(api);
  // Two windows more than are needed: what is told twice is told by then.
  const done = (): boolean => told.length >= 2 && api.windows.length === 0 && api.pages.length === 0;
  let enough = Number.POSITIVE_INFINITY;
  while (api.wellAnswered < enough) {
    await systemClock.sleep(10);
    if (enough === Number.POSITIVE_INFINITY && done()) enough = api.wellAnswered + 2;
  }
  await engine.stop();
  client.close();
  return {
    told: told.map(({ identity, gap, partial }) =>
      [identity, ...(gap ? ['GAP'] : []), ...(partial ? ['PARTIAL'] : [])].join(' '),
    ),
    gaps: notes.flatMap((note) => (note.kind === 'gap' ? [note.cause] : [])),
    messages: notes.map(({ message }) => message),
    faults,
  };
}

const second = 'cluster-1-object-2@12';
const third = 'cluster-1-object-3@13';

describe('both events are told, once and in order, though the watch', () => {
  it.each<[string, (first: string, next: string) => readonly Behaviour[]]>([
    ['is reset in the middle of a line', (first, next) => [resetInBody(first + next.slice(0, 40))]],
    ['ends in the middle of a line', (first, next) => [lines(first + next.slice(0, 40))]],
    ['stalls after an event', (first) => [stallInBody(first)]],
    ['stalls in the middle of a line', (first, next) => [stallInBody(first + next.slice(0, 40))]],
    ['sends every line twice', (first, next) => [lines(first + first + next + next), lines(first + next)]],
    ['sends a line that is no JSON', (first) => [lines(`${first}<html>\n`)]],
    ['sends JSON that is no event', (first) => [lines(`${first}{"type":"ADDED"}\n`)]],
    ['sends a bookmark only', () => [lines('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"11"}}}\n')]],
    ['is answered by a web page', () => [html(), html(502)]],
    ['is answered by nothing at all', () => [hangUp(), reset(), hangUp(), reset()]],
    ['is too much for the server', () => [overloaded('1'), failure(503, 'ServiceUnavailable', 'later')]],
    ['is refused for a while', () => [failure(403, 'Forbidden', 'no'), failure(401, 'Unauthorized', 'no')]],
    ['is ahead of a server that lags behind', () => [tooLarge, tooLarge]],
  ])('%s', async (_, windows) => {
    const { told, gaps } = await live((api) => {
      const [first = '', next = ''] = api.lines(11);
      api.windows.push(...windows(first, next));
    });
    expect([told, gaps]).toEqual([[second, third], []]);
  });
});

describe('a gap is told where the history is gone', () => {
  const event = (first: string): string => `${first}${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`;
  it.each<[string, (first: string) => Behaviour, readonly string[]]>([
    ['by 410 as an answer', () => expiredAnswer, [`${second} GAP`, `${third} GAP`]],
    ['by 410 as an event', () => lines(event('')), [`${second} GAP`, `${third} GAP`]],
    ['by 410 as an event after another', (first) => lines(event(first)), [second, `${third} GAP`]],
  ])('%s', async (_, window, events) => {
    const { told, gaps } = await live((api) => {
      api.windows.push(window(api.lines(11)[0] ?? ''));
    });
    expect([told, gaps]).toEqual([events, ['expired']]);
  });

  it('also where an event is larger than can be read: it is stepped over by its metadata', async () => {
    const { told, gaps } = await live((api) => {
      const [first = ''] = api.lines(11);
      const huge = lines(first.replace('"status"', `"data":{"x":"${'x'.repeat(8 * 1024 * 1024)}"},"status"`));
      api.windows.push(huge, huge);
    }, UNHURRIED);
    expect([told, gaps]).toEqual([[`${second} GAP PARTIAL`, `${third} GAP PARTIAL`], ['oversize']]);
  });
});

describe('the list after a gap', () => {
  const both = [`${second} GAP`, `${third} GAP`];
  const listFault = (...pages: readonly (Behaviour | undefined)[]) =>
    live((api) => {
      api.pageSize = 1;
      api.windows.push(expiredAnswer);
      for (const page of pages) api.pages.push(page ?? api.page);
    });

  it('goes on by the token it is given when the one it had has expired, and says so', async () => {
    // The first page is of a list that does not end there.
    const { told, gaps, messages } = await listFault(undefined, json({ ...EXPIRED, metadata: { continue: '1' } }, 410));
    expect([told, gaps]).toEqual([both, ['expired']]);
    expect(messages.join(' ')).toContain('not of one moment');
  });

  it('begins again when there is no such token, and tells nothing twice', async () => {
    const { told, gaps } = await listFault(undefined, undefined, expiredAnswer);
    expect([told, gaps]).toEqual([both, ['expired', 'expired']]);
  });

  it.each<[string, Behaviour]>([
    ['is answered by a web page', html()],
    ['is cut', resetInBody('{"kind":"ConfigMapList","items":[{"meta')],
    ['is no list', json({ kind: 'ConfigMap' })],
    ['has no version', json({ kind: 'ConfigMapList', metadata: {}, items: [] })],
  ])('is made again when it %s', async (_, page) => {
    const { told, gaps } = await listFault(page);
    expect([told, gaps]).toEqual([both, ['expired']]);
  });
});

describe('a cursor from the future', () => {
  it('is noticed although its watch is silent', async () => {
    const { told, gaps } = await live(({ model }) => {
      // Set back to before the first object, then other things happened.
      model.restore({ version: 5, objects: new Map() });
      model.create('shop', 'a');
      model.create('shop', 'a');
    });
    expect(told).toEqual(['cluster-1-object-4@6 GAP', 'cluster-1-object-5@7 GAP', 'cluster-1-object-1:gone GAP']);
    expect(gaps).toEqual(['restored']);
  });
});
