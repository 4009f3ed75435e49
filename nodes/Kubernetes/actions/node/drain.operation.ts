import { type JsonValue, NavinError } from '../../../../core/errors';
import { type KubeClient, RESOURCES } from '../../../../core/kube';
import {
  drainPods,
  type DrainPlan,
  planDrain,
  type PodIdentity,
  podsOnNode,
  tryEviction,
} from '../../../../core/machine';
import { defined } from '../../../shared/json';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { inParallel } from '../../../shared/parallel';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields } from '../../../shared/wait';
import { CORDON_RIGHTS, isSchedulable, setSchedulable } from './cordon';

export const description = defineOperation({
  name: 'Drain',
  value: 'drain',
  action: 'Drain node',
  description: 'Let a node take no new pods and evict the pods on it, as disruption budgets allow',
  rightsGroup: 'maintenance',
  rights: [
    ...CORDON_RIGHTS,
    { verb: 'list', group: '', resource: 'pods', clusterWide: true },
    { verb: 'create', group: '', resource: 'pods', subresource: 'eviction', clusterWide: true },
  ],
  properties: [
    nameLocator('node'),
    {
      displayName: 'Dry Run',
      name: 'dryRun',
      type: 'boolean',
      default: false,
      description: 'Whether to return the plan and what budgets say to it now, and to change nothing',
    },
    ...waitFields(900, { dryRun: [false] }),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Delete emptyDir Data',
          name: 'deleteEmptyDirData',
          type: 'boolean',
          default: false,
          description: 'Whether to evict pods with emptyDir volumes, whose data is lost',
        },
        {
          displayName: 'Evict Unmanaged Pods',
          name: 'evictUnmanaged',
          type: 'boolean',
          default: false,
          description: 'Whether to evict pods without a controller, which nothing starts again',
        },
        {
          displayName: 'Grace Period',
          name: 'gracePeriodSeconds',
          type: 'number',
          default: 30,
          typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
          description: "Seconds the containers have to end; the pods' own when not set",
        },
        {
          displayName: 'Pod Selector',
          name: 'podSelector',
          type: 'string',
          default: '',
          placeholder: 'e.g. app!=monitoring',
          description: 'Only pods whose labels match',
        },
        INTERVAL_OPTION,
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Evictions asked for at once when they are only tried. */
const AT_ONCE = 8;

/**
 * Plans first, so that a refused drain changes nothing; then cordons and plans again, because pods may have come. The
 * pods are known by UID. Running it again goes on where it was stopped.
 */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { name, dryRun, timeoutSeconds, onFailure, options } = parameters;
  const { gracePeriodSeconds, intervalSeconds = DEFAULT_INTERVAL_SECONDS } = options;
  const first = await plan(client, parameters);
  if (dryRun) return await planned(client, parameters, first);
  refuse(name, first);
  const { changed } = await setSchedulable(client, name, false);
  const { evict, skipped, refused } = await plan(client, parameters);
  refuse(name, { refused });
  const { pods, drained, seconds } = await drainPods(client, evict, {
    node: name,
    labelSelector: selectorOf(parameters),
    gracePeriodSeconds,
    timeoutSeconds,
    intervalSeconds,
    clock: context.clock,
    signal: context.signal,
  });
  const state = {
    name,
    dryRun,
    drained,
    cordoned: true,
    changed: changed || evict.length > 0,
    pods: pods.map(defined),
    skipped: withReasons(skipped),
    refused: [],
    waitedSeconds: seconds,
  };
  if (!drained && onFailure === 'error') throw notDrained(name, timeoutSeconds, state);
  return state;
}

async function plan(client: KubeClient, parameters: Parameters): Promise<DrainPlan> {
  const { name, options } = parameters;
  const pods = await podsOnNode(client, { node: name, labelSelector: selectorOf(parameters) });
  const { evictUnmanaged = false, deleteEmptyDirData = false } = options;
  return planDrain(pods, { unmanaged: evictUnmanaged, emptyDirData: deleteEmptyDirData });
}

function selectorOf({ options }: Parameters): string | undefined {
  const selector = options.podSelector?.trim();
  return selector === '' ? undefined : selector;
}

/** What a drain would do: each eviction is tried without being done, so that budgets say whether they have room. */
async function planned(client: KubeClient, { name, dryRun }: Parameters, found: DrainPlan): Promise<object> {
  const node = await client.get(RESOURCES.nodes, { name });
  const pods = await inParallel(found.evict, AT_ONCE, async (pod) => {
    const { uid, namespace, name: podName, isEnding } = pod;
    if (isEnding) return { uid, namespace, name: podName, state: 'ending' };
    const answer = await tryEviction(client, pod, { dryRun: true });
    const state = { accepted: 'waiting', gone: 'gone', blocked: 'blocked', failed: 'waiting' }[answer.kind];
    const { budget, message } = { budget: undefined, message: undefined, ...answer };
    return defined({ uid, namespace, name: podName, state, budget, message });
  });
  return {
    name,
    dryRun,
    drained: pods.length === 0,
    cordoned: !isSchedulable(node),
    changed: false,
    pods,
    skipped: withReasons(found.skipped),
    refused: withReasons(found.refused),
  };
}

function withReasons<R extends string>(
  pods: readonly { readonly pod: PodIdentity; readonly reason: R }[],
): readonly (PodIdentity & { readonly reason: R })[] {
  return pods.map(({ pod: { uid, namespace, name }, reason }) => ({ uid, namespace, name, reason }));
}

/** @throws NavinError `k8s_operation_refused` naming the pods a drain may not take */
function refuse(node: string, { refused }: Pick<DrainPlan, 'refused'>): void {
  if (refused.length === 0) return;
  const reasons = new Set(refused.map(({ reason }) => reason));
  const why = [
    ...(reasons.has('unmanaged') ? ['have no controller that starts them again'] : []),
    ...(reasons.has('empty-dir-data') ? ['have data in emptyDir volumes that would be lost'] : []),
  ].join(' or ');
  const names = refused.slice(0, MAX_NAMED).map(({ pod }) => `${pod.namespace}/${pod.name}`);
  const more = refused.length > MAX_NAMED ? ` and ${String(refused.length - MAX_NAMED)} more` : '';
  throw new NavinError(
    'k8s_operation_refused',
    `The Node ${node} is not drained: pods on it ${why}: ${names.join(', ')}${more}`,
    {
      hint: "Allow it by the options 'Evict Unmanaged Pods' and 'Delete emptyDir Data', or leave the pods out by 'Pod Selector'",
      details: { node, refused: withReasons(refused) as unknown as JsonValue },
    },
  );
}

/** The most pods an error names. */
const MAX_NAMED = 5;

function notDrained(
  node: string,
  timeoutSeconds: number,
  state: { readonly pods: readonly { readonly state: string; readonly budget?: string | undefined }[] },
): NavinError {
  const left = state.pods.filter((pod) => pod.state !== 'gone');
  const budgets = [...new Set(left.flatMap(({ budget }) => budget ?? []))];
  const by = budgets.length === 0 ? '' : `, held by the disruption budget ${budgets.slice(0, MAX_NAMED).join(', ')}`;
  const pods = left.length === 1 ? '1 pod is' : `${String(left.length)} pods are`;
  return new NavinError(
    'k8s_wait_failed',
    `The Node ${node} is not drained after ${String(timeoutSeconds)} s: ${pods} left${by}`,
    {
      hint: 'The node stays cordoned; each pod is in the details. Run it again to go on, or uncordon the node.',
      details: state as unknown as Readonly<Record<string, JsonValue>>,
    },
  );
}
