/** Why an n8n for the tests could not be had, or did not do what it was asked. */
export type N8nErrorCode =
  /** npm could not install the locked packages. */
  | 'install_failed'
  /** n8n's SQLite driver must be compiled, and a program for that is missing. */
  | 'tools_missing'
  /** n8n's SQLite driver could not be compiled. */
  | 'driver_failed'
  /** The package under test could not be packed or unpacked. */
  | 'package_failed'
  /** n8n ended, or did not get ready in time. */
  | 'start_failed'
  /** A request was answered by an error. */
  | 'request_failed'
  /** An execution did not end in time. */
  | 'timeout';

/** An error of the n8n under test; the message says what to do. */
export class N8nError extends Error {
  override readonly name = 'N8nError';

  constructor(
    readonly code: N8nErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
