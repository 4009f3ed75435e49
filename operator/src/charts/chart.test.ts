import { describe, expect, it } from '@jest/globals';
import { chartYaml, packed } from '../testing/packedChart';
import { refusalOf } from '../testing/rejection';
import { chartOfArchive, type Chart } from './chart';

const chart = (files: Readonly<Record<string, string | Buffer>>, folder?: string): Promise<Chart> =>
  chartOfArchive(packed(files, folder));

describe('a chart', () => {
  it('has its packed subcharts as folders, and those of them', async () => {
    const innermost = packed({ 'Chart.yaml': chartYaml({ name: 'c' }) }, 'c');
    const inner = packed({ 'Chart.yaml': chartYaml({ name: 'b' }), 'charts/c-1.0.0.tgz': innermost }, 'b');
    const { files } = await chart({
      'Chart.yaml': chartYaml(),
      'charts/b-1.0.0.tgz': inner,
      'files/d.tgz': 'as it is',
    });
    expect([...files.keys()].sort()).toEqual([
      'Chart.yaml',
      'charts/b-1.0.0-tgz/Chart.yaml',
      'charts/b-1.0.0-tgz/charts/c-1.0.0-tgz/Chart.yaml',
      'files/d.tgz',
    ]);
  });

  it('has the digest of its manifest where it comes from a registry', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    await expect(chartOfArchive(packed({ 'Chart.yaml': chartYaml() }), digest)).resolves.toMatchObject({ digest });
  });

  it('may refer in the schema of its values to places of the schema', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a',
      definitions: { a: {} },
    };
    await expect(
      chart({ 'Chart.yaml': chartYaml(), 'values.schema.json': JSON.stringify(schema) }),
    ).resolves.toMatchObject({
      name: 'web',
    });
  });
});

const subchart = (schema: unknown): Buffer =>
  packed({ 'Chart.yaml': chartYaml({ name: 'b' }), 'values.schema.json': JSON.stringify(schema) }, 'b');

describe('a chart is refused', () => {
  it.each<[string, Readonly<Record<string, string | Buffer>>, string]>([
    ['without Chart.yaml', { 'values.yaml': '' }, 'There is no Chart.yaml: this is no chart.'],
    ['with an empty one', { 'Chart.yaml': '' }, 'Chart.yaml is empty.'],
    [
      'with a broken one',
      { 'Chart.yaml': 'a: [' },
      'Chart.yaml is not valid YAML or JSON, line 1: unexpected end of the stream within a flow collection.',
    ],
    ['named ..', { 'Chart.yaml': chartYaml({ name: '..' }) }, 'Chart.yaml has no valid name.'],
    ['named by a path', { 'Chart.yaml': chartYaml({ name: 'a/b' }) }, 'Chart.yaml has no valid name.'],
    ['with a number as version', { 'Chart.yaml': 'name: web\nversion: 1.0' }, 'Chart.yaml has no valid version.'],
    [
      'that is a library',
      { 'Chart.yaml': chartYaml({ type: 'library' }) },
      'The chart is a library: it is for other charts and renders nothing itself.',
    ],
    [
      'in a folder of another name',
      { 'Chart.yaml': chartYaml({ name: 'other' }) },
      'The folder in the archive is not named like the chart.',
    ],
    [
      'with a schema that is no JSON',
      { 'Chart.yaml': chartYaml(), 'values.schema.json': '{' },
      'values.schema.json of the chart is not JSON.',
    ],
    [
      'with a schema that is fetched',
      {
        'Chart.yaml': chartYaml(),
        'values.schema.json': '{"properties":{"a":{"items":[{"$ref":"http://10.0.0.1/x"}]}}}',
      },
      'values.schema.json refers to another document by $ref, which is not allowed.',
    ],
    [
      'with a file of this machine as schema',
      { 'Chart.yaml': chartYaml(), 'values.schema.json': '{"$ref":"file:///etc/passwd"}' },
      'values.schema.json refers to another document by $ref, which is not allowed.',
    ],
    [
      'with a schema of another kind, which is fetched',
      { 'Chart.yaml': chartYaml(), 'values.schema.json': '{"$schema":"https://json-schema.org.evil/draft-07/schema"}' },
      'values.schema.json refers to another document by $ref, which is not allowed.',
    ],
    [
      'with a packed subchart whose schema is fetched',
      { 'Chart.yaml': chartYaml(), 'charts/b-1.tgz': subchart({ $ref: 'https://a/b' }) },
      'charts/b-1-tgz/values.schema.json refers to another document by $ref, which is not allowed.',
    ],
  ])('%s', async (_what, files, message) => {
    expect(await refusalOf(chart(files))).toBe(`RenderFailed: ${message}`);
  });

  it('that holds charts in charts without end', async () => {
    let inner = packed({ 'Chart.yaml': chartYaml() });
    for (let level = 0; level < 9; level += 1) inner = packed({ 'Chart.yaml': chartYaml(), 'charts/a.tgz': inner });
    expect(await refusalOf(chartOfArchive(inner))).toBe('RenderFailed: The chart holds charts in more than 8 levels.');
  });

  it('whose packed subcharts are together too large', async () => {
    const large = packed({ 'Chart.yaml': chartYaml(), zeros: Buffer.alloc(4 * 1024 * 1024) });
    const subcharts = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`charts/${index}.tgz`, large]));
    expect(await refusalOf(chart({ 'Chart.yaml': chartYaml(), ...subcharts }))).toBe(
      'RenderFailed: The chart is larger than 20 MiB.',
    );
  });
});
