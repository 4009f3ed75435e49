import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { NavinError } from '../errors';
import { responseError } from './errors';
import { isRecord } from './kubeObject';

/** Larger than the 16 KiB of zlib's default: a page has megabytes. */
const GUNZIP_CHUNK = 64 * 1024;

/** The body without its Content-Encoding. We ask for gzip at most; what is encoded otherwise cannot be read. */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip': {
      const gunzip = createGunzip({ chunkSize: GUNZIP_CHUNK });
      gunzip.on('error', () => undefined);
      body.once('error', (error) => gunzip.destroy(error));
      body.once('close', () => {
        if (!body.readableEnded) gunzip.destroy(prematureClose());
      });
      gunzip.once('close', () => body.destroy());
      return body.pipe(gunzip);
    }
    default:
      body.destroy();
      throw responseError('The answer is compressed in a way that was not asked for.');
  }
}

/** The error of a stream that ends without its end. */
export function prematureClose(): Error {
  return Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** Bounds of {@link readAll}. */
export interface ReadBounds {
  /** After decompression, in bytes. */
  readonly maxBytes: number;
  /** The longest silence, in ms. */
  readonly idleMs: number;
  /** Makes the error for a silence that was too long. */
  readonly onIdle: () => Error;
  /** Gets the first piece as soon as it is there. */
  readonly onHead?: ((head: Buffer) => void) | undefined;
}

/**
 * Reads a body to its end into one buffer. Bytes are counted as they come, after decompression, so a gzip bomb costs no
 * more than the limit.
 *
 * @throws NavinError `k8s_response_too_large`, `k8s_response_invalid` (broken gzip), the error of `onIdle`, or the error
 * of the connection.
 */
export function readAll(body: Readable, bounds: ReadBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const idle = setTimeout(() => {
      fail(bounds.onIdle());
    }, bounds.idleMs);
    const fail = (error: Error): void => {
      clearTimeout(idle);
      reject(isZlibError(error) ? responseError('The compressed answer is damaged.') : error);
      body.destroy();
    };
    body.on('data', (chunk: Buffer) => {
      idle.refresh();
      size += chunk.length;
      if (size > bounds.maxBytes) {
        fail(tooLarge(bounds.maxBytes));
        return;
      }
      if (chunks.length === 0) bounds.onHead?.(chunk);
      chunks.push(chunk);
    });
    body.once('end', () => {
      clearTimeout(idle);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    });
    body.once('error', fail);
    body.once('close', () => {
      // After `end` or `error` this changes nothing.
      fail(prematureClose());
    });
  });
}

/** The answer is larger than `maxBytes`. */
export function tooLarge(maxBytes: number): NavinError {
  return new NavinError('k8s_response_too_large', `The answer is larger than ${inMegabytes(maxBytes)}.`, {
    hint: 'Ask for less at once: a namespace, a selector, a smaller page.',
    details: { maxBytes },
  });
}

function inMegabytes(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024);
  return mebibytes >= 1 ? `${Math.round(mebibytes * 10) / 10} MiB` : `${bytes} bytes`;
}

function isZlibError(error: unknown): boolean {
  const code = isRecord(error) ? error.code : undefined;
  return typeof code === 'string' && /^Z_(?:DATA|BUF|NEED_DICT|STREAM)_?/.test(code);
}
