import { createHash } from 'node:crypto';
import { type ChartError, renderFailed, shownName } from './error';

/** The files of a chart: what they hold by their path below the folder of the chart. */
export type ChartFiles = ReadonlyMap<string, Buffer>;

/** The most files of a chart, those of its subcharts included. */
export const MAX_FILES = 2_000;
/** The most bytes of one file: helm's own limit. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** The most bytes of all files of a chart. */
export const MAX_CHART_BYTES = 20 * 1024 * 1024;
/** The most bytes of an archive as it is packed. */
export const MAX_ARCHIVE_BYTES = 10 * 1024 * 1024;
/** The longest path of a file, and how many folders it may go through. */
const MAX_PATH = 512;
const MAX_DEPTH = 32;

/** Counts files as they are read, and ends the reading when there are too many or they are too large. */
export class FileBudget {
  private files = 0;
  private bytes = 0;

  /** @throws ChartError before a file is read that would be too much */
  take(path: string, size: number): void {
    this.files += 1;
    this.bytes += size;
    if (this.files > MAX_FILES) throw renderFailed(`The chart has more than ${MAX_FILES} files.`);
    if (size > MAX_FILE_BYTES) {
      throw renderFailed(`${shownName(path)} of the chart is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
    }
    if (this.bytes > MAX_CHART_BYTES) {
      throw renderFailed(`The chart is larger than ${MAX_CHART_BYTES / 1024 / 1024} MiB.`);
    }
  }
}

export function archiveTooLarge(): ChartError {
  return renderFailed(`The archive of the chart is larger than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MiB.`);
}

/**
 * A path below the folder of a chart: relative, `/` between names, no `.` or `..`, nothing that another program could
 * take for something else.
 *
 * @throws ChartError
 */
export function checkedPath(path: string): string {
  const names = path.split('/');
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || /[\\\p{Cc}]/u.test(path) || path.length > MAX_PATH || names.length > MAX_DEPTH) {
    throw renderFailed(`The chart has a file of the name ${shownName(path)}, which is not allowed.`);
  }
  return path;
}

/** The digest of what a chart holds, like `sha256:…`: the same for the same files, wherever they come from. */
export function digestOfFiles(files: ChartFiles): string {
  const sums = [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, bytes]) => [path, sha256(bytes)]);
  return `sha256:${sha256(JSON.stringify(sums))}`;
}

/** The SHA-256, 64 hex digits. */
export function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}
