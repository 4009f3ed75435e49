import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chartYaml, packed } from '../testing/packedChart';
import { refusalOf } from '../testing/rejection';
import type { Chart } from './chart';
import { ChartStore } from './chartStore';

let root: string;
let outside: string;

const store = (): ChartStore =>
  new ChartStore({ chartsDir: root, registry: { fetch: () => Promise.reject(new Error('none')) } });
const chart = (path = 'web'): Promise<Chart> => store().chart({ chart: { path } });

function put(path: string, text: string | Buffer = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'navin-charts-'));
  outside = mkdtempSync(join(tmpdir(), 'navin-outside-'));
  writeFileSync(join(outside, 'token'), 's3cr3t');
  put('web/Chart.yaml', chartYaml());
  put('web/templates/a.yaml', 'a: 1');
});

afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});

describe('a chart of the charts folder', () => {
  it('is read whole, from a folder or an archive, and is the same chart', async () => {
    put('team/web-1.0.0.tgz', packed({ 'Chart.yaml': chartYaml(), 'templates/a.yaml': 'a: 1' }));
    const [folder, archive] = await Promise.all([chart(), chart('team/web-1.0.0.tgz')]);
    expect([...folder.files.keys()].sort()).toEqual(['Chart.yaml', 'templates/a.yaml']);
    expect(folder).toMatchObject({ name: 'web', version: '1.0.0' });
    expect(folder.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(archive.digest).toBe(folder.digest);
  });

  it('is read again when a file of it was written', async () => {
    const charts = store();
    const first = await charts.chart({ chart: { path: 'web' } });
    expect(await charts.chart({ chart: { path: 'web' } })).toBe(first);
    put('web/templates/a.yaml', 'a: 2');
    const second = await charts.chart({ chart: { path: 'web' } });
    expect(second.digest).not.toBe(first.digest);
  });

  it('may lie in a charts folder that is reached by a link', async () => {
    symlinkSync(root, join(outside, 'charts'));
    const linked = new ChartStore({
      chartsDir: join(outside, 'charts'),
      registry: { fetch: () => Promise.reject(new Error('none')) },
    });
    await expect(linked.chart({ chart: { path: 'web' } })).resolves.toMatchObject({ name: 'web' });
  });
});

const ONLY_FILES = 'a chart may have folders and regular files only.';

describe('a chart of the charts folder is refused', () => {
  it('with a link to a file outside, which a template could read', async () => {
    symlinkSync(join(outside, 'token'), join(root, 'web/stolen.txt'));
    expect(await refusalOf(chart())).toBe(`RenderFailed: stolen.txt is a symbolic link: ${ONLY_FILES}`);
  });

  it('with a link to a folder, wherever that leads', async () => {
    symlinkSync('templates', join(root, 'web/copies'));
    expect(await refusalOf(chart())).toBe(`RenderFailed: copies is a symbolic link: ${ONLY_FILES}`);
  });

  it('that is itself reached by a link', async () => {
    symlinkSync(outside, join(root, 'other'));
    put('packed.tgz', packed({ 'Chart.yaml': chartYaml() }));
    symlinkSync(join(root, 'packed.tgz'), join(root, 'linked.tgz'));
    expect(await refusalOf(chart('other'))).toBe(`RenderFailed: other is a symbolic link: ${ONLY_FILES}`);
    expect(await refusalOf(chart('other/web'))).toBe(`RenderFailed: other/web is a symbolic link: ${ONLY_FILES}`);
    expect(await refusalOf(chart('linked.tgz'))).toBe(`RenderFailed: linked.tgz is a symbolic link: ${ONLY_FILES}`);
  });

  it('with a pipe, which would never end', async () => {
    execFileSync('mkfifo', [join(root, 'web/pipe')]);
    expect(await refusalOf(chart())).toBe(`RenderFailed: pipe is no regular file: ${ONLY_FILES}`);
  });

  it.each(['../outside', 'web/../../x', '/etc', '.', 'web//templates', 'web\\x', 'a\0b'])(
    'at the path %j',
    async (path) => {
      expect(await refusalOf(chart(path))).toMatch(
        /^RenderFailed: The chart has a file of the name .*, which is not allowed\.$/,
      );
    },
  );

  it.each(['none', 'web/Chart.yaml/x'])('at %s, where there is none', async (path) => {
    expect(await refusalOf(chart(path))).toBe(`RenderFailed: There is no chart ${path} below the charts folder.`);
  });

  it('that is too large', async () => {
    put('web/big.bin');
    truncateSync(join(root, 'web/big.bin'), 5 * 1024 * 1024 + 1);
    expect(await refusalOf(chart())).toBe('RenderFailed: big.bin of the chart is larger than 5 MiB.');
    for (let index = 0; index < 5; index += 1) {
      put(`many/${index}`);
      truncateSync(join(root, `many/${index}`), 5 * 1024 * 1024);
    }
    expect(await refusalOf(chart('many'))).toBe('RenderFailed: The chart is larger than 20 MiB.');
  });

  it('that has too many files', async () => {
    for (let index = 0; index <= 2_000; index += 1) put(`many/${index}`);
    expect(await refusalOf(chart('many'))).toBe('RenderFailed: The chart has more than 2000 files.');
  });
});
