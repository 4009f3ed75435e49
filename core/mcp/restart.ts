import { NavinError } from '../errors';
import { isRecord, rolloutStatus, type KubeObject, type RolloutStatus } from '../kube';

const PREFIX = 'mcpserver.toolhive.stacklok.dev';
/** Asks the ToolHive operator for a restart: RFC 3339. It has the same name on the pods that are restarted. */
const RESTARTED_AT = `${PREFIX}/restarted-at`;
/** The operator's answer: the last request that it took up, to the letter. */
const LAST_PROCESSED = `${PREFIX}/last-processed-restart`;
const STRATEGY = `${PREFIX}/restart-strategy`;
const ROLLING = 'rolling';

/** The last second that RFC 3339 can name. */
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z');

/**
 * The time to ask for a restart with: now, in whole seconds, but strictly later than the request before and than the last
 * one that was taken up. The operator ignores, without a word, what is not later than that; a clock that is behind, and a
 * second restart within the second, would be such.
 *
 * @param now milliseconds since 1970
 * @throws NavinError `k8s_operation_refused` when no later time can be named
 */
export function restartTime(object: KubeObject, now: number): string {
  const before = [RESTARTED_AT, LAST_PROCESSED].map((key) => timeOf(annotationOf(object, key)));
  // A fraction counts: one second after it may be less than a second after the whole one.
  const later = before.flatMap((time) => (time === undefined ? [] : [Math.floor(time / 1_000) * 1_000 + 1_000]));
  const time = Math.max(Math.floor(now / 1_000) * 1_000, ...later);
  if (time > LAST_SECOND) {
    throw new NavinError(
      'k8s_operation_refused',
      'The instance was asked to restart at the end of time: no later request is possible',
      {
        hint: `Remove the annotations ${RESTARTED_AT} and ${LAST_PROCESSED} of the MCPServer`,
      },
    );
  }
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/**
 * The merge patch that asks for a rolling restart of this very version of the object. A strategy that somebody else has set
 * is set to rolling; where there is none, rolling is the operator's default.
 */
export function restartPatch(object: KubeObject, time: string): object {
  const { uid, resourceVersion } = object.metadata;
  const strategy = annotationOf(object, STRATEGY);
  const annotations = {
    [RESTARTED_AT]: time,
    ...(strategy === undefined || strategy === ROLLING ? {} : { [STRATEGY]: ROLLING }),
  };
  return { metadata: { uid, resourceVersion, annotations } };
}

/** What became of a request to restart. */
export interface RestartState {
  /** The operator took the request up. It does that also where it finds nothing to restart. */
  readonly processed: boolean;
  /** Where the rollout of its pods is; `missing`: there is no Deployment, so nothing is restarted. */
  readonly rollout: 'unknown' | 'missing' | 'pending' | RolloutStatus['phase'];
  readonly message: string;
}

/** The Deployment of an instance; `unreadable`: the right to read it is missing. */
export type InstanceDeployment = KubeObject | 'missing' | 'unreadable';

/**
 * What became of a request: taken up when the operator has noted this very time, and a restart only when the pods were
 * replaced after it. Source: ToolHive `mcpserver_controller.go`, `handleRestartAnnotation` and `performRollingRestart`.
 *
 * @param before the Deployment as it was when the restart was asked for
 */
export function restartState(
  object: KubeObject,
  time: string,
  before: InstanceDeployment,
  deployment: InstanceDeployment,
): RestartState {
  const processed = annotationOf(object, LAST_PROCESSED) === time;
  if (!processed) return { processed, rollout: 'unknown', message: 'The ToolHive operator has not taken it up yet.' };
  if (deployment === 'unreadable') {
    return { processed, rollout: 'unknown', message: 'Taken up; the right to see the rollout is missing.' };
  }
  if (deployment === 'missing') {
    return { processed, rollout: 'missing', message: 'Taken up, but there is no Deployment that could restart.' };
  }
  if (typeof before === 'object' && templateTime(before) === templateTime(deployment)) {
    return { processed, rollout: 'pending', message: 'Taken up, but its pods were not asked to restart.' };
  }
  const { phase, message } = rolloutStatus('Deployment', deployment) ?? { phase: 'unsupported', message: '' };
  return { processed, rollout: phase, message };
}

/** Whether the pods were replaced, as far as that can be seen. */
export function isRestarted({ processed, rollout }: RestartState): boolean {
  return processed && rollout === 'complete';
}

/** Whether nothing more is to be seen by waiting. */
export function isRestartOver(state: RestartState, deployment: InstanceDeployment): boolean {
  if (isRestarted(state) || (state.processed && deployment === 'unreadable')) return true;
  return state.rollout === 'missing' || state.rollout === 'failed' || state.rollout === 'unsupported';
}

/** The operator writes its own clock, in seconds, into the pod template: that is what replaces the pods. */
function templateTime({ spec }: KubeObject): unknown {
  const template = isRecord(spec) && isRecord(spec.template) ? spec.template : {};
  const metadata = isRecord(template.metadata) ? template.metadata : {};
  return isRecord(metadata.annotations) ? metadata.annotations[RESTARTED_AT] : undefined;
}

function annotationOf({ metadata }: KubeObject, key: string): string | undefined {
  const value: unknown = metadata.annotations?.[key];
  return typeof value === 'string' ? value : undefined;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; undefined for what the operator cannot read either. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !RFC_3339.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
