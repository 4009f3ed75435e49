import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FileReader, tarOf } from '.';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navin-tar-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function tar(...options: string[]): Buffer {
  return execFileSync('tar', options, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
}

function read(archive: Buffer, pieces = archive.length, maxBytes = 1_000_000) {
  const reader = new FileReader(maxBytes);
  for (let at = 0; at < archive.length; at += pieces) reader.push(archive.subarray(at, at + pieces));
  return reader.file();
}

describe('an archive of one file', () => {
  it.each(['plain.txt', `${'long-'.repeat(30)}name`, 'ü'.repeat(60), '-rf', 'a b\'"$(x)'])(
    'is read by tar: %s',
    (name) => {
      const data = Buffer.from(`content of ${name}`);
      const into = join(folder, 'into');
      mkdirSync(into, { recursive: true });
      const archive = tarOf({ name, data, mode: 0o640, modified: 1_700_000_000 });
      execFileSync('tar', ['-xmof', '-', '-C', into], { input: archive });
      expect(readFileSync(join(into, name))).toEqual(data);
      expect(statSync(join(into, name)).mode & 0o777).toBe(0o640);
    },
  );

  it.each(['ustar', 'pax', 'gnu', 'oldgnu'])('is read as tar writes it in the format %s', (format) => {
    const name = format === 'ustar' ? 'short' : `${'deep-'.repeat(25)}${format}`;
    writeFileSync(join(folder, name), 'hello', { mode: 0o600 });
    const archive = tar('-chf', '-', `--format=${format}`, '-C', folder, '--', name);
    expect(read(archive)).toMatchObject({ data: Buffer.from('hello'), mode: 0o600 });
    expect(read(archive, 7)).toMatchObject({ data: Buffer.from('hello') });
  });

  it('follows a link', () => {
    writeFileSync(join(folder, 'target'), 'behind the link');
    symlinkSync('target', join(folder, 'link'));
    expect(read(tar('-chf', '-', '--', 'link'))?.data.toString()).toBe('behind the link');
  });

  it('is refused where it is a directory or something else', () => {
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(() => read(tar('-chf', '-', '--', 'sub'))).toThrow("'Path' is a directory, not a file");
    expect(() => read(tar('-chf', '-', '--', 'pipe'))).toThrow("'Path' is neither a file nor a link to one");
  });

  it('is refused by its size before it is read', () => {
    const archive = tarOf({ name: 'big', data: Buffer.alloc(2_000), mode: 0o644, modified: 0 });
    expect(() => read(archive.subarray(0, 512), 512, 1_999)).toThrow('The file has 2000 bytes, more than the limit');
  });

  it('is not there before its end, and in no archive without a file', () => {
    const archive = tarOf({ name: 'f', data: Buffer.alloc(2_000), mode: 0o644, modified: 0 });
    expect(read(archive.subarray(0, 2_000))).toBeUndefined();
    expect(read(Buffer.alloc(1_024))).toBeUndefined();
    expect(() => read(Buffer.alloc(512, 'x'))).toThrow('The answer of tar is no archive');
  });

  it('comes back as it was written, whatever the pieces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.integer({ min: 1, max: 900 }), (bytes, pieces) => {
        const data = Buffer.from(bytes);
        const archive = tarOf({ name: 'f', data, mode: 0o755, modified: 5 });
        expect(read(archive, pieces)).toEqual({ data, mode: 0o755, modified: 5 });
      }),
      { numRuns: 100 },
    );
  });
});
