import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../core/clock/testing/fakeClock';
import { TokenFile } from './tokenFile';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'navin-token-'));
  path = join(folder, 'token');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the token of a Pod', () => {
  it('is read again a minute later, and no earlier', async () => {
    const clock = new FakeClock();
    writeFileSync(path, 'first\n');
    const file = new TokenFile(path, clock);
    expect(file.first()).toBe('first');
    writeFileSync(path, 'second');
    await clock.advance(59_999);
    expect(file.read()).toBe('first');
    await clock.advance(1);
    expect(file.read()).toBe('second');
  });

  it('is followed through the links of a mounted volume', async () => {
    const clock = new FakeClock();
    for (const [name, text] of Object.entries({ a: 'first', b: 'second' })) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'token'), text);
    }
    const data = join(folder, '..data');
    symlinkSync('a', data);
    symlinkSync('..data/token', path);
    const file = new TokenFile(path, clock);
    expect(file.first()).toBe('first');
    rmSync(data);
    symlinkSync('b', data);
    await clock.advance(60_000);
    expect(file.read()).toBe('second');
  });

  it('is a fault once a minute while it cannot be read, and the last one is given between', async () => {
    const clock = new FakeClock();
    writeFileSync(path, 'first');
    const file = new TokenFile(path, clock);
    file.first();
    for (const broken of ['', 'x'.repeat(16_385)]) {
      writeFileSync(path, broken);
      await clock.advance(60_000);
      expect(() => file.read()).toThrow('The file of the token is empty or too large');
      expect(file.read()).toBe('first');
    }
  });

  it('has to be there at the start', () => {
    const message =
      'The ServiceAccount of the Pod has no token that can be read: see automountServiceAccountToken of the Pod.';
    expect(() => new TokenFile(path, new FakeClock()).first()).toThrow(message);
    expect(() => new TokenFile(folder, new FakeClock()).first()).toThrow(message);
  });
});
