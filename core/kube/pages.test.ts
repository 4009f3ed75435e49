import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { KubeApiError } from './errors';
import type { ListOptions, ListPage, PageObserver } from './lists';
import { listPages } from './pages';
import { all, errorOf } from './testing/faultClient';

function page(from: number, to: number, token?: string, resourceVersion = '100'): ListPage {
  const items = Array.from({ length: to - from }, (_, index) => ({ metadata: { name: `p${from + index}` } }));
  return { items, resourceVersion, inconsistent: false, ...(token === undefined ? {} : { continue: token }) };
}

function names(pages: readonly ListPage[]): string[] {
  return pages.flatMap(({ items }) => items.map(({ metadata }) => metadata.name ?? ''));
}

/** Answers the requests in order and notes them. */
function server(...answers: (ListPage | Error)[]) {
  const asked: ListOptions[] = [];
  const fetch = (options: ListOptions): Promise<ListPage> => {
    asked.push(options);
    const answer = answers[asked.length - 1] ?? new Error('asked too often');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { asked, fetch };
}

const expired = (continueToken?: string) => new KubeApiError('k8s_expired', 'x', { httpStatus: 410, continueToken });

describe('listPages', () => {
  it('gives every object once, in order', async () => {
    const { fetch, asked } = server(page(0, 3, 'a'), page(3, 6, 'b'), page(6, 7));
    expect(names(await all(listPages(fetch, { pageSize: 3, labelSelector: 'app=web' })))).toEqual([
      'p0',
      'p1',
      'p2',
      'p3',
      'p4',
      'p5',
      'p6',
    ]);
    expect(asked.map((each) => [each.continue, each.limit, each.labelSelector])).toEqual([
      [undefined, 3, 'app=web'],
      ['a', 3, 'app=web'],
      ['b', 3, 'app=web'],
    ]);
  });

  it('fetches the next page before the last is used up', async () => {
    const { fetch, asked } = server(page(0, 3, 'a'), page(3, 6));
    const pages = listPages(fetch, { pageSize: 3 });
    await pages.next();
    expect(asked).toHaveLength(2);
    await pages.return();
  });

  it('asks for the next page as soon as its token is known, before the page is whole', async () => {
    let finish: (whole: ListPage) => void = () => undefined;
    const asked: (string | undefined)[] = [];
    const pages = listPages((options, { onToken }): Promise<ListPage> => {
      asked.push(options.continue);
      if (options.continue !== undefined) return Promise.resolve(page(3, 5));
      onToken('a');
      return new Promise((resolve) => {
        finish = resolve;
      });
    }, {});
    const first = pages.next();
    await new Promise(setImmediate);
    expect(asked).toEqual([undefined, 'a']);
    finish(page(0, 3, 'a'));
    expect(names([(await first).value as ListPage])).toEqual(['p0', 'p1', 'p2']);
    expect(names(await all(pages))).toEqual(['p3', 'p4']);
  });

  it('believes the whole page where its beginning said otherwise', async () => {
    const asked: (string | undefined)[] = [];
    let cancelled: AbortSignal | undefined;
    const fetch = (options: ListOptions, { onToken }: PageObserver): Promise<ListPage> => {
      asked.push(options.continue);
      if (options.continue === undefined) onToken('wrong');
      if (options.continue === 'wrong') {
        cancelled = options.signal;
        return new Promise(() => undefined);
      }
      return Promise.resolve(options.continue === undefined ? page(0, 3, 'right') : page(3, 5));
    };
    expect(names(await all(listPages(fetch, {})))).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(asked).toEqual([undefined, 'wrong', 'right']);
    expect(cancelled?.aborted).toBe(true);
  });

  it('asks for the rest where a page was not full', async () => {
    const { fetch, asked } = server(page(0, 2, 'a'), page(2, 3, 'b'), page(3, 4, 'c'));
    expect(names(await all(listPages(fetch, { pageSize: 3, maxItems: 4 })))).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(asked.map((each) => [each.continue, each.limit])).toEqual([
      [undefined, 3],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('asks for no more than is wanted', async () => {
    const { fetch, asked } = server(page(0, 3, 'a'), page(3, 5, 'b'));
    expect(names(await all(listPages(fetch, { pageSize: 3, maxItems: 5 })))).toHaveLength(5);
    expect(asked.map((each) => each.limit)).toEqual([3, 2]);
    expect(await all(listPages(fetch, { maxItems: 0 }))).toEqual([]);
  });

  it('keeps the limit when the API server does not, and gives no token that leaves objects out', async () => {
    const { fetch } = server(page(0, 10, 'a'), page(10, 20));
    const pages = await all(listPages(fetch, { pageSize: 3, maxItems: 4 }));
    expect(names(pages)).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(pages[0]).not.toHaveProperty('continue');
  });

  it('begins after the page of a token, and says with which the rest begins', async () => {
    const { fetch, asked } = server(page(3, 6, 'b'), page(6, 7, 'c'));
    const pages = await all(listPages(fetch, { pageSize: 3, maxItems: 4, continue: 'a' }));
    expect(names(pages)).toEqual(['p3', 'p4', 'p5', 'p6']);
    expect(pages.map((each) => each.continue)).toEqual(['b', 'c']);
    expect(asked.map((each) => each.continue)).toEqual(['a', 'b']);
  });

  it('lets pages grow up to the bytes they may have', async () => {
    const asked: (number | undefined)[] = [];
    const fetch = (options: ListOptions, { onSize }: PageObserver): Promise<ListPage> => {
      asked.push(options.limit);
      onSize(500_000);
      return Promise.resolve(page(0, options.limit ?? 0, asked.length < 3 ? String(asked.length) : undefined));
    };
    await all(listPages(fetch, { pageBytes: 100_000 }));
    // The second is on its way before the first is weighed.
    expect(asked).toEqual([500, 500, 100]);
  });

  it('goes on with the token of a 410, and says from then on that the list is not of one moment', async () => {
    const { fetch, asked } = server(
      page(0, 3, 'a'),
      expired('fresh'),
      page(3, 6, 'b', '200'),
      page(6, 7, undefined, '200'),
    );
    const pages = await all(listPages(fetch, { pageSize: 3 }));
    expect(pages.map((each) => [each.items.length, each.inconsistent, each.resourceVersion])).toEqual([
      [3, false, '100'],
      [3, true, '200'],
      [1, true, '200'],
    ]);
    expect(asked.map((each) => each.continue)).toEqual([undefined, 'a', 'fresh', 'b']);
  });

  it('ends with k8s_expired when there is no such token', async () => {
    const { fetch } = server(page(0, 3, 'a'), expired());
    const error = await errorOf(all(listPages(fetch, { pageSize: 3 })));
    expect(error.code).toBe('k8s_expired');
    expect(error.message).toContain('could not be finished');
  });

  it('leaves a 410 of the first page as it is', async () => {
    const { fetch } = server(expired('fresh'));
    expect((await errorOf(all(listPages(fetch, {})))).message).toBe('x');
  });

  it('begins with 500 objects, then takes as many as 16 MiB hold, 1,000 at most', async () => {
    const limits: (number | undefined)[] = [];
    const weights = [4000, 4000, 4000, 100_000, 20_000_000, 4000];
    const fetch = (options: ListOptions, { onSize }: PageObserver): Promise<ListPage> => {
      const number = limits.push(options.limit);
      onSize((weights[number - 1] ?? 0) * 10);
      return Promise.resolve(page(0, 10, number < 6 ? `t${number}` : undefined));
    };
    await all(listPages(fetch, {}));
    // The size of a page is known when the one after it was asked for already.
    expect(limits).toEqual([500, 500, 1000, 1000, 1000, 167]);
  });

  it('asks for less where a page is larger than an answer may be', async () => {
    const limits: (number | undefined)[] = [];
    const fetch = (options: ListOptions): Promise<ListPage> => {
      limits.push(options.limit);
      if ((options.limit ?? 0) > 40) return Promise.reject(new NavinError('k8s_response_too_large', 'x'));
      return Promise.resolve(options.continue === undefined ? page(0, 3, 'a') : page(3, 5));
    };
    expect(names(await all(listPages(fetch, {})))).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(limits).toEqual([500, 125, 31, 500, 125, 31]);
    const never = () => Promise.reject(new NavinError('k8s_response_too_large', 'x'));
    expect((await errorOf(all(listPages(never, {})))).code).toBe('k8s_response_too_large');
  });

  it('stops the fetch when the loop is left early', async () => {
    const signals: AbortSignal[] = [];
    const fetch = (options: ListOptions): Promise<ListPage> => {
      if (options.signal) signals.push(options.signal);
      return signals.length === 1 ? Promise.resolve(page(0, 3, 'a')) : new Promise(() => undefined);
    };
    for await (const first of listPages(fetch, { pageSize: 3 })) {
      expect(first.items).toHaveLength(3);
      break;
    }
    // The first page was whole; the second was under way.
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
  });

  it('passes a stop on', async () => {
    const stop = new AbortController();
    stop.abort();
    const fetch = ({ signal }: ListOptions): Promise<ListPage> =>
      signal?.aborted
        ? Promise.reject(new KubeApiError('k8s_aborted', 'stopped', { httpStatus: 0 }))
        : Promise.resolve(page(0, 1));
    expect((await errorOf(all(listPages(fetch, { signal: stop.signal })))).code).toBe('k8s_aborted');
  });

  it('hands a failure of the next page over only after the last', async () => {
    const { fetch } = server(page(0, 3, 'a'), new KubeApiError('k8s_server_error', 'down', { httpStatus: 500 }));
    const pages = listPages(fetch, { pageSize: 3 });
    expect((await pages.next()).value?.items).toHaveLength(3);
    await new Promise(setImmediate);
    expect((await errorOf(pages.next())).code).toBe('k8s_server_error');
  });

  it('does not go round in circles', async () => {
    const { fetch } = server(page(0, 0, 'a'), page(0, 0, 'a'), page(0, 0, 'a'));
    expect((await errorOf(all(listPages(fetch, {})))).code).toBe('k8s_response_invalid');
  });

  it.each([{ pageSize: 0 }, { pageSize: 20_000 }, { maxItems: -1 }, { maxItems: 1.5 }])(
    'refuses %j',
    async (options) => {
      expect((await errorOf(all(listPages(server().fetch, options)))).code).toBe('k8s_parameter_invalid');
    },
  );
});
