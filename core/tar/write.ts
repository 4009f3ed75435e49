import { BLOCK, headerOf, padding } from './header';

/** A file to put into an archive. */
export interface FileToWrite {
  /** Without a path. */
  readonly name: string;
  readonly data: Buffer;
  /** For instance 0o644. */
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modified: number;
}

const MAX_NAME_BYTES = 100;

/** An archive of one file. A name of more than 100 bytes is told by a pax header, which every tar in use reads. */
export function tarOf({ name, data, mode, modified }: FileToWrite): Buffer {
  const encoded = Buffer.from(name);
  const entry = [
    headerOf(encoded.subarray(0, MAX_NAME_BYTES), { type: '0', size: data.length, mode, modified }),
    data,
    padding(data.length),
  ];
  const extended = encoded.length <= MAX_NAME_BYTES ? [] : paxHeader(name, modified);
  return Buffer.concat([...extended, ...entry, Buffer.alloc(2 * BLOCK)]);
}

function paxHeader(name: string, modified: number): Buffer[] {
  const record = paxRecord('path', name);
  const header = headerOf(Buffer.from('pax'), { type: 'x', size: record.length, mode: 0o644, modified });
  return [header, record, padding(record.length)];
}

/** `LENGTH path=NAME\n`, where the length counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
