import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from './deferred';
import { runFixture } from './fixtures/child';
import { withLock } from './lock';

jest.setTimeout(60_000);

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'navin-lock-'));
  file = join(directory, 'deep', 'build.lock');
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('lets one after the other work', async () => {
  const order: string[] = [];
  const first = deferred<undefined>();
  const waits = deferred<undefined>();
  const one = withLock(file, async () => {
    order.push('one begins');
    await first.promise;
    order.push('one ends');
  });
  const two = withLock(
    file,
    () => {
      order.push('two');
      return Promise.resolve();
    },
    () => {
      waits.resolve(undefined);
    },
  );
  await waits.promise;
  first.resolve(undefined);
  await Promise.all([one, two]);
  expect(order).toEqual(['one begins', 'one ends', 'two']);
});

it('is free again after an error, and hands the result on', async () => {
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withLock(file, () => Promise.resolve(42))).resolves.toBe(42);
});

it('waits for another process, and is free as soon as that process is dead', async () => {
  const holder = await runFixture('lockHolder', [file]);
  let waited = 0;
  const mine = withLock(
    file,
    () => Promise.resolve('mine'),
    () => {
      waited += 1;
      holder.child.kill('SIGKILL');
    },
  );
  await expect(mine).resolves.toBe('mine');
  expect(waited).toBe(1);
});
