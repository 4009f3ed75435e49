import { parameterInvalid } from '../../../shared/parameters';

/** A file in a container, in the parts tar takes. */
export interface FilePath {
  /** Absolute. */
  readonly folder: string;
  /** Without a slash, never `.` or `..`. */
  readonly name: string;
}

const MAX_PATH = 4_096;
const MAX_NAME_BYTES = 255;

/**
 * Reads an absolute path. What could mean another file than it seems to is refused: `..`, `.`, control characters.
 * @param fallback the name of the file where the path names a folder, with a slash at its end
 */
export function parseFilePath(text: string, fallback?: string): FilePath {
  if (!text.startsWith('/')) throw invalid('must be absolute: it begins with /');
  if (text.length > MAX_PATH) throw invalid(`is longer than ${String(MAX_PATH)} characters`);
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) throw invalid('must not hold control characters');
  const end = text.lastIndexOf('/');
  const given = text.slice(end + 1);
  if (given === '' && fallback === undefined) throw invalid('must name a file, not a folder');
  const segments = text.slice(0, end).split('/').slice(1);
  if ([...segments, given].some((segment) => segment === '.' || segment === '..')) {
    throw invalid('must not hold . or .. as a part');
  }
  const folder = segments.filter((segment) => segment !== '');
  return { folder: `/${folder.join('/')}`, name: given === '' ? plainName(fallback ?? '') : checkedLength(given) };
}

/** The name of a file of a workflow, which anybody may have chosen. */
function plainName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\p{Cc}\p{Surrogate}]/u.test(name)) {
    throw invalid("must name the file: the file's own name cannot be used");
  }
  return checkedLength(name);
}

function checkedLength(name: string): string {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalid(`names a file of more than ${String(MAX_NAME_BYTES)} bytes`);
  return name;
}

function invalid(what: string): Error {
  return parameterInvalid('path', 'Path', what);
}
