import type { Readable } from 'node:stream';
import type { NavinError } from '../errors';
import type { Deadline } from './deadline';
import { timeoutError } from './networkError';

/**
 * The body of an answer that goes on, read piece by piece. It ends with `undefined` only when the server ended it
 * properly; a connection that breaks is an error.
 */
export class ByteStream {
  private readonly pieces: AsyncIterator<Buffer, undefined>;

  constructor(
    /** Status of the answer, 2xx. */
    readonly status: number,
    private readonly body: Readable,
    private readonly deadline: Deadline,
    private readonly translate: (error: unknown) => NavinError,
  ) {
    this.pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /**
   * The next piece; undefined at the end.
   *
   * @param timeoutMs the longest silence, in ms
   * @throws NavinError `k8s_timeout`, `k8s_aborted`, `k8s_unreachable`, `k8s_response_invalid`
   */
  async read(timeoutMs: number): Promise<Buffer | undefined> {
    this.deadline.limit(timeoutMs);
    try {
      const step = await this.pieces.next();
      if (step.done !== true) return step.value;
      if (this.deadline.reason === undefined) {
        this.close();
        return undefined;
      }
      throw this.stopped(undefined, timeoutMs);
    } catch (error) {
      this.close();
      throw this.stopped(error, timeoutMs);
    } finally {
      this.deadline.unlimit();
    }
  }

  private stopped(error: unknown, timeoutMs: number): NavinError {
    return this.deadline.reason === 'timeout'
      ? timeoutError({ phase: 'answered', reusedSocket: false }, 'The answer stood still: not one byte came', timeoutMs)
      : this.translate(error);
  }

  /** Gives the connection up, if the end was not reached. */
  close(): void {
    this.body.destroy();
    this.deadline.dispose();
  }
}
