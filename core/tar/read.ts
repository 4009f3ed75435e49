import { NavinError } from '../errors';
import { BLOCK, type Header, parseHeader } from './header';

/** A file out of an archive. Its name is not told: who asked for it knows it, and no name of an archive is trusted. */
export interface ReadFile {
  readonly data: Buffer;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modified: number;
}

/** Entries that only describe the next one: pax headers, long names of GNU. */
const DESCRIPTIONS = new Set(['x', 'g', 'L', 'K']);
const FILES = new Set(['0', '\0', '7']);
const MAX_DESCRIPTION = 64 * 1024;

/** Reads the first file of an archive that comes in pieces. Nothing is kept but that file, which is bounded. */
export class FileReader {
  private rest: Buffer = Buffer.alloc(0);
  private header: Header | undefined;
  private skip = 0;
  private readonly data: Buffer[] = [];
  private missing = 0;

  constructor(private readonly maxBytes: number) {}

  /**
   * Takes a piece of the archive.
   *
   * @throws NavinError `k8s_response_too_large` as soon as the size of the file is known; `k8s_parameter_invalid` when it is
   * a directory or no file; `k8s_response_invalid` when it is no archive
   */
  push(piece: Buffer): void {
    if (this.header !== undefined) {
      this.take(piece);
      return;
    }
    this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    for (;;) {
      const skipped = Math.min(this.skip, this.rest.length);
      this.rest = this.rest.subarray(skipped);
      this.skip -= skipped;
      if (this.skip > 0 || this.rest.length < BLOCK) return;
      const header = headerIn(this.rest.subarray(0, BLOCK));
      const after = this.rest.subarray(BLOCK);
      if (header === undefined) return;
      if (!DESCRIPTIONS.has(header.type)) {
        this.begin(header);
        this.take(after);
        return;
      }
      if (header.size > MAX_DESCRIPTION) throw noArchive();
      if (header.type === 'x') {
        if (after.length < header.size) return;
        // A pax header tells a size of 8 GiB and more.
        if (/ size=\d/.test(after.toString('latin1', 0, header.size))) throw tooLarge(undefined, this.maxBytes);
      }
      this.skip = BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
    }
  }

  /** The file, when it is there to its end. */
  file(): ReadFile | undefined {
    if (this.header === undefined || this.missing > 0) return undefined;
    return { data: Buffer.concat(this.data), mode: this.header.mode, modified: this.header.modified };
  }

  private begin(header: Header): void {
    if (header.type === '5') throw notAFile('is a directory, not a file');
    if (!FILES.has(header.type)) throw notAFile('is neither a file nor a link to one');
    if (header.size > this.maxBytes) throw tooLarge(header.size, this.maxBytes);
    this.header = header;
    this.missing = header.size;
  }

  private take(piece: Buffer): void {
    const bytes = piece.subarray(0, this.missing);
    if (bytes.length > 0) this.data.push(bytes);
    this.missing -= bytes.length;
  }
}

function headerIn(block: Buffer): Header | undefined {
  try {
    return parseHeader(block);
  } catch {
    throw noArchive();
  }
}

function noArchive(): NavinError {
  return new NavinError('k8s_response_invalid', 'The answer of tar is no archive');
}

function tooLarge(bytes: number | undefined, limitBytes: number): NavinError {
  const size = bytes === undefined ? '8 GiB and more' : `${bytes} bytes`;
  return new NavinError('k8s_response_too_large', `The file has ${size}, more than the limit`, {
    hint: 'Raise the limit, or hand the file on in another way: this is for small files.',
    details: { limitBytes, ...(bytes === undefined ? {} : { bytes }) },
  });
}

function notAFile(what: string): NavinError {
  return new NavinError('k8s_parameter_invalid', `'Path' ${what}`, { details: { parameter: 'path' } });
}
