import type { ErrorCode, JsonValue } from '../errors';
import type { FieldConflict, StatusCause } from './errors';
import type { AccessAttributes } from './rbac';
import type { Disclosure } from './serverText';
import type { ParsedStatus } from './status';
import type { RequestSubject } from './subject';

/** An error answer, read as far as it could be. */
export interface ErrorAnswer {
  readonly httpStatus: number;
  /** Undefined when the body is no Status (text, HTML, empty). */
  readonly status: ParsedStatus | undefined;
  /** Whether the body is HTML: Kubernetes sends none. */
  readonly html: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** Undefined for requests without a resource (version, discovery). */
  readonly subject: RequestSubject | undefined;
  readonly disclosure: Disclosure;
}

/** What is made of an answer: the parts of a {@link KubeApiError}. */
export interface Explanation {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, JsonValue>>;
  readonly conflicts?: readonly FieldConflict[];
}

/** What explanations are made from. */
export interface Context extends ErrorAnswer {
  readonly causes: readonly StatusCause[];
  /** `read Pod "x" in namespace "y"`. */
  readonly action: string;
  /** What the API server says in words, safe; undefined when nothing may be shown. */
  readonly says: string | undefined;
}

/** A sentence, with what the API server says where it may be shown. */
export function withWords(sentence: string, says: string | undefined): string {
  return says === undefined ? `${sentence}.` : `${sentence}: ${says.replace(/\.$/, '')}.`;
}

/** The right a request needs, as details of its error. */
export function subjectDetails(subject: AccessAttributes | undefined): Record<string, JsonValue> {
  if (!subject) return {};
  return {
    verb: subject.verb,
    group: subject.group,
    resource: subject.resource,
    subresource: subject.subresource ?? null,
    namespace: subject.namespace ?? null,
    name: subject.name ?? null,
  };
}
