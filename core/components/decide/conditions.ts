import type { KubeObject } from '../../kube';
import { items } from '../fields';
import { keyOf } from '../objects';
import type { ComponentStatus, Condition } from '../resource/status';
import { nameOf } from './compose';
import type { Outcome } from './outcome';
import type { Progress } from './progress';

/** What conditions were, and when it is. */
export interface Occasion {
  readonly before: readonly Condition[] | undefined;
  readonly generation: number | undefined;
  readonly at: string;
  readonly progress: Progress;
}

type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** How many names a message has at most. */
const MAX_NAMES = 5;

/** The conditions of a component. `Ready` is a summary and nothing else; times change only when a status does. */
export function conditionsOf(status: ComponentStatus, outcome: Outcome, occasion: Occasion): Condition[] {
  const { before = [], generation, at } = occasion;
  const findings = [ready(status, occasion.progress), drift(outcome), ...retained(status), ...autoscaling(outcome)];
  return findings.map((finding) => {
    const same = before.find(({ type, status: was }) => type === finding.type && was === finding.status);
    return {
      ...finding,
      message: finding.message.slice(0, 2_048),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime: same?.lastTransitionTime ?? at,
    };
  });
}

function ready({ converged, state }: ComponentStatus, { because }: Progress): Finding {
  const reason = because?.reason ?? capitalised(state ?? 'unknown');
  return { type: 'Ready', status: converged === true ? 'True' : 'False', reason, message: because?.message ?? '' };
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function drift({ drift: names, driftBecause }: Outcome): Finding {
  if (names.length === 0) return { type: 'Drifted', status: 'False', reason: 'AsApplied', message: '' };
  const message = `${listed(names)} changed by somebody else. ${driftBecause?.message ?? ''}`.trim();
  return { type: 'Drifted', status: 'True', reason: driftBecause?.reason ?? 'Changed', message };
}

function retained({ inventory = [], retainedClaims = [] }: ComponentStatus): readonly Finding[] {
  const claims = inventory.filter((entry) => entry.retained === true).map((entry) => nameOf(keyOf(entry)));
  const names = [...claims, ...retainedClaims];
  if (names.length === 0) return [];
  const message = `Kept, though nothing uses it any more: ${listed(names)}.`;
  return [{ type: 'RetainedStorage', status: 'True', reason: 'RetainedStorage', message }];
}

/** Conditions of a HorizontalPodAutoscaler or ScaledObject that say it does not do its work. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  AbleToScale: ['FailedGetScale', 'FailedUpdateScale'],
  ScalingActive: [
    'FailedGetResourceMetric',
    'FailedGetObjectMetric',
    'FailedGetPodsMetric',
    'FailedGetExternalMetric',
    'FailedComputeMetricsReplicas',
    'InvalidSelector',
  ],
};

function autoscaling({ autoscalers }: Outcome): readonly Finding[] {
  if (autoscalers.length === 0) return [];
  const faults = autoscalers.flatMap(autoscalerFault);
  const [fault] = faults;
  if (fault === undefined) return [{ type: 'Autoscaling', status: 'True', reason: 'Active', message: '' }];
  return [{ type: 'Autoscaling', status: 'False', ...fault }];
}

function autoscalerFault(object: KubeObject): readonly Pick<Finding, 'reason' | 'message'>[] {
  const name = `${object.kind ?? ''}/${object.metadata.name ?? ''}`;
  for (const { type, status, reason } of items(object.status, 'conditions')) {
    const isFault =
      object.kind === 'ScaledObject'
        ? (type === 'Ready' && status === 'False') || (type === 'Fallback' && status === 'True')
        : typeof type === 'string' && typeof reason === 'string' && (FAULTS[type] ?? []).includes(reason);
    if (!isFault) continue;
    // The reason comes from another program: only a plain word is repeated.
    const word = typeof reason === 'string' && /^\w{1,64}$/.test(reason) ? reason : String(type);
    return [{ reason: word, message: `${name} does not scale: ${word}.` }];
  }
  return [];
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}
