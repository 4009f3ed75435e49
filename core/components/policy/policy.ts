import { isKubeObject, isRecord, type KubeObject, selectorMatches, selectsAll } from '../../kube';
import { fields, items, textAt } from '../fields';
import { isAutoscaler, isWorkload, keyOf, refOf } from '../objects';
import { MAX_OBJECTS } from '../resource/status';
import { inlineSecrets, isInlineSecret } from '../secrets';
import { formFinding, isTestHook, repeatedItem } from './form';
import { first, podFinding, serviceAccountFinding, type PodRights } from './pods';
import { finding, shown, type Finding, type Violation } from './violation';

/** What is known about the component whose chart was rendered. */
export interface PolicyContext {
  readonly namespace: string;
  /** Secrets that secretRefs names. */
  readonly secrets: readonly string[];
  /** Secrets that the administrator allows for pulling images. */
  readonly pullSecrets: readonly string[];
  /** Whether the spec sets the disruption budget of every workload. */
  readonly setsBudget: boolean;
  /** Whether the spec sets replicas or an autoscaler for a workload. */
  readonly setsReplicas: (workload: KubeObject, workloads: readonly KubeObject[]) => boolean;
}

/** What the policy says about what a chart rendered. */
export type Verdict =
  | {
      readonly compliant: true;
      /** What is the component's: everything but the tests of the chart. */
      readonly objects: readonly KubeObject[];
    }
  | { readonly compliant: false; readonly violation: Violation };

/**
 * Whether a chart may render what it rendered. The first thing that is not allowed is told, with its object and path;
 * then nothing of the chart is applied.
 */
export function judge(documents: readonly unknown[], context: PolicyContext): Verdict {
  const candidates = documents.map(withoutNulls).filter((document) => !isTestHook(document));
  if (candidates.length > MAX_OBJECTS) {
    const message = `The chart renders ${candidates.length} objects; a component may have ${MAX_OBJECTS}.`;
    return { compliant: false, violation: { reason: 'TooManyObjects', message } };
  }
  const objects: KubeObject[] = [];
  for (const document of candidates) {
    const found = formFinding(document, context.namespace);
    if (found !== undefined) return { compliant: false, violation: { ...found, ...objectName(document) } };
    objects.push(document as KubeObject);
  }
  const violation = repeatedObject(objects) ?? firstViolation(objects, context);
  return violation === undefined ? { compliant: true, objects } : { compliant: false, violation };
}

/**
 * What is null means "nothing" to a chart and "remove this" to server-side apply, where it fails or is written anew each
 * time. So it is left out before anybody looks: what is judged is what is applied.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const rest = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(rest.map(([name, child]) => [name, withoutNulls(child)]));
}

function objectName(document: unknown): { object?: string } {
  if (!isKubeObject(document)) return {};
  return { object: `${shown(document.kind)}/${shown(document.metadata.name)}` };
}

function repeatedObject(objects: readonly KubeObject[]): Violation | undefined {
  const seen = new Set<string>();
  for (const object of objects) {
    const key = keyOf(refOf(object));
    if (seen.has(key)) return { ...finding('DuplicateObject', 'The object is rendered twice.'), ...objectName(object) };
    seen.add(key);
  }
  return undefined;
}

function firstViolation(objects: readonly KubeObject[], context: PolicyContext): Violation | undefined {
  const rights: PodRights = {
    secrets: new Set(context.secrets),
    pullSecrets: new Set(context.pullSecrets),
    serviceAccounts: new Set(objects.filter(({ kind }) => kind === 'ServiceAccount').map(nameOf)),
  };
  const workloads = objects.filter(({ kind = '' }) => isWorkload(kind));
  for (const object of objects) {
    const found = contentFinding(object, rights) ?? scopeFinding(object, objects, workloads, context);
    if (found !== undefined) return { ...found, ...objectName(object) };
  }
  return undefined;
}

/** What an object holds. */
function contentFinding(object: KubeObject, rights: PodRights): Finding | undefined {
  switch (object.kind) {
    case 'ServiceAccount':
      return serviceAccountFinding(object, rights);
    case 'ConfigMap':
      // Its keys may become variables (envFrom).
      return first(Object.entries(fields(object, 'data')), ([key, value]) =>
        typeof value === 'string' && isInlineSecret(key, value)
          ? finding('InlineSecret', `The key ${shown(key)} holds a secret as text.`, `data.${shown(key)}`)
          : undefined,
      );
    case 'Deployment':
    case 'StatefulSet': {
      const path = 'spec.template.spec';
      const spec = fields(object, 'spec', 'template', 'spec');
      return podFinding(spec, path, rights) ?? repeatedItem(spec, path);
    }
    case 'ScaledObject': {
      const [place] = inlineSecrets(items(object, 'spec', 'triggers'), 'spec.triggers');
      return place === undefined ? undefined : finding('InlineSecret', 'A trigger holds a secret as text.', place);
    }
    case undefined:
    default:
      return undefined;
  }
}

