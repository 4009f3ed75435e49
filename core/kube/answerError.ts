import { KubeApiError } from './errors';
import { subjectDetails, type Context, type ErrorAnswer, type Explanation } from './explanation';
import {
  conflict,
  expired,
  invalid,
  notFound,
  notKubernetes,
  otherClientError,
  redirect,
  serverError,
  throttled,
  tooLongRequest,
  unsupported,
} from './explanations';
import { logRefused } from './logRefusals';
import { admission, deniesByWebhook, disruptionBudget, forbidden, unauthorized } from './refusals';
import { serverText } from './serverText';
import { safeCauses } from './status';
import { describeSubject, describeVerb } from './subject';

/** The error for an answer of the API server. The message never holds raw server output (serverText.ts has the rule). */
export function answerError(answer: ErrorAnswer): KubeApiError {
  const { status, subject, disclosure } = answer;
  const context: Context = {
    ...answer,
    causes: safeCauses(status?.causes ?? [], disclosure),
    action: subject
      ? `${describeVerb(subject.verb)} ${describeSubject(subject)}`
      : 'answer a request about the API server itself',
    says: status === undefined ? undefined : serverText(status.message, disclosure),
  };
  const explanation = explain(context);
  return new KubeApiError(explanation.code, explanation.message, {
    httpStatus: answer.httpStatus,
    reason: status?.reason,
    causes: context.causes,
    conflicts: explanation.conflicts ?? [],
    retryAfterSeconds: answer.retryAfterSeconds ?? status?.retryAfterSeconds,
    continueToken: status?.continueToken,
    ...(explanation.hint === undefined ? {} : { hint: explanation.hint }),
    details: { ...subjectDetails(subject), httpStatus: answer.httpStatus, ...explanation.details },
  });
}

function explain(context: Context): Explanation {
  const { httpStatus, status } = context;
  if (httpStatus >= 300 && httpStatus < 400) return redirect(context);
  if (context.html && httpStatus < 500 && httpStatus !== 401 && httpStatus !== 429) return notKubernetes(context);
  if (deniesByWebhook(status)) return admission(context);
  if (context.causes.some((cause) => cause.reason === 'DisruptionBudget')) return disruptionBudget(context);
  if (isUntypedPatch(status)) return invalid(context);
  if (httpStatus >= 500) return serverError(context);
  if (httpStatus === 400 && context.subject?.subresource === 'log') return logRefused(context);
  return (BY_STATUS[httpStatus] ?? otherClientError)(context);
}

/** An applied body that does not fit the schema is answered with 500, but it stays wrong however often it is sent. */
function isUntypedPatch(status: ErrorAnswer['status']): boolean {
  return status?.message.startsWith('failed to create typed patch object ') === true;
}

const BY_STATUS: Readonly<Record<number, (context: Context) => Explanation>> = {
  401: unauthorized,
  403: forbidden,
  404: notFound,
  405: unsupported,
  406: unsupported,
  409: conflict,
  410: expired,
  414: tooLongRequest,
  415: unsupported,
  422: invalid,
  429: throttled,
  431: tooLongRequest,
};
