import { failure, html, overloaded } from '../behaviours';
import type { Behaviour } from '../faultServer';
import type { Refusal } from './plan';

interface Shape {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** As kube-apiserver 1.37 words them. */
const SHAPES: Readonly<Record<Exclude<Refusal, 'web-page'>, Shape>> = {
  expired: { code: 410, reason: 'Expired', message: 'too old resource version: 1 (2)' },
  throttled: {
    code: 429,
    reason: 'TooManyRequests',
    message: 'storage is (re)initializing',
    details: { retryAfterSeconds: 1 },
  },
  unavailable: { code: 503, reason: 'ServiceUnavailable', message: 'apiserver is shutting down' },
  timeout: { code: 504, reason: 'Timeout', message: 'Timeout: request did not complete within the allotted timeout' },
  'version-too-large': {
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 2, current: 1',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  },
  forbidden: { code: 403, reason: 'Forbidden', message: 'the right was taken away' },
  unauthorized: { code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
  internal: { code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' },
};

/** The Status of a refusal; a web page in a stream is no Status, so it stands for an internal error there. */
export function refusalStatus(as: Refusal): object {
  const { code, reason, message, details = {} } = SHAPES[as === 'web-page' ? 'internal' : as];
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code };
}

/** Refuses a request. */
export function refuse(as: Refusal): Behaviour {
  if (as === 'web-page') return html();
  if (as === 'throttled') return overloaded('1');
  const { code, reason, message, details } = SHAPES[as];
  return failure(code, reason, message, details, as === 'version-too-large' ? { 'Retry-After': '1' } : {});
}
