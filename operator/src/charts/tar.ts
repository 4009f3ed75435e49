import { renderFailed } from './error';

/** A regular file of an archive. */
export interface TarFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const BLOCK = 512;
/** The most bytes of a header that gives the long name of the next file. */
const MAX_NAME_BYTES = 64 * 1024;

/**
 * The regular files of a tar archive (POSIX ustar and pax, and GNU's long names), in order. Folders are left out, since
 * files name theirs. Links, devices and everything else is refused: a chart needs none.
 *
 * @throws ChartError
 */
export function* readTar(archive: Buffer): Generator<TarFile> {
  let longName: string | undefined;
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const header = archive.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (!hasValidSum(header)) throw damaged();
    const size = octal(header.subarray(124, 136));
    const begin = offset + BLOCK;
    if (begin + size > archive.length) throw damaged();
    const bytes = archive.subarray(begin, begin + size);
    offset = begin + Math.ceil(size / BLOCK) * BLOCK;

    const type = String.fromCharCode(header[156] ?? 0);
    switch (type) {
      case 'x':
        longName = paxPath(bytes) ?? longName;
        continue;
      case 'L':
        longName = nameIn(bytes);
        continue;
      case 'g':
        // Facts about the archive as a whole, such as git's commit.
        continue;
      case '5':
        break;
      case '0':
      case '7':
      case '\0':
        yield { path: longName ?? shortName(header), bytes };
        break;
      default:
        throw renderFailed('The archive of the chart has a link or a special file, which is not allowed.');
    }
    longName = undefined;
  }
}

function damaged(): Error {
  return renderFailed('The archive of the chart is damaged or no archive at all.');
}

/** The sum of all bytes, those of the sum itself counted as spaces. */
function hasValidSum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return sum === octal(header.subarray(148, 156));
}

function octal(field: Buffer): number {
  const text = /^ *([0-7]{1,11})[ \0]*$/.exec(field.toString('latin1'))?.[1];
  // Also base 256, which is for files of more than 8 GiB.
  if (text === undefined) throw damaged();
  return Number.parseInt(text, 8);
}

function shortName(header: Buffer): string {
  const name = nameIn(header.subarray(0, 100));
  // Only ustar has a prefix; GNU's own form keeps times there.
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? nameIn(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function nameIn(field: Buffer): string {
  if (field.length > MAX_NAME_BYTES) throw damaged();
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

/** The path among the records `length key=value\n` of a pax header. */
function paxPath(records: Buffer): string | undefined {
  if (records.length > MAX_NAME_BYTES) throw damaged();
  let path: string | undefined;
  for (let offset = 0; offset < records.length;) {
    const space = records.indexOf(0x20, offset);
    const length = Number(records.toString('latin1', offset, space));
    if (space === -1 || !Number.isInteger(length) || length <= space - offset || offset + length > records.length) {
      throw damaged();
    }
    const record = records.toString('utf8', space + 1, offset + length - 1);
    // The size in the header is what counts here: an archive that says another in a record is not read two ways.
    if (record.startsWith('size=')) throw damaged();
    if (record.startsWith('path=')) path = record.slice('path='.length);
    offset += length;
  }
  return path;
}
