import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { deferred } from '../../test/cluster/deferred';
import { failure, FaultServer } from '../../test/faults';
import type { FollowOptions } from './followLog';
import { FakeKubelet } from './testing/fakeKubelet';
import { all, errorOf, faultClient } from './testing/faultClient';

const REF = { namespace: 'shop', name: 'web' };
const ENDED = { terminated: { exitCode: 0 } };

let server: FaultServer;
let kubelet: FakeKubelet;
beforeAll(async () => {
  server = await FaultServer.start();
});
beforeEach(() => {
  kubelet = new FakeKubelet();
  server.always(kubelet.behaviour);
});
afterEach(async () => {
  await server.reset();
});
afterAll(async () => {
  await server.stop();
});

/** Pauses take no time; only a silence does, until something comes. */
function patient(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds < 10_000) return Promise.resolve();
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** As {@link patient}, and does something in each pause. */
function pausing(act: () => void): (milliseconds: number, signal?: AbortSignal) => Promise<void> {
  return (milliseconds, signal) => {
    if (milliseconds < 10_000) act();
    return patient(milliseconds, signal);
  };
}

function follow(options: FollowOptions = {}, clientOptions: Parameters<typeof faultClient>[1] = {}) {
  return faultClient(server, { sleep: patient, ...clientOptions }).client.followLogs(REF, options);
}

