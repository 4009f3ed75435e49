import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type ErrorCode, isNavinError, type NavinError } from '../../core/errors';
import { isTool } from './toolResult';

/** What a workflow sees of a failed item. */
export interface Failure {
  /** What happened. */
  readonly error: string;
  /** Stable, see docs/errors.md. */
  readonly code: ErrorCode;
  /** How to get unstuck; may hold YAML to add to a Role. */
  readonly description: string | undefined;
  /** The answer of the API server, where it answered. */
  readonly httpCode: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** The error itself when it is n8n's: its editor knows what to show of it. */
  readonly original?: Error;
}

/** Codes of errors on the way to the API server: shown as errors of an API although no status came. */
const TRANSPORT: ReadonlySet<ErrorCode> = new Set([
  'k8s_dns_failed',
  'k8s_unreachable',
  'k8s_tls_untrusted',
  'k8s_timeout',
  'k8s_outcome_unknown',
  'k8s_not_kubernetes',
  'k8s_response_invalid',
  'k8s_response_too_large',
]);

/**
 * What is said about an error. Errors of core say it themselves. Errors of n8n (an expression that fails, no credential
 * chosen) keep their text. Anything else is a fault of this package: its text is not shown, because it may hold
 * anything; its kind and place are.
 */
export function describeFailure(error: unknown): Failure {
  if (isNavinError(error)) {
    return {
      error: error.message,
      code: error.code,
      description: error.hint,
      httpCode: httpStatusOf(error),
      details: error.details,
    };
  }
  if (isErrorOfN8n(error)) {
    return {
      error: error.message,
      code: 'k8s_parameter_invalid',
      description: typeof error.description === 'string' ? error.description : undefined,
      httpCode: undefined,
      details: {},
      original: error,
    };
  }
  const kind = error instanceof Error ? error.name : typeof error;
  return {
    error: `The node met something it does not know (${kind})`,
    code: 'k8s_internal',
    description: 'Report it with the workflow that shows it',
    httpCode: undefined,
    details: { kind, at: placeOf(error) },
  };
}

/**
 * An error as n8n shows it: message, description with the stable code, item, HTTP status; `context.code` and
 * `context.details` are for error workflows.
 * @param itemIndex the item it happened at; undefined outside of the loop
 */
export function toNodeError(node: INode, failure: Failure, itemIndex?: number): NodeApiError | NodeOperationError {
  const description = [shownHint(node, failure.description), `Code: ${failure.code}`].flat().join('\n\n');
  const at = itemIndex === undefined ? {} : { itemIndex };
  const httpCode = failure.httpCode === undefined ? {} : { httpCode: String(failure.httpCode) };
  const nodeError =
    failure.httpCode !== undefined || TRANSPORT.has(failure.code)
      ? new NodeApiError(node, { message: failure.error }, { message: failure.error, description, ...httpCode, ...at })
      : // Errors of ours are not passed on: n8n stores causes with the execution, and they may hold request headers.
        new NodeOperationError(node, failure.original ?? failure.error, { description, ...at });
  // n8n replaces messages that contain words like EACCES, which names of objects may contain ("pipelineaccess").
  nodeError.message = failure.error;
  nodeError.description = description;
  Object.assign(nodeError.context, { ...at, code: failure.code, details: failure.details });
  return nodeError;
}

/** Browsers copy it as a space. */
const NO_BREAK_SPACE = '\u00a0';

/**
 * The hint as n8n's editor shows it (2.41): as HTML, whose line breaks and indentation would be lost. A Role to add must stay
 * one that can be copied. An agent reads it as it is.
 */
function shownHint(node: INode, hint: string | undefined): readonly string[] {
  if (hint === undefined) return [];
  if (isTool(node)) return [hint];
  if (!hint.includes('\n')) return [/[.!?:]$/.test(hint) ? hint : `${hint}.`];
  const escaped = hint.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return [escaped.replace(/^ +/gm, (spaces) => NO_BREAK_SPACE.repeat(spaces.length)).replace(/\n/g, '<br>\n')];
}

/**
 * The item that stands for a failed one when the workflow goes on: `error` says what happened, `details` holds the
 * stable code, how to get unstuck, the HTTP status and the facts of the error.
 *
 * The shape is n8n's (2.41, `handleNodeErrorOutput`): an item goes to the error output when its json has `error` and
 * nothing beside `message` and `details`. An `error` beside the json must not be set: n8n then replaces the json by the
 * message alone.
 */
export function failedItem(failure: Failure, item: number): INodeExecutionData {
  const { error, code, description, httpCode, details } = failure;
  const known = {
    code,
    ...(description === undefined ? {} : { description }),
    ...(httpCode === undefined ? {} : { httpCode }),
  };
  return { json: { error, details: { ...details, ...known } as IDataObject }, pairedItem: { item } };
}

function httpStatusOf(error: NavinError): number | undefined {
  return 'httpStatus' in error && typeof error.httpStatus === 'number' ? error.httpStatus : undefined;
}

/** n8n's errors carry the functionality they come from; their class may be of another copy of n8n-workflow. */
function isErrorOfN8n(error: unknown): error is Error & { description?: unknown } {
  return error instanceof Error && 'functionality' in error && 'context' in error;
}

/** File and line of the uppermost frame, without the message. */
function placeOf(error: unknown): string {
  const frame = error instanceof Error ? /\n\s+at [^\n]*?([^\s/(]+:\d+:\d+)\)?/.exec(error.stack ?? '') : null;
  return frame?.[1] ?? 'unknown';
}
