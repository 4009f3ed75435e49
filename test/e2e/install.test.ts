import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { installN8n, type InstallProgress } from './n8n';

jest.setTimeout(120_000);

describe('installing n8n', () => {
  let folder = '';
  const before = { ...process.env };
  const calls = (): readonly string[] => {
    const file = join(folder, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const callsOf = (program: string): readonly string[] => calls().filter((call) => call.startsWith(`${program} `));
  const install = async (onProgress: (progress: InstallProgress) => void = () => undefined) =>
    installN8n({ env: { NAVIN_CACHE_DIR: folder }, onProgress });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'navin-install-'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const fake = join(__dirname, 'testing', 'fakeNpm.mjs');
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${fake}" "$@"\n`);
    chmodSync(join(bin, 'npm'), 0o755);
    process.env.PATH = `${bin}${delimiter}${before.PATH ?? ''}`;
    process.env.FAKE_CALLS = join(folder, 'calls');
  });
  afterEach(() => {
    for (const name of ['FAKE_NPM', 'FAKE_GYP', 'FAKE_CALLS']) Reflect.deleteProperty(process.env, name);
    process.env.PATH = before.PATH;
    rmSync(folder, { recursive: true });
  });

  it('runs no script of a package, compiles the driver, and makes an empty database; once', async () => {
    const progress: InstallProgress[] = [];

    const program = await install((step) => progress.push(step));
    const again = await install();

    expect(again).toEqual(program);
    expect(callsOf('npm')).toEqual([expect.stringMatching(/^npm ci --ignore-scripts /)]);
    expect(callsOf('gyp')).toEqual([expect.stringMatching(/^gyp rebuild --nodedir=/)]);
    expect(callsOf('n8n')).toEqual(['n8n list:workflow']);
    expect(readFileSync(join(program.emptyDatabase, 'database.sqlite'), 'utf8')).toBe('migrated');
    expect(existsSync(program.entry)).toBe(true);
    expect(progress.filter(({ fraction }) => fraction === 1).map(({ task }) => task)).toEqual([
      'n8n packages',
      'n8n database driver',
      'n8n database',
    ]);
    expect(progress[0]).toEqual({ task: 'n8n packages', fraction: 0, secondsLeft: 300 });
  });

  it('goes on at the step where it was interrupted', async () => {
    process.env.FAKE_GYP = 'fail';
    await expect(install()).rejects.toMatchObject({
      code: 'driver_failed',
      message: expect.stringContaining('no such header') as unknown,
    });

    process.env.FAKE_GYP = '';
    await install();

    expect(callsOf('npm')).toHaveLength(1);
    expect(callsOf('n8n')).toHaveLength(1);
  });

  it('tries other headers before it gives up', async () => {
    process.env.FAKE_GYP = 'fail';

    await expect(install()).rejects.toMatchObject({ code: 'driver_failed' });

    const tried = callsOf('gyp');
    expect(new Set(tried).size).toBe(tried.length);
    // At last without headers: then node-gyp downloads them.
    expect(tried.at(-1)).toBe('gyp rebuild');
  });

  it('says why npm failed, and begins again', async () => {
    process.env.FAKE_NPM = 'fail';
    await expect(install()).rejects.toMatchObject({
      code: 'install_failed',
      message: expect.stringContaining('the registry is not reachable') as unknown,
    });

    process.env.FAKE_NPM = '';
    await install();

    expect(callsOf('npm')).toHaveLength(2);
  });

  it('is done once when two ask for it', async () => {
    const waiting: string[] = [];

    const [one, two] = await Promise.all([install(), install(({ task }) => waiting.push(task))]);

    expect(one).toEqual(two);
    expect(callsOf('npm')).toHaveLength(1);
    expect(waiting).toEqual(['n8n (another installation)']);
  });
});
