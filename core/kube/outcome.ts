import { NavinError } from '../errors';
import { KubeApiError, KubeConnectionError, type RequestPhase } from './errors';
import { describeSubject, describeVerb, type RequestSubject } from './subject';

/**
 * What a failed change really says. Sent and not answered, or answered by somebody who cannot know (502, 504, a store
 * that timed out): whether the change was made is not known, and it must not be repeated blindly
 * (`k8s_outcome_unknown`). All other errors are certain and stay as they are.
 */
export function outcomeUnknown(
  error: NavinError,
  phase: RequestPhase,
  subject: RequestSubject | undefined,
): NavinError {
  if (!isUncertain(error, phase)) return error;
  const action = subject ? `${describeVerb(subject.verb)} ${describeSubject(subject)}` : 'make the change';
  const answered = phase === 'answered' && !(error instanceof KubeApiError);
  return new NavinError(
    'k8s_outcome_unknown',
    answered
      ? `The API server accepted the request to ${action}, but its answer broke off: how the object looks now is not known.`
      : `The request to ${action} was sent, but no certain answer came: whether it was done is not known.`,
    {
      hint: howToFindOut(subject),
      details: { ...error.details, cause: error.code },
      cause: error,
    },
  );
}

function isUncertain(error: NavinError, phase: RequestPhase): boolean {
  if (error instanceof KubeApiError) return error.details.outcome === 'unknown';
  if (phase === 'connecting') return false;
  if (error instanceof KubeConnectionError)
    return error.code !== 'k8s_unauthorized' && error.code !== 'k8s_tls_untrusted';
  return error.code.startsWith('k8s_response_') || error.code === 'k8s_not_kubernetes';
}

function howToFindOut(subject: RequestSubject | undefined): string {
  if (subject?.subresource === 'token')
    return 'Create another one: if there is a token, nobody has it, and it ends by itself.';
  if (subject?.verb === 'create' && subject.name === undefined) {
    return 'List the objects and look for a new one before you repeat it, or it may exist twice.';
  }
  if (subject?.verb === 'delete') return 'Read the object: if it is gone or has a deletionTimestamp, it was deleted.';
  return 'Read the object and compare it with what was meant before you repeat the change.';
}
