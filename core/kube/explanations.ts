import type { Context, Explanation } from './explanation';
import { withWords } from './explanation';
import type { StatusCause } from './errors';
import { oneLine } from './serverText';
import { applyConflicts } from './status';
import { describeSubject, quoted } from './subject';

/* Answers by status, but for those of refusals.ts. */

/** 3xx. A redirect is an error of its own: following it would carry the credential to another server. */
export function redirect({ httpStatus }: Context): Explanation {
  return {
    code: 'k8s_not_kubernetes',
    message: `The server answered with a redirect (${httpStatus}). Redirects are never followed: the credential must not reach another server.`,
    hint: 'Register the address the API server itself has, with its full path, not one that forwards to it.',
    details: { redirect: true },
  };
}

/** A web page where Kubernetes would send JSON. */
export function notKubernetes({ httpStatus }: Context): Explanation {
  return {
    code: 'k8s_not_kubernetes',
    message: `The server answered ${httpStatus} with a web page: this is not a Kubernetes API server, or a proxy in front of it answered.`,
    hint: 'Check the address, port and path of the API server.',
  };
}

/** 404: the object, its namespace, or its kind is missing (`details.missing`: `object`, `namespace`, `kind`). */
export function notFound({ status, subject, httpStatus }: Context): Explanation {
  if (!subject) {
    return {
      code: 'k8s_not_kubernetes',
      message: `The server answered ${httpStatus}: under this address and path there is no Kubernetes API.`,
      hint: 'Check the path of the API server: clusters behind a gateway have one.',
    };
  }
  const group = subject.group === '' ? 'core group' : `group ${subject.group}`;
  if (status?.kind === undefined || (status.name === undefined && subject.name !== undefined)) {
    const served = subject.subresource
      ? `The cluster does not serve ${subject.subresource} of ${subject.resource} (${group})`
      : `The cluster does not serve ${subject.resource} (${group}) in this version`;
    return {
      code: 'k8s_not_found',
      message: `${served}.`,
      hint: 'Check the kind and its group; a CustomResourceDefinition may be missing.',
      details: { missing: 'kind' },
    };
  }
  if (status.kind === 'namespaces' && subject.resource !== 'namespaces') {
    return {
      code: 'k8s_not_found',
      message: `The namespace ${quoted(subject.namespace ?? status.name ?? '')} does not exist.`,
      hint: 'Check the namespace, or create it first.',
      details: { missing: 'namespace' },
    };
  }
  const own = status.kind === subject.resource || status.kind === subject.kind;
  const what = own
    ? describeSubject({ ...subject, subresource: undefined })
    : `${quoted(status.name ?? '')} (${oneLine(status.kind, 64) ?? ''})`;
  return {
    code: 'k8s_not_found',
    message: `${what.charAt(0).toUpperCase()}${what.slice(1)} does not exist.`,
    hint: 'Check the name and the namespace.',
    details: { missing: 'object' },
  };
}

/** 405, 406, 415. */
export function unsupported({ action, says, httpStatus }: Context): Explanation {
  const strategic = httpStatus === 415;
  return {
    code: 'k8s_unsupported',
    message: withWords(`The API server cannot ${action} in this way (${httpStatus})`, says),
    ...(strategic ? { hint: 'Custom resources know no strategic merge patch: use a merge patch or an apply.' } : {}),
  };
}

/** 409: exists already, a field belongs to another manager, or it was changed in between. */
export function conflict(context: Context): Explanation {
  const { status, action, causes, subject } = context;
  if (status?.reason === 'AlreadyExists') {
    return {
      code: 'k8s_already_exists',
      message: `Cannot ${action}: it exists already.`,
      hint: 'Choose another name, let Kubernetes make one (generateName), or change the object that exists.',
    };
  }
  const conflicts = applyConflicts(status?.causes ?? []);
  if (conflicts.length > 0) {
    const list = conflicts.slice(0, 5).map((entry) => `${entry.field} (${entry.manager})`);
    const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : '';
    return {
      code: 'k8s_conflict',
      message: `Cannot apply ${subject ? describeSubject(subject) : 'the object'}: other field managers own ${list.join(', ')}${more}.`,
      hint: 'Leave these fields out, give them the value they have, or force the apply to take them over.',
      conflicts,
      details: { conflicts: conflicts.map(({ manager, field }) => ({ manager, field })) },
    };
  }
  const precondition = /precondition/i.test(status?.message ?? '');
  const because = causes.map((cause) => cause.message).find((message) => message !== undefined);
  return {
    code: 'k8s_conflict',
    message: precondition
      ? `Cannot ${action}: it is not the object that was meant (uid or resourceVersion differ).`
      : withWords(`Cannot ${action}: somebody changed it in between, or its state does not allow it`, because),
    hint: 'Read the object again and repeat the change on what it is now.',
  };
}

