import { NavinError, type ErrorCode, type NavinErrorOptions } from '../errors';

/** One cause of a Status, safe to show: values are taken out of it ({@link file://./serverText.ts}). */
export interface StatusCause {
  /** For instance `FieldValueInvalid`, `FieldManagerConflict`, `DisruptionBudget`. */
  readonly reason: string | undefined;
  /** Path of the field, for instance `spec.template.spec.containers[0].image`. */
  readonly field: string | undefined;
  /** What is wrong, without the value. */
  readonly message: string | undefined;
}

/** A field that another field manager owns: why an apply was refused. */
export interface FieldConflict {
  readonly manager: string;
  /** As the API server writes it, for instance `.spec.replicas`. */
  readonly field: string;
}

/** What a {@link KubeApiError} knows beside its message. */
export interface KubeApiErrorOptions extends NavinErrorOptions {
  readonly httpStatus: number;
  readonly reason?: string | undefined;
  readonly causes?: readonly StatusCause[];
  readonly conflicts?: readonly FieldConflict[];
  readonly retryAfterSeconds?: number | undefined;
  readonly continueToken?: string | undefined;
}

/** The API server (or something in its place) answered with an error. Made by `answerError` only. */
export class KubeApiError extends NavinError {
  /** Status of the HTTP answer, or the code of the Status in a watch. */
  readonly httpStatus: number;
  /** Reason of the Status, for instance `NotFound`; undefined when the answer was no Status. */
  readonly reason: string | undefined;
  readonly causes: readonly StatusCause[];
  /** Fields owned by others, for a refused apply. */
  readonly conflicts: readonly FieldConflict[];
  /** How long the server asks to wait before the next try, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** With 410 while paging: the token that goes on with a list that is no longer consistent. */
  readonly continueToken: string | undefined;

  constructor(code: ErrorCode, message: string, options: KubeApiErrorOptions) {
    super(code, message, options);
    this.httpStatus = options.httpStatus;
    this.reason = options.reason;
    this.causes = options.causes ?? [];
    this.conflicts = options.conflicts ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.continueToken = options.continueToken;
  }

  /** Whether the Status names this cause, for instance `ResourceVersionTooLarge` (504) or `DisruptionBudget` (429). */
  hasCause(reason: string): boolean {
    return this.causes.some((cause) => cause.reason === reason);
  }
}

/** How far a request came before it failed. */
export type RequestPhase = 'connecting' | 'sent' | 'answered';

/** What a {@link KubeConnectionError} knows beside its message. */
export interface KubeConnectionErrorOptions extends NavinErrorOptions {
  readonly phase: RequestPhase;
  readonly reusedSocket?: boolean;
  readonly retryable?: boolean;
}

/**
 * No whole answer came: DNS, connect, TLS, reset, time limit. Codes: `k8s_dns_failed`, `k8s_unreachable`,
 * `k8s_tls_untrusted`, `k8s_timeout`, `k8s_aborted`, `k8s_not_kubernetes` (not TLS, not HTTP), `k8s_unauthorized` (client
 * certificate refused in the handshake).
 */
export class KubeConnectionError extends NavinError {
  /** `connecting`: not one byte of the request was sent, for certain. */
  readonly phase: RequestPhase;
  /** The connection was idle before: the server may have closed it at the same moment. */
  readonly reusedSocket: boolean;
  /** Whether the same request may succeed a little later. */
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: KubeConnectionErrorOptions) {
    super(code, message, options);
    this.phase = options.phase;
    this.reusedSocket = options.reusedSocket ?? false;
    this.retryable = options.retryable ?? false;
  }
}

/** Shorthand for a parameter that cannot be used (`k8s_parameter_invalid`). */
export function parameterError(parameter: string, message: string): NavinError {
  return new NavinError('k8s_parameter_invalid', message, { details: { parameter } });
}

/** Shorthand for an answer that cannot be read (`k8s_response_invalid`). */
export function responseError(message: string, details: NavinErrorOptions['details'] = {}): NavinError {
  return new NavinError('k8s_response_invalid', message, { details });
}
