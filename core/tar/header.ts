/** Archives consist of blocks of this size. */
export const BLOCK = 512;

/** What is used of the header of an entry. Format: POSIX ustar, with GNU's large numbers. */
export interface Header {
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modified: number;
}

/** Reads a header; undefined for a block of zeros, with which archives end. @throws RangeError when it is none */
export function parseHeader(block: Buffer): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (numberAt(block, 148, 8) !== checksum(block)) throw new RangeError('no header');
  return {
    type: String.fromCharCode(block[156] ?? 0),
    size: numberAt(block, 124, 12),
    mode: numberAt(block, 100, 8) & 0o7777,
    modified: numberAt(block, 136, 12),
  };
}

/** Makes a header of a name of at most 100 bytes. */
export function headerOf(name: Buffer, { type, size, mode, modified }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  name.copy(block, 0, 0, 100);
  block.write(octal(mode, 7), 100, 'latin1');
  block.write(octal(0, 7), 108, 'latin1');
  block.write(octal(0, 7), 116, 'latin1');
  block.write(octal(size, 11), 124, 'latin1');
  block.write(octal(modified, 11), 136, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Zeros up to the next whole block. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The sum of all bytes, the field of the sum itself taken as spaces. */
function checksum(block: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0);
  return sum;
}

/** Octal digits, or GNU's binary form when the highest bit is set. */
function numberAt(block: Buffer, start: number, length: number): number {
  if (((block[start] ?? 0) & 0x80) !== 0) {
    let value = (block[start] ?? 0) & 0x7f;
    for (let at = start + 1; at < start + length; at += 1) value = value * 256 + (block[at] ?? 0);
    if (!Number.isSafeInteger(value)) throw new RangeError('number too large');
    return value;
  }
  const digits = block
    .toString('latin1', start, start + length)
    .replace(/\0.*$/s, '')
    .trim();
  if (!/^[0-7]*$/.test(digits)) throw new RangeError('no number');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`;
}
