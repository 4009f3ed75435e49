import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { renderFailed } from './error';
import { archiveTooLarge, checkedPath, FileBudget, MAX_ARCHIVE_BYTES, MAX_CHART_BYTES, type ChartFiles } from './files';
import { readTar } from './tar';

const unzip = promisify(gunzip);
/** Headers and padding of an archive, beside what its files hold. */
const TAR_OVERHEAD = 4 * 1024 * 1024;

/** A chart as `helm package` packs it: one folder in a tar.gz. */
export interface UnpackedArchive {
  /** The name of the folder. */
  readonly folder: string;
  readonly files: ChartFiles;
}

/**
 * Unpacks an archive in memory: nothing of it names a place on this machine.
 *
 * @throws ChartError
 */
export async function unpackArchive(archive: Buffer): Promise<UnpackedArchive> {
  if (archive.length > MAX_ARCHIVE_BYTES) throw archiveTooLarge();
  const budget = new FileBudget();
  const folders = new Set<string>();
  const files = new Map<string, Buffer>();
  for (const { path, bytes } of readTar(await expand(archive))) {
    const [folder = '', ...rest] = checkedPath(path.replace(/^\.\//, '')).split('/');
    const inner = rest.join('/');
    if (inner === '') throw renderFailed('The archive of the chart has a file beside the folder of the chart.');
    if (files.has(inner)) throw renderFailed('The archive of the chart has a file twice.');
    folders.add(folder);
    if (folders.size > 1) throw renderFailed('The archive of the chart has more than one folder.');
    budget.take(inner, bytes.length);
    files.set(inner, bytes);
  }
  const [folder] = folders;
  if (folder === undefined) throw renderFailed('The archive of the chart is empty.');
  // It counts when a folder is packed, and must not filter a second time.
  files.delete('.helmignore');
  return { folder, files };
}

async function expand(archive: Buffer): Promise<Buffer> {
  try {
    return await unzip(archive, { maxOutputLength: MAX_CHART_BYTES + TAR_OVERHEAD });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw renderFailed(`The chart is larger than ${MAX_CHART_BYTES / 1024 / 1024} MiB.`);
    }
    throw renderFailed('The archive of the chart is damaged or no archive at all.');
  }
}
