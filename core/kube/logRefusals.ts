import { withWords, type Context, type Explanation } from './explanation';
import { oneLine } from './serverText';
import { describeSubject, quoted } from './subject';

/** Why there is no log: `details.log` of the error. */
type LogProblem = 'waiting' | 'no-previous' | 'gone' | 'choose-container' | 'unknown-container';

/**
 * 400 of a request for logs. The texts are those of the API server (registry/core/pod/strategy.go) and the kubelet
 * (kubelet_pods.go), which has no other way to say what it means; names and reasons in them are Kubernetes' own.
 */
export function logRefused(context: Context): Explanation {
  const message = context.status?.message ?? '';
  const pod = context.subject ? describeSubject({ ...context.subject, subresource: undefined }) : 'the Pod';
  const container = /container "([a-z0-9-]{1,63})"/.exec(message)?.[1];
  const which = container === undefined ? 'The container' : `The container ${quoted(container)}`;

  const waiting = /is waiting to start(?:: ([^\n]{1,200})| - no logs yet)/.exec(message);
  if (waiting) {
    const reason = oneLine(waiting[1] ?? '', 100);
    return {
      code: 'k8s_not_found',
      message: `${which} of ${pod} has not started yet${reason === undefined ? '' : ` (${reason})`}: there is no log.`,
      hint: 'Wait until it has started; following the log waits by itself.',
      details: problem('waiting', { waitingReason: reason ?? null }),
    };
  }
  if (message.startsWith('previous terminated container')) {
    return {
      code: 'k8s_not_found',
      message: `${which} of ${pod} has no previous log: it was not restarted, or the log of the run before is gone.`,
      hint: 'Read the current log.',
      details: problem('no-previous'),
    };
  }
  if (/is terminated|is not available/.test(message)) {
    return {
      code: 'k8s_not_found',
      message: `${which} of ${pod} has ended, and its log is gone.`,
      hint: 'Logs live as long as the container and its node keep them; read the previous one, or those of a new Pod.',
      details: problem('gone'),
    };
  }
  const choice = /^a container name must be specified for pod \S+, choose one of: \[([a-z0-9 -]{1,4000})\]/.exec(
    message,
  );
  if (choice) {
    return chooseContainer(pod, (choice[1] ?? '').split(' '), 'choose-container', undefined);
  }
  const unknown = /^container (\S{1,253}) is not valid for pod/.exec(message);
  if (unknown) return chooseContainer(pod, [], 'unknown-container', unknown[1]);
  return {
    code: 'k8s_invalid',
    message: withWords(`The API server refuses to ${context.action}`, context.says),
  };
}

/** A container has to be named, or named otherwise. */
export function chooseContainer(
  pod: string,
  containers: readonly string[],
  log: 'choose-container' | 'unknown-container',
  wanted: string | undefined,
): Explanation {
  const names = containers.map((name) => quoted(name)).join(', ');
  return {
    code: 'k8s_parameter_invalid',
    message:
      log === 'choose-container'
        ? `${pod} has several containers: choose one.`
        : `${pod} has no container ${quoted(wanted ?? '')}.`,
    hint: names === '' ? 'Choose one of its containers.' : `Its containers are ${names}.`,
    details: problem(log, { parameter: 'container', containers }),
  };
}

function problem(log: LogProblem, more: NonNullable<Explanation['details']> = {}): NonNullable<Explanation['details']> {
  return { log, ...more };
}