/** Whom an object is meant for. */
function scopeFinding(
  object: KubeObject,
  objects: readonly KubeObject[],
  workloads: readonly KubeObject[],
  context: PolicyContext,
): Finding | undefined {
  if (object.kind === 'PodDisruptionBudget') return budgetFinding(object, objects, workloads, context);
  if (!isAutoscaler(object.kind ?? '')) return undefined;
  const target = autoscaled(object, workloads);
  const path = 'spec.scaleTargetRef';
  if (target === undefined) {
    return finding('ForbiddenTarget', 'An autoscaler may be meant for workloads of its chart only.', path);
  }
  const others = objects.filter((other) => isAutoscaler(other.kind ?? '') && autoscaled(other, [target]) !== undefined);
  if (others.length > 1) return finding('DuplicateAutoscaler', 'Two autoscalers are meant for one workload.', path);
  if (!context.setsReplicas(target, workloads)) return undefined;
  const message = 'The spec sets the replicas of this workload, and so would this autoscaler.';
  return finding('DuplicateAutoscaler', message, path);
}

function budgetFinding(
  budget: KubeObject,
  objects: readonly KubeObject[],
  workloads: readonly KubeObject[],
  context: PolicyContext,
): Finding | undefined {
  const path = 'spec.selector';
  const selector = fields(budget, 'spec').selector;
  if (selectsAll(selector)) {
    return finding('ForbiddenTarget', 'A budget may not be meant for every Pod of the namespace.', path);
  }
  const guarded = workloads.filter((workload) => selectorMatches(selector, podLabels(workload)));
  if (guarded.length > 0 && context.setsBudget) {
    const message = 'The spec sets a budget for these Pods: with two of them no Pod could be evicted any more.';
    return finding('DuplicateBudget', message, path);
  }
  const twice = objects.some(
    (other) =>
      other !== budget &&
      other.kind === 'PodDisruptionBudget' &&
      guarded.some((workload) => selectorMatches(fields(other, 'spec').selector, podLabels(workload))),
  );
  if (!twice) return undefined;
  return finding('DuplicateBudget', 'Two budgets are meant for the same Pods: none of them could be evicted.', path);
}

/** The workload an autoscaler is meant for. */
export function autoscaled(autoscaler: KubeObject, workloads: readonly KubeObject[]): KubeObject | undefined {
  const target = fields(autoscaler, 'spec', 'scaleTargetRef');
  // A ScaledObject means a Deployment when it names no kind.
  const kind = textAt(target, 'kind') ?? 'Deployment';
  const apiVersion = textAt(target, 'apiVersion') ?? 'apps/v1';
  return workloads.find(
    (workload) => workload.kind === kind && workload.apiVersion === apiVersion && nameOf(workload) === target.name,
  );
}

function podLabels(workload: KubeObject): Readonly<Record<string, unknown>> {
  return fields(workload, 'spec', 'template', 'metadata', 'labels');
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? '';
}
