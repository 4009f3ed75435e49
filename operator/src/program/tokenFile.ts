import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Clock } from '../../../core/clock';
import { UsageError } from './usageError';

/** Kubelets replace a token when four fifths of its time are over, an hour at the least. */
const FRESH_MS = 60_000;
const MAX_BYTES = 16_384;

/** The token of a ServiceAccount, which the kubelet replaces in its file. It is read at most once a minute. */
export class TokenFile {
  private text = '';
  private readAt = -Infinity;

  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** @throws UsageError when there is no token to begin with */
  first(): string {
    try {
      return this.read();
    } catch {
      throw new UsageError(
        'The ServiceAccount of the Pod has no token that can be read: see automountServiceAccountToken of the Pod.',
      );
    }
  }

  /** @throws when the file cannot be read, once; for the next minute the last token is given */
  read(): string {
    const now = this.clock.monotonic();
    if (now - this.readAt < FRESH_MS) return this.text;
    this.readAt = now;
    this.text = readToken(this.path);
    return this.text;
  }
}

/** It is asked for in the middle of a request, so it is read at once. Nothing that could block is opened. */
function readToken(path: string): string {
  if (!statSync(path).isFile()) throw new Error('The token is not in a regular file');
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).trim();
    if (text === '' || text.length > MAX_BYTES) throw new Error('The file of the token is empty or too large');
    return text;
  } finally {
    closeSync(file);
  }
}
