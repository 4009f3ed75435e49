import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findBrowser } from './browser';
import { exampleWorkflow, triggerOf, withFields } from './exampleFiles';
import { readExecution, unflatten } from './execution';
import { installKey } from './install';
import { installedPackages, lockedPackages } from './packageCount';
import { findRedis } from './redis';
import { headerFolders, missingTools } from './sqliteDriver';
import { chain, START } from './workflow';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'navin-harness-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const touch = (...path: readonly string[]): void => {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '{}');
};

describe('the progress of the installation', () => {
  it('counts unpacked packages, scoped and nested ones included', () => {
    touch('a', 'package.json');
    touch('@scope', 'b', 'package.json');
    touch('a', 'node_modules', 'c', 'package.json');
    touch('.bin', 'package.json');
    mkdirSync(join(folder, 'made-but-empty'));

    expect(installedPackages(folder)).toBe(3);
    expect(installedPackages(join(folder, 'nowhere'))).toBe(0);
  });

  it('counts of a lock file what this platform installs', () => {
    const other = process.platform === 'linux' ? 'darwin' : 'linux';
    const packages = {
      '': {},
      'node_modules/any': {},
      'node_modules/here': { os: [process.platform], cpu: [process.arch] },
      'node_modules/there': { os: [other] },
      'node_modules/not-there': { os: [`!${other}`] },
      'node_modules/not-here': { os: [`!${process.platform}`] },
    };
    writeFileSync(join(folder, 'lock.json'), JSON.stringify({ packages }));

    expect(lockedPackages(join(folder, 'lock.json'))).toBe(3);
  });

  it('names the folder by what is installed', () => {
    expect(installKey()).toMatch(new RegExp(`^${process.platform}-${process.arch}-node24\\.[0-9.]+-[0-9a-f]{12}$`));
  });
});

describe('compiling the database driver', () => {
  it('names the programs that are missing', () => {
    touch('python3');
    touch('clang++');

    expect(missingTools(folder)).toEqual(['make']);
    expect(missingTools('')).toEqual(['python3', 'make', 'a C++ compiler (g++ or clang++)']);
  });

  it('finds the headers that the npm package of Node brings', () => {
    expect(headerFolders()[0]).toMatch(/node_modules.node(-bin)?-/);
  });
});

describe('finding a browser', () => {
  it('takes what CHROME_PATH names, and says when that is nothing', () => {
    touch('my-chrome');

    expect(findBrowser({ CHROME_PATH: join(folder, 'my-chrome') })).toBe(join(folder, 'my-chrome'));
    expect(() => findBrowser({ CHROME_PATH: join(folder, 'gone') })).toThrow('CHROME_PATH names');
  });

  it('looks through the PATH first', () => {
    touch('google-chrome');

    expect(findBrowser({ PATH: folder })).toBe(join(folder, 'google-chrome'));
  });
});

describe('finding a Redis', () => {
  it('takes what NAVIN_TEST_REDIS_URL names, and says when that is no Redis, without what stands in it', () => {
    touch('redis-server');
    const given = (url: string) => () => findRedis({ NAVIN_TEST_REDIS_URL: url, PATH: folder });

    expect(given('redis://10.0.0.1:6380/2')()).toEqual({ url: new URL('redis://10.0.0.1:6380/2') });
    expect(given('https://:secret@redis.example')).toThrow('NAVIN_TEST_REDIS_URL begins with neither');
    expect(given(':secret@redis')).toThrow('NAVIN_TEST_REDIS_URL is no URL');
    expect(given(':secret@redis')).not.toThrow('secret');
  });

  it('looks through the PATH, and finds none where there is none', () => {
    expect(findRedis({ PATH: folder })).toBeUndefined();

    touch('redis-server');

    expect(findRedis({ PATH: folder })).toEqual({ program: join(folder, 'redis-server') });
  });
});

describe('reading an execution', () => {
  it('undoes the format that n8n stores', () => {
    const stored = '[{"a":"1","b":"2","same":"1","n":3},"text",["1","3",null,true],{"self":"3"}]';

    const value = unflatten(stored) as { a: string; b: unknown[]; same: string; n: number };

    expect(value).toMatchObject({ a: 'text', same: 'text', n: 3 });
    expect(value.b.slice(0, 1)).toEqual(['text']);
    expect(value.b.slice(2)).toEqual([null, true]);
    expect((value.b[1] as { self: unknown }).self).toBe(value.b[1]);
  });

  it('gives the items of each output and the error of a node', () => {
    const item = { json: { name: 'web' } };
    const data = flat({
      resultData: {
        runData: { Pods: [{ data: { main: [null, [item]] } }], Broken: [{ error: { message: 'no' } }] },
        error: { message: 'no' },
      },
    });

    const execution = readExecution({ id: '7', status: 'error', data });

    expect(execution.nodes).toEqual(['Pods', 'Broken']);
    expect(execution.outputs('Pods')).toEqual([[], [item]]);
    expect(execution.items('Pods')).toEqual([]);
    expect(execution.errorOf('Broken')?.message).toBe('no');
    expect(execution.error?.message).toBe('no');
    expect(execution.items('Never ran')).toEqual([]);
  });
});

describe('making workflows', () => {
  it('chains nodes after a manual start', () => {
    const { nodes, connections } = chain('two', [
      { name: 'A', type: 'a' },
      { name: 'B', type: 'b', typeVersion: 2 },
    ]);

    expect(nodes.map(({ name, typeVersion }) => [name, typeVersion])).toEqual([
      [START, 1],
      ['A', 1],
      ['B', 2],
    ]);
    expect(connections).toMatchObject({
      Start: { main: [[{ node: 'A' }]] },
      A: { main: [[{ node: 'B' }]] },
    });
  });

  it('fills in a copy of an example, and only fields that it has', () => {
    const example = exampleWorkflow('restart-and-wait.json');

    const copy = withFields(example, 'What to Restart', { deployment: 'api' });

    expect(JSON.stringify(copy)).toContain('"value":"api"');
    expect(JSON.stringify(example)).not.toContain('"value":"api"');
    expect(triggerOf(copy)).toBe('Start');
    expect(() => withFields(example, 'What to Restart', { nothing: 1 })).toThrow('has no field nothing');
  });
});

/** n8n's format for values without repetitions. */
function flat(value: unknown): string {
  const table: unknown[] = [];
  const add = (part: unknown): string => {
    const position = table.push(null) - 1;
    table[position] =
      typeof part === 'object' && part !== null
        ? Array.isArray(part)
          ? part.map(reference)
          : Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, reference(inner)]))
        : part;
    return String(position);
  };
  const reference = (inner: unknown): unknown =>
    typeof inner === 'string' || (typeof inner === 'object' && inner !== null) ? add(inner) : inner;
  add(value);
  return JSON.stringify(table);
}
