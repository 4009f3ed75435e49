import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGunzip, gunzip, gunzipSync } from 'node:zlib';
import { NavinError } from '../errors';
import { responseError } from './errors';
import { discard, GrowingBytes } from './growingBytes';
import { isRecord } from './kubeObject';

/** How a body is encoded. We ask for gzip at most. */
export type Encoding = 'identity' | 'gzip';

/** @throws NavinError `k8s_response_invalid` for an encoding that was not asked for */
export function encodingOf(header: string | undefined): Encoding {
  switch (header?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    default:
      throw responseError('The answer is compressed in a way that was not asked for.');
  }
}

/** A body that goes on, unpacked piece by piece. */
export function unpackStream(body: Readable, encoding: Encoding): Readable {
  if (encoding === 'identity') return body;
  const unpacked = createGunzip();
  unpacked.on('error', () => undefined);
  body.once('error', (error) => unpacked.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) unpacked.destroy(prematureClose());
  });
  unpacked.once('close', () => body.destroy());
  return body.pipe(unpacked);
}

/** The error of a stream that ends without its end. */
export function prematureClose(): Error {
  return Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/**
 * Room for a usual page in one piece, so that nothing has to be put together. What a page does not fill is address space
 * only, but counts as memory outside the heap, by which V8 decides when to collect.
 */
const UNPACK_CHUNK = 8 * 1024 * 1024;
const gunzipAsync = promisify(gunzip);

/**
 * A whole body, unpacked beside the event loop. It stops as soon as there are more than `maxBytes`, so a gzip bomb costs no
 * more than that. What was packed is gone afterwards.
 *
 * @throws NavinError `k8s_response_too_large`, `k8s_response_invalid`
 */
export async function unpack(body: Body, encoding: Encoding, maxBytes: number): Promise<Body> {
  if (encoding === 'identity') return body;
  const options = { maxOutputLength: maxBytes, chunkSize: Math.max(64, Math.min(UNPACK_CHUNK, maxBytes + 1)) };
  try {
    const bytes = await gunzipAsync(body.bytes, options);
    body.release();
    return {
      bytes,
      release: () => {
        discard(bytes);
      },
    };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw responseError('The compressed answer is damaged.');
  }
}

/** The beginning of a body, from its first piece; empty when that is too short to say. */
export function unpackHead(piece: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'identity') return piece;
  try {
    return gunzipSync(piece.subarray(0, 4096), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

/** A whole body. */
export interface Body {
  readonly bytes: Buffer;
  /**
   * Gives its memory back at once, where it is its own. The collector would do so pages later, and a long list would hold
   * several pages that nobody needs. Nothing may use the bytes afterwards.
   */
  readonly release: () => void;
}

/** Bounds of {@link readAll}. */
export interface ReadBounds {
  /** As they come, in bytes. */
  readonly maxBytes: number;
  /** The longest silence, in ms. */
  readonly idleMs: number;
  /** Makes the error for a silence that was too long. */
  readonly onIdle: () => Error;
  /** Gets the first piece as soon as it is there. */
  readonly onHead?: ((head: Buffer) => void) | undefined;
}

/**
 * Reads a body to its end into one buffer; bytes are counted as they come.
 *
 * @throws NavinError `k8s_response_too_large`, the error of `onIdle`, or the error of the connection
 */
export function readAll(body: Readable, bounds: ReadBounds): Promise<Body> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let whole: GrowingBytes | undefined;
    let size = 0;
    const idle = setTimeout(() => {
      fail(bounds.onIdle());
    }, bounds.idleMs);
    let settled = false;
    const fail = (error: Error): void => {
      settled = true;
      clearTimeout(idle);
      reject(error);
      body.destroy();
    };
    body.on('data', (chunk: Buffer) => {
      idle.refresh();
      size += chunk.length;
      if (size > bounds.maxBytes) {
        fail(tooLarge(bounds.maxBytes));
        return;
      }
      if (first === undefined) {
        bounds.onHead?.(chunk);
        first = chunk;
        return;
      }
      if (whole === undefined) {
        whole = new GrowingBytes();
        whole.push(first);
      }
      whole.push(chunk);
    });
    body.once('end', () => {
      settled = true;
      clearTimeout(idle);
      resolve(
        whole === undefined
          ? // One piece lies in memory that the connection may use.
            { bytes: first ?? Buffer.alloc(0), release: () => undefined }
          : { bytes: whole.bytes(), release: whole.release.bind(whole) },
      );
    });
    body.once('error', fail);
    body.once('close', () => {
      // Every body closes; an error costs its stack.
      if (!settled) fail(prematureClose());
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

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}
