import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chartYaml, packed, tarOf, type Entry } from '../testing/packedChart';
import { refusalOf } from '../testing/rejection';
import { unpackArchive } from './archive';
import { ChartError } from './error';

const unpack = (...entries: Entry[]): Promise<unknown> => unpackArchive(gzipSync(tarOf(entries)));
const LONG = `${'long/'.repeat(30)}name.yaml`;

describe('an archive as the tar of this machine makes it', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'navin-tar-'));
    mkdirSync(join(folder, 'web', 'long/'.repeat(30)), { recursive: true });
    writeFileSync(join(folder, 'web/Chart.yaml'), chartYaml());
    writeFileSync(join(folder, 'web', LONG), 'far');
    writeFileSync(join(folder, 'web/größe.txt'), 'Größe');
    writeFileSync(join(folder, 'web/empty'), '');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['gnu', 'oldgnu', 'pax', 'posix', 'ustar'])('in the format %s is read whole', async (format) => {
    const file = join(folder, `${format}.tgz`);
    execFileSync('tar', ['-czf', file, `--format=${format}`, '-C', folder, 'web']);
    const { folder: name, files } = await unpackArchive(readFileSync(file));
    expect(name).toBe('web');
    expect(new Map([...files].map(([path, bytes]) => [path, bytes.toString()]))).toEqual(
      new Map([
        ['Chart.yaml', chartYaml()],
        [LONG, 'far'],
        ['größe.txt', 'Größe'],
        ['empty', ''],
      ]),
    );
  });
});

describe('an archive is refused', () => {
  it.each<[string, Entry[], string]>([
    [
      'with a link',
      [{ path: 'web/a', type: '2' }],
      'The archive of the chart has a link or a special file, which is not allowed.',
    ],
    [
      'with a hard link',
      [{ path: 'web/a', type: '1' }],
      'The archive of the chart has a link or a special file, which is not allowed.',
    ],
    [
      'with a device',
      [{ path: 'web/a', type: '3' }],
      'The archive of the chart has a link or a special file, which is not allowed.',
    ],
    [
      'that leads out',
      [{ path: 'web/../../a' }],
      'The chart has a file of the name web/../../a, which is not allowed.',
    ],
    [
      'with an absolute path',
      [{ path: '/etc/passwd' }],
      'The chart has a file of the name /etc/passwd, which is not allowed.',
    ],
    [
      'with a path of Windows',
      [{ path: 'web\\..\\a' }],
      'The chart has a file of the name web?..?a, which is not allowed.',
    ],
    ['with two folders', [{ path: 'web/a' }, { path: 'other/a' }], 'The archive of the chart has a file twice.'],
    [
      'with two other folders',
      [{ path: 'web/a' }, { path: 'other/b' }],
      'The archive of the chart has more than one folder.',
    ],
    [
      'with a file twice',
      [{ path: 'web/a' }, { path: 'web/a', text: 'b' }],
      'The archive of the chart has a file twice.',
    ],
    [
      'with a file beside the folder',
      [{ path: 'a' }],
      'The archive of the chart has a file beside the folder of the chart.',
    ],
    ['that is empty', [], 'The archive of the chart is empty.'],
    [
      'with two sizes',
      [{ path: 'x', type: 'x', text: '10 size=1\n' }],
      'The archive of the chart is damaged or no archive at all.',
    ],
    [
      'with a bad record',
      [{ path: 'x', type: 'x', text: '99 path=1\n' }],
      'The archive of the chart is damaged or no archive at all.',
    ],
  ])('%s', async (_what, entries, message) => {
    expect(await refusalOf(unpack(...entries))).toBe(`RenderFailed: ${message}`);
  });

  it('that is none', async () => {
    const message = 'RenderFailed: The archive of the chart is damaged or no archive at all.';
    expect(await refusalOf(unpackArchive(Buffer.from('hello')))).toBe(message);
    expect(await refusalOf(unpackArchive(gzipSync(Buffer.alloc(600, 1))))).toBe(message);
    const whole = packed({ 'Chart.yaml': chartYaml() });
    expect(await refusalOf(unpackArchive(whole.subarray(0, whole.length - 20)))).toBe(message);
  });

  it('that unpacks to more than a chart may be', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusalOf(unpackArchive(bomb))).toBe('RenderFailed: The chart is larger than 20 MiB.');
    expect(await refusalOf(unpackArchive(Buffer.alloc(10 * 1024 * 1024 + 1)))).toBe(
      'RenderFailed: The archive of the chart is larger than 10 MiB.',
    );
  });

  it('in no other way, whatever is damaged', async () => {
    const good = tarOf([
      { path: 'x', type: 'x', text: '21 path=web/templates\n' },
      { path: 'web/Chart.yaml', text: chartYaml() },
      { path: 'web/templates/a.yaml', text: 'a: 1' },
    ]);
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(good.length), async (changes, cut) => {
        const bad = Buffer.from(good);
        for (const [offset, byte] of changes) bad[offset] = byte;
        try {
          await unpackArchive(gzipSync(bad.subarray(0, cut)));
        } catch (error) {
          expect(error).toBeInstanceOf(ChartError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
