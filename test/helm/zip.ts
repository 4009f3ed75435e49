import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** One file of a zip archive that is known and trusted (no zip64, no encryption); its sum is for the caller to check. */
export function fileOfZip(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || zip.readUInt32LE(end) !== END) throw new Error('Not a zip archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY) break;
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) return contents(zip, at);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`The zip archive has no ${name}`);
}

function contents(zip: Buffer, entry: number): Buffer {
  const packedSize = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(begin, begin + packedSize);
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(packed) : packed;
}