/** 410. */
export function expired({ subject }: Context): Explanation {
  return {
    code: 'k8s_expired',
    message: `The version ${subject ? `of ${subject.resource} ` : ''}that was asked for is no longer in the history of the API server.`,
    hint: 'List again: clusters keep about five minutes of history.',
  };
}

/** 414, 431. */
export function tooLongRequest({ httpStatus }: Context): Explanation {
  return {
    code: 'k8s_parameter_invalid',
    message: `The request line is too long for the API server (${httpStatus}).`,
    hint: 'Use a shorter label or field selector.',
  };
}

/** 422: the fields and what is wrong with them, without their values. */
export function invalid(context: Context): Explanation {
  const { causes, action, says } = context;
  const list = causes
    .slice(0, 5)
    .map(causeInWords)
    .filter((words) => words !== '');
  const more = causes.length > 5 ? `; and ${causes.length - 5} more` : '';
  return {
    code: 'k8s_invalid',
    message:
      list.length > 0
        ? `The API server refuses to ${action}: ${list.join('; ')}${more}.`
        : withWords(
            `The API server refuses to ${action}: the object or patch is not valid`,
            causes.length > 0 ? undefined : says,
          ),
    hint: 'Correct the fields that are named. Values are left out on purpose: they may be secret.',
    details: {
      causes: causes.map((cause) => ({
        field: cause.field ?? null,
        reason: cause.reason ?? null,
        message: cause.message ?? null,
      })),
    },
  };
}

function causeInWords(cause: StatusCause): string {
  const problem = cause.message ?? cause.reason ?? '';
  return cause.field === undefined ? problem : `${cause.field}: ${problem}`;
}

/** 429 of the API server itself: overload. */
export function throttled({ retryAfterSeconds, status }: Context): Explanation {
  const seconds = retryAfterSeconds ?? status?.retryAfterSeconds;
  return {
    code: 'k8s_throttled',
    message: `The API server is overloaded and refused the request${seconds === undefined ? '' : ` (it asks to wait ${seconds} s)`}.`,
    hint: 'Try again later, or ask for less at once.',
  };
}

/** 5xx. */
export function serverError({ httpStatus, action, says, causes, status }: Context): Explanation {
  if (causes.some((cause) => cause.reason === 'ResourceVersionTooLarge')) {
    return {
      code: 'k8s_server_error',
      message: `The API server could not ${action}: the version asked for is newer than what it has seen.`,
      hint: 'Try again in a second. If it stays, the cluster was restored from a backup or exchanged: list again.',
    };
  }
  return {
    code: 'k8s_server_error',
    message: withWords(`The API server could not ${action} (${httpStatus})`, says),
    hint: 'Try again later; look at the health of the API server, its admission webhooks and what stands in front of it.',
    details: mayHaveBeenDone(httpStatus, status) ? { outcome: 'unknown' } : {},
  };
}

/**
 * Whether a change may have been made in spite of the error: a gateway lost the answer (502, 504, and whatever else comes
 * without a Status: Envoy says 503 when a connection breaks behind it), or the API server gave up waiting for its store
 * (500 and 503 whose message begins with `etcdserver:` or names a passed deadline).
 */
function mayHaveBeenDone(httpStatus: number, status: Context['status']): boolean {
  if (httpStatus === 501 || httpStatus === 505) return false;
  if (httpStatus === 502 || httpStatus === 504 || status === undefined) return true;
  return /^etcdserver: |^rpc error: |context deadline exceeded/.test(status.message);
}

/** Any other 4xx. */
export function otherClientError(context: Context): Explanation {
  const { httpStatus, status, subject, action, says } = context;
  if (status === undefined) {
    return {
      code: 'k8s_response_invalid',
      message: `The server answered ${httpStatus} without a Kubernetes Status.`,
      hint: 'Check the address and path of the API server; a proxy in front of it may have answered.',
    };
  }
  const reading = subject !== undefined && READ_VERBS.has(subject.verb);
  return {
    code: reading ? 'k8s_parameter_invalid' : 'k8s_invalid',
    message: withWords(`The API server refuses to ${action} (${httpStatus})`, says),
    ...(reading ? { hint: 'Check the selectors and the other parameters of the request.' } : {}),
  };
}

const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
