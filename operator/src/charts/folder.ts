import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFailed, shownName } from './error';
import { checkedPath, FileBudget, MAX_ARCHIVE_BYTES, archiveTooLarge, type ChartFiles } from './files';

/** What lies below the charts folder at a path. */
export interface Listing {
  readonly kind: 'folder' | 'archive';
  /** By the path below the listed folder; an archive has itself alone, by its name. */
  readonly files: readonly ListedFile[];
  /** The same as long as nobody writes one of the files. */
  readonly fingerprint: string;
}

interface ListedFile {
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
}

/**
 * Lists what lies at a path below the charts folder. Only real folders and files count: a link would let a chart read
 * whatever the operator can, its token for instance, because helm follows links in folders. The charts folder itself may
 * be reached by links, which are the administrator's.
 *
 * @param path as `spec.source.chart.path` says it
 * @throws ChartError
 */
export async function listChart(chartsDir: string, path: string): Promise<Listing> {
  const root = await realpath(chartsDir).catch(() => {
    throw renderFailed('The charts folder of the operator does not exist: see --charts-dir.');
  });
  let absolute = root;
  let entry: Entry | undefined = { kind: 'folder' };
  for (const name of checkedPath(path).split('/')) {
    absolute = join(absolute, name);
    entry = entry.kind === 'folder' ? await look(absolute, path) : undefined;
    if (entry === undefined) throw renderFailed(`There is no chart ${shownName(path)} below the charts folder.`);
  }
  if (entry.kind === 'file') {
    if (entry.size > MAX_ARCHIVE_BYTES) throw archiveTooLarge();
    const file = { path: path.split('/').at(-1) ?? path, absolute, size: entry.size };
    return { kind: 'archive', files: [file], fingerprint: entry.fingerprint };
  }
  const walk = new Walk();
  await walk.into(absolute, '');
  return { kind: 'folder', files: walk.files, fingerprint: walk.fingerprints.join('\n') };
}

/**
 * Reads the files of a listing.
 *
 * @throws ChartError when one of them has changed since it was listed
 */
export async function readListing({ files }: Listing): Promise<ChartFiles> {
  const read = new Map<string, Buffer>();
  for (const { path, absolute, size } of files) {
    const bytes = await readFile(absolute, size);
    if (bytes?.length !== size) {
      throw renderFailed(`${shownName(path)} of the chart was changed while it was read.`);
    }
    read.set(path, bytes);
  }
  return read;
}

class Walk {
  readonly files: ListedFile[] = [];
  readonly fingerprints: string[] = [];
  private readonly budget = new FileBudget();

  async into(folder: string, under: string): Promise<void> {
    const names = await readdir(folder);
    for (const name of names.sort()) {
      const path = checkedPath(under === '' ? name : `${under}/${name}`);
      const absolute = join(folder, name);
      const found = await look(absolute, path);
      if (found?.kind === 'folder') {
        this.budget.take(path, 0);
        await this.into(absolute, path);
      } else if (found?.kind === 'file') {
        this.budget.take(path, found.size);
        this.files.push({ path, absolute, size: found.size });
        this.fingerprints.push(`${path} ${found.fingerprint}`);
      }
    }
  }
}

type Entry =
  { readonly kind: 'folder' } | { readonly kind: 'file'; readonly size: number; readonly fingerprint: string };

/** What is at a path itself, links not followed; undefined: nothing. */
async function look(absolute: string, path: string): Promise<Entry | undefined> {
  const stat = await lstat(absolute, { bigint: true }).catch(() => undefined);
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return { kind: 'folder' };
  if (!stat.isFile()) {
    const what = stat.isSymbolicLink() ? 'a symbolic link' : 'no regular file';
    throw renderFailed(`${shownName(path)} is ${what}: a chart may have folders and regular files only.`);
  }
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return { kind: 'file', size: Number(size), fingerprint: [dev, ino, size, mtimeNs, ctimeNs].join(' ') };
}

/** Reads a file of a known size; undefined when it is no regular file any more or cannot be read. */
async function readFile(absolute: string, size: number): Promise<Buffer | undefined> {
  // Not even a link or pipe that was put there after the listing is followed or waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(absolute, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    // One byte more, to see a file that has grown.
    const buffer = Buffer.alloc(Math.min(size, MAX_ARCHIVE_BYTES) + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count) {
      count = (await file.read(buffer, length, buffer.length - length, null)).bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
