import type { IncomingMessage, ServerResponse } from 'node:http';

const LINE_BREAK = 0x0a;

/** The whole body. */
export async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Whole lines with their line breaks, until the answer ends or the signal aborts. */
export async function* linesOf(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  let rest = Buffer.alloc(0);
  const stop = (): void => {
    answer.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of answer) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (let at = rest.indexOf(LINE_BREAK); at >= 0; at = rest.indexOf(LINE_BREAK)) {
        yield rest.subarray(0, at + 1);
        rest = rest.subarray(at + 1);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Settles when the bytes have left, or never will. */
export function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => {
      resolve();
    });
  });
}
