import { open, stat } from 'node:fs/promises';
import { systemCode } from './systemCode';
import { UsageError } from './usageError';

/**
 * Reads a file that a flag names: a regular one, up to its bound. Links count as what they lead to, because mounted Secrets
 * and ConfigMaps are links; a pipe is not even opened, because it would block.
 *
 * @throws UsageError naming the flag
 */
export async function readBoundedFile(flag: string, path: string, maxBytes: number): Promise<string> {
  try {
    if (!(await stat(path)).isFile()) throw new UsageError(`${flag} does not name a regular file.`);
    const file = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(maxBytes + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length));
      }
      if (length > maxBytes) throw new UsageError(`${flag} names a file that is larger than ${maxBytes / 1024} KiB.`);
      return bytes.toString('utf8', 0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag} names a file that cannot be read (${systemCode(error)}).`);
  }
}
