/** Why the disposable cluster could not be had. */
export type ClusterErrorCode =
  /** No Go on the PATH, and the programs are not built yet. */
  | 'go_missing'
  /** Go is there but too old. */
  | 'go_too_old'
  /** A program could not be built. */
  | 'build_failed'
  /** The disk is full. */
  | 'disk_full'
  /** `NAVIN_TEST_ASSETS` names a folder that lacks a program. */
  | 'assets_incomplete'
  /** The asked API server port is used by another program. */
  | 'port_taken'
  /** A program ended, or the cluster did not get ready in time. */
  | 'start_failed'
  /** A witness request or a kubectl call failed. */
  | 'request_failed'
  /** What was waited for did not come in time. */
  | 'timeout';

/** An error of the disposable cluster; the message says what to do. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    readonly code: ClusterErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
