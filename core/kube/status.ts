import type { StatusCause, FieldConflict } from './errors';
import { isRecord } from './kubeObject';
import { oneLine, serverText, withoutValue, type Disclosure } from './serverText';

/** A `Status` object (meta/v1) as far as we use it, untouched: `message` is not safe to show. */
export interface ParsedStatus {
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly message: string;
  /** Plural name of the resource, or its kind: the API server writes either. */
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly continueToken: string | undefined;
  readonly causes: readonly RawCause[];
}

/** A cause as the API server sent it; `message` is not safe to show. */
export interface RawCause {
  readonly reason: string | undefined;
  readonly field: string | undefined;
  readonly message: string;
}

const MAX_CAUSES = 50;
const MAX_FIELD = 200;

/** Reads a Status; undefined when the value is none. Never throws. */
export function parseStatus(value: unknown): ParsedStatus | undefined {
  if (!isRecord(value) || value.kind !== 'Status') return undefined;
  const details = isRecord(value.details) ? value.details : {};
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  const causes = Array.isArray(details.causes) ? details.causes.filter(isRecord).slice(0, MAX_CAUSES) : [];
  return {
    code: integer(value.code),
    reason: identifier(value.reason),
    message: text(value.message) ?? '',
    kind: text(details.kind),
    name: text(details.name),
    retryAfterSeconds: integer(details.retryAfterSeconds),
    continueToken: filled(metadata.continue),
    causes: causes.map((cause) => ({
      reason: identifier(cause.reason),
      field: filled(cause.field),
      message: text(cause.message) ?? '',
    })),
  };
}

/** The causes as they may be shown: field and reason, and what is wrong without the value. */
export function safeCauses(causes: readonly RawCause[], disclosure: Disclosure): readonly StatusCause[] {
  return causes.map((cause) => ({
    reason: cause.reason,
    field: cause.field === undefined ? undefined : oneLine(cause.field, MAX_FIELD),
    message: serverText(aboutField(cause) ? withoutValue(cause.message) : cause.message, disclosure),
  }));
}

/** A cause whose message may hold the value of a field. */
function aboutField(cause: RawCause): boolean {
  if (cause.reason === 'FieldManagerConflict') return false;
  return cause.field !== undefined || (cause.reason?.startsWith('FieldValue') ?? false);
}

/** Conflicts of an apply: who owns which field. Source: managedfields/internal/conflict.go of apimachinery. */
export function applyConflicts(causes: readonly RawCause[]): readonly FieldConflict[] {
  return causes
    .filter((cause) => cause.reason === 'FieldManagerConflict')
    .map((cause) => ({
      manager: oneLine(/^conflict with "((?:[^"\\]|\\.)*)"/.exec(cause.message)?.[1] ?? 'unknown', 128) ?? 'unknown',
      field: oneLine(cause.field ?? '', MAX_FIELD) ?? '',
    }));
}

/** What the authorizer says a request needed: more exact than what we asked (an apply may need `create`). */
export interface DeniedRight {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
}

const DENIED =
  /User "([^"]{1,253})" cannot ([a-z]{1,32}) resource "([a-z0-9.-]{1,128})(?:\/([a-z0-9/.-]{1,128}))?" in API group "([a-z0-9.-]{0,253})" (?:in the namespace "([a-z0-9-]{1,63})"|at the cluster scope)/;

/** The right a 403 of the authorizer names; undefined when something else refused (admission, quota). */
export function deniedRight(message: string): DeniedRight | undefined {
  const found = DENIED.exec(message);
  if (!found) return undefined;
  const [, user = '', verb = '', resource = '', subresource, group = '', namespace] = found;
  return { user: oneLine(user, 253) ?? '', verb, group, resource, subresource, namespace };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function filled(value: unknown): string | undefined {
  return value === '' ? undefined : text(value);
}

/** Reasons are words of letters; anything else is not shown. */
function identifier(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9./-]{0,127}$/.test(value) ? value : undefined;
}

function integer(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
