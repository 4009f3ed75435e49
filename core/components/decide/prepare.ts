import { controllerOf } from '../objects';
import { judge } from '../policy/policy';
import type { Violation } from '../policy/violation';
import type { Because } from '../reasons';
import type { ComponentStatus } from '../resource/status';
import { specRefusal } from '../specRefusal';
import { compose, nameOf, scaleTargetOf, type Wanted } from './compose';
import { liveOf } from './facts';
import type { Inputs } from './inputs';
import type { Inventory } from './inventory';
import type { Action, Desired, Observed } from './types';

/** What is wanted, or why that cannot be said or applied yet. */
export interface Preparation {
  /** Absent: nothing may be applied. */
  readonly wanted?: readonly Wanted[];
  readonly actions?: readonly Action[];
  readonly failed?: Because;
  readonly blocked?: Because;
  readonly verdict?: 'compliant' | Violation;
  readonly chart?: NonNullable<ComponentStatus['chart']>;
  readonly againAfterMs?: number;
}

/** When a render that failed is tried again, in ms: a registry may have been down. */
const RENDER_AGAIN_MS = 60_000;
/** When a Secret that is missing is looked for again, in ms. Secrets cannot be watched. */
const SECRET_AGAIN_MS = 30_000;

/** Everything that must hold before the first object of a configuration is applied. */
export function prepare(
  observed: Observed,
  desired: Desired,
  { asked, inventory, now }: { readonly asked: Inputs; readonly inventory: Inventory; readonly now: number },
): Preparation {
  const { component } = observed;
  const { spec } = component;
  const refused = refusalOf(observed);
  if (refused !== undefined) return refused;
  if (desired.rendering === 'pending' || desired.configuration !== asked.configuration) return renderNow(asked);
  if (desired.rendering === 'failed') {
    const again = desired.at + RENDER_AGAIN_MS - now;
    return { failed: desired.because, ...(again > 0 ? { againAfterMs: again } : renderNow(asked)) };
  }
  const { chart, documents } = desired;
  const mismatch = chartMismatch(spec.version, chart.version, documents);
  if (mismatch !== undefined) return { failed: mismatch, chart };
  const verdict = judge(documents, {
    namespace: component.metadata.namespace ?? '',
    secrets: (spec.secretRefs ?? []).map(({ secretName }) => secretName),
    pullSecrets: observed.pullSecrets,
    setsBudget: spec.pdb !== undefined,
    setsReplicas: (workload, workloads) => {
      const scaled = scaleTargetOf(spec, workloads);
      return 'target' in scaled && scaled.target === workload;
    },
  });
  if (!verdict.compliant) return { failed: verdict.violation, verdict: verdict.violation, chart };
  const known = { verdict: 'compliant', chart } as const;
  const composition = compose(spec, verdict.objects);
  if ('failed' in composition) return { ...known, failed: composition.failed };
  const { wanted } = composition;
  if (!observed.servesScaledObjects && wanted.some(({ ref }) => ref.kind === 'ScaledObject')) {
    const message =
      'A ScaledObject is wanted, and the cluster does not serve any: install KEDA, or use the engine HPA.';
    return { ...known, blocked: { reason: 'AutoscalerMissing', message }, againAfterMs: SECRET_AGAIN_MS };
  }
  const isNew = component.status?.accepted?.configuration !== asked.configuration;
  const unready = (isNew ? missingSecrets(observed) : undefined) ?? unseen(wanted, observed, inventory);
  return { ...known, ...(unready ?? foreign(wanted, observed) ?? { wanted }) };
}

function renderNow({ configuration }: Inputs): Preparation {
  return { actions: [{ type: 'render', configuration }] };
}

function refusalOf({ component }: Observed): Preparation | undefined {
  const refusal = specRefusal(component);
  if (refusal === undefined) return undefined;
  const { reason, message, path } = refusal;
  if (reason === 'InvalidSpec') return { failed: { reason, message } };
  const violation = { reason, message, path };
  return { failed: violation, verdict: violation };
}

function chartMismatch(asked: string | undefined, version: string, documents: readonly unknown[]): Because | undefined {
  if (asked !== undefined && asked !== version) {
    const message = `The chart has another version than ${asked}.`;
    return { reason: 'VersionMismatch', message };
  }
  // Nothing at all is rather a mistake than a wish, and would remove everything that runs.
  return documents.length > 0 ? undefined : { reason: 'RenderFailed', message: 'The chart renders nothing.' };
}

function missingSecrets({ component, secrets }: Observed): Preparation | undefined {
  const refs = (component.spec.secretRefs ?? []).map(({ secretName, key }) => ({ secretName, key }));
  const unknown = refs.filter(({ secretName, key }) => !secrets.has(`${secretName}/${key}`));
  if (unknown.length > 0) return { actions: [{ type: 'checkSecrets', secrets: unknown }] };
  const missing = refs.find(({ secretName, key }) => secrets.get(`${secretName}/${key}`) === false);
  if (missing === undefined) return undefined;
  const message = `The Secret ${missing.secretName} with the key ${missing.key} does not exist.`;
  return { blocked: { reason: 'SecretMissing', message }, againAfterMs: SECRET_AGAIN_MS };
}

function unseen(wanted: readonly Wanted[], { live }: Observed, inventory: Inventory): Preparation | undefined {
  const refs = new Map(wanted.map(({ key, ref }) => [key, ref]));
  for (const [key, { group, version, kind, name }] of inventory) {
    if (!refs.has(key)) refs.set(key, { group, version, kind, name });
  }
  const missing = [...refs].filter(([key]) => !live.has(key)).map(([, ref]) => ref);
  return missing.length === 0 ? undefined : { actions: [{ type: 'observe', refs: missing }] };
}

/** Before anything else, because two components that apply one object would drop each other's fields without a word. */
function foreign(wanted: readonly Wanted[], observed: Observed): Preparation | undefined {
  const { uid } = observed.component.metadata;
  const taken = wanted.find(({ key }) => {
    const live = liveOf(observed, key);
    return live !== undefined && controllerOf(live) !== uid;
  });
  if (taken === undefined) return undefined;
  const message = `${nameOf(taken.key)} exists and is not controlled by this component. Nothing was applied.`;
  return { failed: { reason: 'ObjectOwned', message } };
}