describe('followLogs', () => {
  it('reads the log of a container that has ended, without timestamps', async () => {
    kubelet.write('one', 'zwei ü', '');
    kubelet.state = ENDED;
    expect(await all(follow())).toEqual(['one', 'zwei ü', '']);
    expect(kubelet.calls.map(({ query }) => query.toString())).toEqual(['container=app&timestamps=true']);
  });

  it('keeps the timestamps when they are asked for', async () => {
    kubelet.write('one');
    kubelet.state = ENDED;
    expect(await all(follow({ timestamps: true }))).toEqual(['2026-01-01T00:00:00.100Z one']);
  });

  it('follows until the container ends, and reads what came last', async () => {
    kubelet.write('one');
    kubelet.onCaughtUp = () => {
      kubelet.write('two');
      kubelet.state = ENDED;
      kubelet.write('three');
    };
    expect(await all(follow())).toEqual(['one', 'two', 'three']);
    const [first, last] = kubelet.calls;
    expect(first?.query.get('follow')).toBe('true');
    expect(last?.query.toString()).toBe('container=app&timestamps=true&sinceTime=2025-12-31T23%3A59%3A59.000Z');
  });

  // kubernetes#28369, #115701, #126564; kubectl#601
  it('goes on when the log ends though the container runs (rotation, a restarted kubelet)', async () => {
    kubelet.write('one');
    kubelet.onCaughtUp = (call) => {
      kubelet.write(`after ${call}`);
      if (call === 3) kubelet.state = ENDED;
    };
    expect(await all(follow())).toEqual(['one', 'after 1', 'after 2', 'after 3']);
  });

  // rundeck-plugins/kubernetes#77, #128
  it('loses no line and repeats none, however often the connection breaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 30 }),
        async (breaks, count) => {
          await server.closeConnections();
          kubelet = new FakeKubelet();
          server.always(kubelet.behaviour);
          const texts = Array.from({ length: count }, (_, index) => `line ${index}`);
          kubelet.write(...texts);
          kubelet.breaks = [...breaks];
          kubelet.onCaughtUp = () => {
            kubelet.state = ENDED;
          };
          // Four breaks at most, and each may come before any progress.
          expect(await all(follow({}, { maxRetries: 5 }))).toEqual(texts);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('gives up when nothing but breaks comes', async () => {
    kubelet.write('one');
    kubelet.breaks = Array<number>(100).fill(0);
    expect((await errorOf(all(follow({}, { maxRetries: 2 })))).code).toBe('k8s_unreachable');
    expect(kubelet.calls).toHaveLength(3);
  });

  it('goes on with the last lines only once, and with no older ones', async () => {
    kubelet.write('old 1', 'old 2', 'tail 1', 'tail 2');
    kubelet.breaks = [1];
    kubelet.onCaughtUp = () => {
      kubelet.write('new');
      kubelet.state = ENDED;
    };
    expect(await all(follow({ tailLines: 2 }))).toEqual(['tail 1', 'tail 2', 'new']);
  });

  it('does not forget what comes after an empty beginning', async () => {
    kubelet.write('old');
    kubelet.onCaughtUp = (call) => {
      if (call === 2) kubelet.state = ENDED;
    };
    kubelet.breaks = [];
    const lines = all(follow({ tailLines: 0 }));
    expect(await lines).toEqual(['old']);
    expect(kubelet.calls[1]?.query.has('tailLines')).toBe(false);
    expect(kubelet.calls[1]?.query.get('sinceSeconds')).toBe('2');
  });

  it('widens a time in seconds by the time that has passed', async () => {
    kubelet.lines = [];
    kubelet.onCaughtUp = (call) => {
      if (call === 2) kubelet.state = ENDED;
    };
    expect(await all(follow({ sinceSeconds: 60 }))).toEqual([]);
    expect(kubelet.calls.map(({ query }) => query.get('sinceSeconds'))).toEqual(['60', '62', '62']);
  });

  it('waits for a container that has not started', async () => {
    kubelet.write('one');
    kubelet.state = { waiting: { reason: 'ContainerCreating' } };
    let polls = 0;
    const sleep = pausing(() => {
      polls += 1;
      if (polls === 3) kubelet.state = ENDED;
    });
    expect(await all(follow({}, { sleep }))).toEqual(['one']);
    expect(polls).toBe(3);
  });

  it('waits for its node, which may know less than the API server', async () => {
    kubelet.write('one');
    let asked = 0;
    server.always((exchange) => {
      if (!exchange.request.url.includes('/log') || ++asked > 2) return kubelet.behaviour(exchange);
      return failure(400, 'BadRequest', 'container "app" in pod "web" is waiting to start: PodInitializing')(exchange);
    });
    kubelet.onCaughtUp = () => {
      kubelet.state = ENDED;
    };
    expect(await all(follow({}, { maxRetries: 0 }))).toEqual(['one']);
  });

  it('does not wait for ever', async () => {
    kubelet.state = { waiting: { reason: 'ImagePullBackOff' } };
    const error = await errorOf(all(follow({ startTimeoutMs: 0 })));
    expect(error).toMatchObject({
      code: 'k8s_timeout',
      details: { waitingReason: 'ImagePullBackOff', container: 'app' },
    });
    expect(error.message).toBe('The container "app" of Pod "web" did not start within 0 s (ImagePullBackOff).');
  });

  it('notices in a silence that the container has ended, though the log is kept open', async () => {
    kubelet.write('one');
    kubelet.onCaughtUp = () => {
      kubelet.state = ENDED;
      kubelet.write('two');
      return new Promise(() => undefined);
    };
    // Here a silence takes no time.
    expect(await all(follow({}, { sleep: () => Promise.resolve() }))).toEqual(['one', 'two']);
  });

  it('reads the end of a run whose container has restarted meanwhile', async () => {
    kubelet.write('run 0 a', 'run 0 b', 'run 0 c');
    kubelet.breaks = [2];
    const sleep = pausing(() => {
      if (kubelet.restarts === 0) {
        kubelet.restarts = 1;
        kubelet.previousLines = kubelet.lines;
        kubelet.lines = [{ at: Date.UTC(2026, 0, 1, 1), text: 'run 1' }];
      }
    });
    expect(await all(follow({}, { sleep }))).toEqual(['run 0 a', 'run 0 b', 'run 0 c']);
    expect(kubelet.calls.at(-1)?.query.get('previous')).toBe('true');
  });

  it('says when the end of a run can no longer be read', async () => {
    kubelet.write('a', 'b');
    kubelet.breaks = [1];
    const sleep = pausing(() => {
      kubelet.restarts = 5;
    });
    expect(await errorOf(all(follow({}, { sleep })))).toMatchObject({
      code: 'k8s_not_found',
      details: { log: 'gone' },
    });
  });

  it('ends with a Pod that is deleted after its log was read, and says so when it was not', async () => {
    kubelet.write('a');
    kubelet.onCaughtUp = () => {
      kubelet.podStatus = 404;
    };
    expect(await all(follow())).toEqual(['a']);

    kubelet.podStatus = 200;
    kubelet.write('b');
    kubelet.breaks = [1];
    const sleep = pausing(() => {
      kubelet.podStatus = 404;
    });
    const error = await errorOf(all(follow({}, { sleep })));
    expect(error.message).toBe(
      'Pod "web" was deleted before the end of the log was read: its last lines may be missing.',
    );
  });

  it('takes another Pod of the same name for another one, as a StatefulSet makes it', async () => {
    kubelet.write('a', 'b');
    kubelet.breaks = [1];
    const sleep = pausing(() => {
      kubelet.uid = 'pod-2';
      kubelet.lines = [{ at: Date.UTC(2026, 0, 2), text: 'of another Pod' }];
    });
    const lines: string[] = [];
    const reading = (async () => {
      for await (const line of follow({}, { sleep })) lines.push(line);
    })();
    expect(await errorOf(reading)).toMatchObject({ code: 'k8s_not_found', details: { log: 'gone' } });
    expect(lines).toEqual(['a']);
  });

  it.each([
    ['is deleted', 200, 404],
    ['ends', 200, 200],
    ['may not be read', 403, 403],
  ])('gives the last line, which has no line break, when the Pod %s', async (_what, before, after) => {
    kubelet.write('one', 'and no more');
    kubelet.complete = false;
    kubelet.podStatus = before;
    kubelet.onCaughtUp = () => {
      kubelet.podStatus = after;
      kubelet.state = ENDED;
    };
    expect(await all(follow({ container: 'app' }))).toEqual(['one', 'and no more']);
  });

  // rundeck-plugins/kubernetes#173
  it('goes on for hours with a silent log whose connection a proxy breaks again and again', async () => {
    let time = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => time);
    let silence = deferred<undefined>();
    const sleep: typeof patient = (milliseconds, signal) => {
      if (milliseconds < 10_000) return Promise.resolve();
      time += 60_000;
      silence.resolve(undefined);
      return patient(milliseconds, signal);
    };
    kubelet.onCaughtUp = async (call) => {
      if (call === 20) {
        kubelet.state = ENDED;
        kubelet.write('at last');
        return undefined;
      }
      await silence.promise;
      silence = deferred();
      return 'reset';
    };
    try {
      expect(await all(follow({}, { maxRetries: 2, sleep }))).toEqual(['at last']);
    } finally {
      clock.mockRestore();
    }
  });

  it('goes on when the API server was away for a while', async () => {
    kubelet.write('a', 'b');
    kubelet.breaks = [1, 1];
    const sleep = pausing(() => {
      kubelet.podStatus = kubelet.calls.length < 3 ? 503 : 200;
    });
    kubelet.onCaughtUp = () => {
      kubelet.state = ENDED;
    };
    expect(await all(follow({}, { sleep }))).toEqual(['a', 'b']);
  });

  it('says that lines may be missing when the node rotated the log while the connection was broken', async () => {
    const missing: number[] = [];
    const read = async (rotate: () => void): Promise<string[]> => {
      kubelet = new FakeKubelet();
      server.always(kubelet.behaviour);
      kubelet.write('a', 'b', 'c');
      kubelet.breaks = [2];
      kubelet.onCaughtUp = () => {
        kubelet.state = ENDED;
      };
      const lines: string[] = [];
      const onGap = (): void => {
        missing.push(lines.length);
      };
      for await (const line of follow({ onGap }, { sleep: pausing(rotate) })) lines.push(line);
      return lines;
    };
    const keep = (): void => undefined;
    const rotate = (...left: readonly string[]): (() => void) => {
      return () => (kubelet.lines = kubelet.lines.filter(({ text }) => left.includes(text)));
    };
    expect([await read(keep), missing.splice(0)]).toEqual([['a', 'b', 'c'], []]);
    expect([await read(rotate('b', 'c')), missing.splice(0)]).toEqual([['a', 'b', 'c'], []]);
    expect([await read(rotate('c')), missing.splice(0)]).toEqual([['a', 'b', 'c'], [2]]);
    expect([await read(rotate()), missing.splice(0)]).toEqual([['a', 'b'], [2]]);
  });

  it('does without the right to read Pods: the log ends when the server ends it', async () => {
    kubelet.podStatus = 403;
    kubelet.write('a');
    kubelet.breaks = [0];
    expect(await all(follow({ container: 'app' }))).toEqual(['a']);
    expect(kubelet.calls[1]?.query.get('container')).toBe('app');
  });

  it('does not go on where there are no timestamps: lines would be lost or come twice', async () => {
    kubelet.stamps = false;
    kubelet.write('a', 'b');
    kubelet.breaks = [1];
    expect((await errorOf(all(follow()))).code).toBe('k8s_response_invalid');
  });

  it('reads the run before the last restart', async () => {
    kubelet.restarts = 1;
    kubelet.previousLines = [{ at: Date.UTC(2026, 0, 1), text: 'before' }];
    expect(await all(follow({ previous: true }))).toEqual(['before']);
    expect(kubelet.calls[0]?.query.has('follow')).toBe(false);
  });

  it('ends after so many bytes', async () => {
    kubelet.write('12345', '12345', '12345');
    expect(await all(follow({ limitBytes: 8 }))).toEqual(['12345', '12345']);
  });

  it('gives a line that is too long in pieces', async () => {
    const long = 'x'.repeat(2_500_000);
    kubelet.write(long, 'next');
    kubelet.state = ENDED;
    const lines = await all(follow());
    expect(lines.at(-1)).toBe('next');
    expect(lines.slice(0, -1).join('')).toBe(long);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_400_000);
  });

  it('stops when it is told to, and when the loop is left', async () => {
    kubelet.write('a');
    kubelet.onCaughtUp = () => new Promise(() => undefined);
    const stop = new AbortController();
    const lines = follow({ signal: stop.signal });
    expect((await lines.next()).value).toBe('a');
    stop.abort();
    expect((await errorOf(lines.next())).code).toBe('k8s_aborted');

    for await (const line of follow()) {
      expect(line).toBe('a');
      break;
    }
  });

  it('is refused with wrong options, and with a container that does not exist', async () => {
    expect((await errorOf(all(follow({ tailLines: -1 })))).code).toBe('k8s_parameter_invalid');
    expect((await errorOf(all(follow({ container: 'ap' })))).hint).toBe('Its containers are "app".');
  });
});
