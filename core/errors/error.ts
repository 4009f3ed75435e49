import type { ErrorCode } from './codes';

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** What an error says beside its message. */
export interface NavinErrorOptions {
  /** How to get unstuck: a sentence or two; may hold YAML to add. */
  readonly hint?: string;
  /** Facts for programs, by name. Never a secret, never raw server output. */
  readonly details?: Readonly<Record<string, JsonValue>>;
  /** The error underneath. It is kept for debugging and never printed. */
  readonly cause?: unknown;
}

/**
 * The base of all errors of the package. `code` is stable (docs/errors.md); `message` says what happened in words that
 * may be shown to anybody: no secret, no key, no token, no raw server output.
 */
export class NavinError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, JsonValue>>;

  constructor(code: ErrorCode, message: string, options: NavinErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

/** Whether an error is one of ours: then its message may be shown. */
export function isNavinError(error: unknown): error is NavinError {
  return error instanceof NavinError;
}
