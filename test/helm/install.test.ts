import { describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { findHelm } from './install';
import { fileOfZip } from './zip';

describe('helm for the tests', () => {
  it('is the one of HELM_BIN where that is set', async () => {
    await expect(findHelm({ env: { HELM_BIN: '/opt/helm' } })).resolves.toBe('/opt/helm');
  });
});

describe('a file of a zip archive', () => {
  const zip = zipOf([
    { name: 'a/', bytes: Buffer.alloc(0) },
    { name: 'a/plain', bytes: Buffer.from('plain') },
    { name: 'a/packed', bytes: Buffer.from('packed '.repeat(100)), deflated: true },
  ]);

  it('is found by its name', () => {
    expect(fileOfZip(zip, 'a/plain').toString()).toBe('plain');
    expect(fileOfZip(zip, 'a/packed').toString()).toBe('packed '.repeat(100));
  });

  it('is missed where there is none', () => {
    expect(() => fileOfZip(zip, 'b')).toThrow('The zip archive has no b');
    expect(() => fileOfZip(Buffer.from('no zip'), 'b')).toThrow('Not a zip archive');
  });
});

function zipOf(files: readonly { name: string; bytes: Buffer; deflated?: boolean }[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, deflated = false } of files) {
    const packed = deflated ? deflateRawSync(bytes) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(deflated ? 8 : 0, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    entries.push(entry, Buffer.from(name));
    offset += local.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...entries, end]);
}
