import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('any-get-all');
const PARAMETERS = { resource: 'any', operation: 'getAll', kind: named('cm') };

beforeAll(async () => {
  const { cluster, namespace } = test();
  const items = Array.from({ length: 25 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `part-${String(index).padStart(2, '0')}`,
      labels: { app: 'parts', even: String(index % 2 === 0) },
    },
    data: { index: String(index) },
  }));
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: 's3cr3t' } };
  await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], {
    stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, secret] }),
  });
});

const names = (items: readonly { metadata?: unknown }[]): string[] =>
  items.map(({ metadata }) => (metadata as { name: string }).name);

describe('Any Resource: Get Many', () => {
  it('lists whole objects by label and field', async () => {
    const { credential, namespace } = test();
    const options = { labelSelector: 'app=parts,even=true', fieldSelector: 'metadata.name!=part-00' };
    const items = await outputOf({ credential, parameters: { ...PARAMETERS, limit: 3, options } });
    expect(names(items)).toEqual(['part-02', 'part-04', 'part-06']);
    expect(items[0]).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace },
      data: { index: '2' },
    });
    expect(items[0]?.metadata).not.toHaveProperty('managedFields');
  });

  it('lists a kind of all namespaces, and one that has none', async () => {
    const { credential, namespace } = test();
    const parameters = {
      ...PARAMETERS,
      namespace: named('*'),
      returnAll: true,
      options: { labelSelector: 'app=parts' },
    };
    expect(await outputOf({ credential, parameters })).toHaveLength(25);
    const nodes = { ...PARAMETERS, kind: named('ns'), options: { fieldSelector: `metadata.name=${namespace}` } };
    expect(names(await outputOf({ credential, parameters: nodes }))).toEqual([namespace]);
  });

  // robusta-dev/kubewatch#103; shell-operator#187; origin#5694
  it('reads metadata only', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { metadataOnly: true, labelSelector: 'app=parts' } };
    const items = await outputOf({ credential, parameters });
    expect(items).toHaveLength(25);
    for (const item of items) expect(Object.keys(item)).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(items[0]).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'part-00', labels: { app: 'parts' } } });
  });

  it.each([{}, { metadataOnly: true }])('shows no value of a Secret (%j)', async (options) => {
    const { credential } = test();
    const items = await outputOf({ credential, parameters: { ...PARAMETERS, kind: named('secrets'), options } });
    expect(names(items)).toEqual(['login']);
    expect(JSON.stringify(items)).toContain('(masked)');
    expect(JSON.stringify(items)).not.toMatch(/s3cr3t|czNjcjN0/);
  });

  // robusta-dev/kubewatch#103; shell-operator#187; origin#5694
  it('gives a page as one item with a file, and holds no other page meanwhile', async () => {
    const { credential } = test();
    const files = new Map<string, { metadata: { name: string } }[]>();
    const prepareBinaryData = (data: Buffer, fileName: string, mimeType: string): Promise<IBinaryData> => {
      files.set(fileName, JSON.parse(data.toString()) as { metadata: { name: string } }[]);
      return Promise.resolve({ data: 'stored elsewhere', fileName, mimeType });
    };
    const helpers = { prepareBinaryData } as unknown as IExecuteFunctions['helpers'];
    const options = { onePerPage: true, pageSize: 10, labelSelector: 'app=parts' };
    const items = await execute({ credential, helpers, parameters: { ...PARAMETERS, returnAll: true, options } });
    expect(items.map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toEqual(
      [
        { page: 1, count: 10, first: 'part-00', last: 'part-09' },
        { page: 2, count: 10, first: 'part-10', last: 'part-19' },
        { page: 3, count: 5, first: 'part-20', last: 'part-24' },
      ].map((page) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        ...page,
        inconsistent: false,
        ...(page.page === 3 ? {} : { continue: expect.any(String) }),
        pairedItem: { item: 0 },
      })),
    );
    expect(items.map(({ binary }) => binary)).toEqual(
      ['configmaps-0001.json', 'configmaps-0002.json', 'configmaps-0003.json'].map((fileName) => ({
        data: { data: 'stored elsewhere', fileName, mimeType: 'application/json' },
      })),
    );
    expect(names(files.get('configmaps-0003.json') ?? [])).toEqual([
      'part-20',
      'part-21',
      'part-22',
      'part-23',
      'part-24',
    ]);
  });

  it('takes a page a run, each where the last one ended', async () => {
    const { credential } = test();
    const prepareBinaryData = () => Promise.resolve({ data: '', mimeType: 'application/json' });
    const helpers = { prepareBinaryData } as unknown as IExecuteFunctions['helpers'];
    const runs: string[] = [];
    let continueAfter: unknown = '';
    do {
      const options = { onePerPage: true, labelSelector: 'app=parts', continueAfter };
      const [page] = await execute({ credential, helpers, parameters: { ...PARAMETERS, limit: 10, options } });
      runs.push(`${page?.json.first as string} to ${page?.json.last as string}`);
      continueAfter = page?.json.continue;
    } while (continueAfter !== undefined && runs.length < 10);
    expect(runs).toEqual(['part-00 to part-09', 'part-10 to part-19', 'part-20 to part-24']);
  });

  it('says that a token is none', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { continueAfter: 'nothing' } };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });

  it('says that a selector cannot be read', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { labelSelector: 'app=(' } };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });
});
