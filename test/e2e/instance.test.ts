import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../cluster';
import { PACKAGE, startN8n, type N8nOptions } from './n8n';

jest.setTimeout(120_000);

const ROOT = resolve(__dirname, '../..');

describe('starting n8n', () => {
  let folder = '';
  let options: N8nOptions;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'navin-fake-n8n-'));
    const source = join(folder, 'package');
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name: PACKAGE, version: '1.2.3' }));
    const tarball = join(folder, 'package.tgz');
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
    const emptyDatabase = join(folder, 'empty');
    mkdirSync(emptyDatabase);
    writeFileSync(join(emptyDatabase, 'database.sqlite'), 'migrated');
    const entry = join(__dirname, 'testing', 'fakeN8n.mjs');
    options = { tarball, program: { directory: folder, entry, node: process.execPath, emptyDatabase } };
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('puts the package and the database in place, and logs the owner in', async () => {
    const n8n = await startN8n(options);
    const home = join(n8n.folder, '.n8n');

    expect(JSON.parse(readFileSync(join(home, 'nodes/node_modules', PACKAGE, 'package.json'), 'utf8'))).toMatchObject({
      version: '1.2.3',
    });
    expect(readFileSync(join(home, 'database.sqlite'), 'utf8')).toBe('migrated');
    expect(await n8n.rest('GET', '/rest/login')).toEqual({
      url: '/rest/login',
      cookie: 'n8n-auth=cookie-of-the-owner',
    });
    await n8n.stop();
  });

  it('gives n8n its settings and nothing of the own environment', async () => {
    process.env.N8N_PORT = '1';
    process.env.NAVIN_PRIVATE_NETWORKS = '[]';
    const n8n = await startN8n({ ...options, env: { NAVIN_DEV_API_SERVER: '127.0.0.1:6443' } });
    delete process.env.N8N_PORT;
    delete process.env.NAVIN_PRIVATE_NETWORKS;

    const environment = JSON.parse(readFileSync(join(n8n.folder, 'environment.json'), 'utf8')) as NodeJS.ProcessEnv;
    await n8n.stop();

    expect(environment).toMatchObject({
      NODE_ENV: 'production',
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      NAVIN_DEV_API_SERVER: '127.0.0.1:6443',
    });
    expect(environment.N8N_PORT).not.toBe('1');
    expect(environment).not.toHaveProperty('NAVIN_PRIVATE_NETWORKS');
    expect(environment).not.toHaveProperty('JEST_WORKER_ID');
  });

  it('ends all processes and removes the folder when it is stopped', async () => {
    const n8n = await startN8n(options);
    const pids = [...n8n.pids, Number(readFileSync(join(n8n.folder, 'runner.pid'), 'utf8'))];
    const alive = pids.every(isAlive);

    await n8n.stop();

    expect(alive).toBe(true);

    await eventually(() => !pids.some(isAlive), 'the processes to end');
    expect(existsSync(n8n.folder)).toBe(false);
  });

  it('does the same when the process that started it is killed', async () => {
    const script = join(__dirname, 'testing', 'startAndWait.ts');
    const parent = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const started = JSON.parse(line) as { pids: readonly number[]; folder: string };
    const alive = started.pids.every(isAlive);

    parent.kill('SIGKILL');

    expect(alive).toBe(true);

    await eventually(() => !started.pids.some(isAlive), 'the processes to end');
    await eventually(() => !existsSync(started.folder), 'the folder to go');
  });

  it('says how n8n ended when it does not get ready', async () => {
    await expect(startN8n({ ...options, env: { NAVIN_FAKE: 'broken' } })).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/ended at its start \(3\)[^]*the database is locked/) as unknown,
    });
  });

  it('says that a tarball cannot be unpacked', async () => {
    const tarball = join(folder, 'missing.tgz');

    await expect(startN8n({ ...options, tarball })).rejects.toMatchObject({ code: 'package_failed' });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
