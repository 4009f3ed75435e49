import { describe, expect, it } from '@jest/globals';
import { outputOf, named } from '../testing/context';
import { useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const LIST = { resource: 'any', operation: 'getAll', kind: named('configmaps'), returnAll: true };
const GET = { resource: 'any', operation: 'get', kind: named('configmaps'), name: named('big') };

function configMap(name: string, text: string): object {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { text } };
}

function answerList(items: readonly object[]): void {
  api().answer(({ path }) =>
    path === '/api/v1/namespaces/shop/configmaps'
      ? { json: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items } }
      : undefined,
  );
}

describe('what an AI agent gets of a call', () => {
  it('is the whole result when it is short', async () => {
    answerList([configMap('a', 'x'), configMap('b', 'y')]);

    const items = await outputOf({ credential: api().credential(), parameters: LIST, asTool: true });

    expect(items.map(({ metadata }) => (metadata as { name: string }).name)).toEqual(['a', 'b']);
  });

  it('is as much of a long list as fits, and a word that there is more', async () => {
    answerList(Array.from({ length: 100 }, (_, index) => configMap(String(index), 'x'.repeat(3_900))));

    const items = await outputOf({ credential: api().credential(), parameters: LIST, asTool: true });

    expect(JSON.stringify(items).length).toBeLessThan(161_000);
    expect(items.slice(0, -1)).toHaveLength(40);
    expect(items[0]).toMatchObject({ metadata: { name: '0' }, data: { text: 'x'.repeat(3_900) } });
    expect(items.at(-1)).toEqual({
      truncated: true,
      shown: 40,
      items: 100,
      message:
        'The result is too long for one call: 40 of 100 items are shown, long texts are cut. Ask for less: a limit, a selector, fewer lines.',
    });
  });

  it('is the beginning and the end of a text that is too long', async () => {
    api().answer(() => ({ json: configMap('big', `first line\n${'x'.repeat(200_000)}\nlast line`) }));

    const [item, note, ...more] = await outputOf({ credential: api().credential(), parameters: GET, asTool: true });

    const { text } = item?.data as { text: string };
    expect(text).toMatch(/^first line\nx+\n… 160021 characters left out …\nx+\nlast line$/);
    expect(text.length).toBeLessThan(40_100);
    expect([note?.truncated, note?.shown, more]).toEqual([true, 1, []]);
  });

  it('is all of it in a workflow', async () => {
    api().answer(() => ({ json: configMap('big', 'x'.repeat(200_000)) }));

    const [item, ...more] = await outputOf({ credential: api().credential(), parameters: GET });

    expect([(item?.data as { text: string }).text.length, more]).toEqual([200_000, []]);
  });
});
