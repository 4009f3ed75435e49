import { NavinError } from '../../../core/errors';
import { KubeApiError, type KubeClient, type KubeObject, METRICS, RESOURCES } from '../../../core/kube';
import { nodeUsage, podUsage, usedOf } from '../../../core/machine';
import { attempt } from '../../shared/attempt';
import { LABEL_SELECTOR_OPTION, LIMIT_FIELD, RETURN_ALL_FIELD } from '../../shared/fields';
import { defined, textAt } from '../../shared/json';
import { KINDS } from '../../shared/kinds';
import { ALL_NAMESPACES, nameLocator } from '../../shared/locators';
import type { OperationContext } from '../../shared/operation';
import { parameterInvalid } from '../../shared/parameters';
import { checkedObject } from '../../shared/wholeObject';
import { INCONSISTENT } from './getAll';

/** What a metrics server measures. */
type MeasuredKind = 'pod' | 'node';

const BY_NAME = { show: { select: ['name'] } } as const;
const BY_SELECTOR = { show: { select: ['selector'] } } as const;

/** The parameters of Get Usage after the namespace. */
/* @__NO_SIDE_EFFECTS__ */
export function usageFields<K extends MeasuredKind>(kind: K) {
  return [
    {
      displayName: 'Select By',
      name: 'select',
      type: 'options',
      default: 'name',
      description: 'How to say whose usage is meant',
      options: [
        { name: 'Label Selector', value: 'selector', description: 'All that match, or all there are' },
        { name: 'Name', value: 'name', description: 'One by its name' },
      ],
    },
    { ...nameLocator(kind), displayOptions: BY_NAME },
    {
      ...LABEL_SELECTOR_OPTION,
      description: 'Only what has labels that match; all there are when empty',
      displayOptions: BY_SELECTOR,
    },
    { ...RETURN_ALL_FIELD, displayOptions: BY_SELECTOR },
    { ...LIMIT_FIELD, displayOptions: { show: { select: ['selector'], returnAll: [false] } } },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Compare',
          name: 'compare',
          type: 'boolean',
          default: true,
          description:
            'Whether to read what was asked for or can be given, too, and to say the usage in percent of that; left out where the right to read it is missing',
        },
        {
          displayName: 'Sort By',
          name: 'sortBy',
          type: 'options',
          default: 'name',
          description: 'What comes first, before the limit is applied',
          options: [
            { name: 'CPU', value: 'cpu', description: 'Who uses most CPU first' },
            { name: 'Memory', value: 'memory', description: 'Who uses most memory first' },
            { name: 'Name', value: 'name', description: 'As the API server lists them' },
          ],
        },
      ],
    },
  ] as const;
}

interface UsageParameters {
  /** Nodes have none. */
  readonly namespace?: string;
  readonly select: 'name' | 'selector';
  readonly name: string;
  readonly labelSelector: string;
  readonly returnAll: boolean;
  readonly limit: number;
  readonly options: { readonly compare?: boolean; readonly sortBy?: 'cpu' | 'memory' | 'name' };
}

/**
 * How much CPU and memory is used now, as the metrics server of the cluster measured it last, against requests and limits
 * (pods) or what can be given (nodes) where these may be read.
 * @throws NavinError `k8s_unsupported` without a metrics server, `k8s_server_error` when it does not answer
 */
export async function getUsage(
  client: KubeClient,
  kind: MeasuredKind,
  parameters: UsageParameters,
  context: OperationContext,
): Promise<readonly object[]> {
  const { namespace, select, name, options } = parameters;
  if (select === 'name' && namespace === ALL_NAMESPACES) {
    throw parameterInvalid('namespace', 'Namespace', 'must be one namespace, not all of them (*), for one name');
  }
  const metrics =
    select === 'name'
      ? [await readMetrics(client, kind, { namespace, name })]
      : await listMetrics(client, kind, parameters, context);
  const compared = options.compare === false ? undefined : await readObjects(client, kind, parameters, metrics);
  return metrics.map((measured) => usageItem(kind, measured, compared?.get(keyOf(measured))));
}

function usageItem(kind: MeasuredKind, metrics: KubeObject, object: KubeObject | undefined): object {
  return defined({
    name: textAt(metrics, 'metadata', 'name'),
    namespace: textAt(metrics, 'metadata', 'namespace'),
    ...(kind === 'pod' ? podUsage(metrics, object) : nodeUsage(metrics, object)),
    measuredAt: textAt(metrics, 'timestamp'),
    window: textAt(metrics, 'window'),
  });
}

async function readMetrics(
  client: KubeClient,
  kind: MeasuredKind,
  ref: { readonly namespace: string | undefined; readonly name: string },
): Promise<KubeObject> {
  const read = await attempt(async () => await client.get(METRICS[KINDS[kind].plural], ref));
  if (read.error === undefined) return read.value;
  if (read.error.details.missing === 'object') throw notMeasured(kind, ref.name);
  throw metricsError(read.error);
}

/** Sorted by usage, all have to be read to find the first. */
async function listMetrics(
  client: KubeClient,
  kind: MeasuredKind,
  { namespace, labelSelector, returnAll, limit, options }: UsageParameters,
  context: OperationContext,
): Promise<readonly KubeObject[]> {
  const { sortBy = 'name' } = options;
  const found: KubeObject[] = [];
  const listed = await attempt(async () => {
    for await (const { items, inconsistent } of client.pages(METRICS[KINDS[kind].plural], {
      namespace,
      labelSelector: labelSelector.trim(),
      dropManagedFields: true,
      ...(returnAll || sortBy !== 'name' ? {} : { maxItems: limit }),
    })) {
      if (inconsistent) context.note(INCONSISTENT);
      // Metrics servers know no pages: all may come at once, more than a call takes arguments.
      for (const item of items) found.push(checkedObject(item));
    }
  });
  if (listed.error !== undefined) throw metricsError(listed.error);
  const sorted = sortBy === 'name' ? found : found.toSorted((left, right) => compareUsage(sortBy, left, right));
  return returnAll ? sorted : sorted.slice(0, limit);
}

function compareUsage(resource: 'cpu' | 'memory', left: KubeObject, right: KubeObject): number {
  const difference = amountOf(right, resource) - amountOf(left, resource);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

function amountOf(metrics: KubeObject, resource: 'cpu' | 'memory'): bigint {
  return usedOf(metrics).get(resource)?.nanos ?? 0n;
}

/** The objects that were measured, by key: read until all are found; undefined where they may not be read. */
async function readObjects(
  client: KubeClient,
  kind: MeasuredKind,
  { namespace, select, name, labelSelector }: UsageParameters,
  metrics: readonly KubeObject[],
): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  const resource = RESOURCES[KINDS[kind].plural];
  const wanted = new Set(metrics.map(keyOf));
  const found = new Map<string, KubeObject>();
  const read = await attempt(async () => {
    if (select === 'name') {
      const object = await client.get(resource, { namespace, name });
      found.set(keyOf(object), object);
      return;
    }
    if (wanted.size === 0) return;
    const listed = { namespace, labelSelector: labelSelector.trim(), dropManagedFields: true };
    for await (const { items } of client.pages(resource, listed)) {
      for (const object of items) if (wanted.has(keyOf(object))) found.set(keyOf(object), object);
      if (found.size === wanted.size) return;
    }
  });
  // It may have ended since it was measured.
  if (read.error === undefined || read.error.code === 'k8s_not_found') return found;
  if (read.error.code === 'k8s_forbidden') return undefined;
  throw read.error;
}

function keyOf(object: KubeObject): string {
  return `${textAt(object, 'metadata', 'namespace') ?? ''}/${textAt(object, 'metadata', 'name') ?? ''}`;
}

function notMeasured(kind: MeasuredKind, name: string): NavinError {
  const { title } = KINDS[kind];
  return new NavinError('k8s_not_found', `The metrics server has no numbers of the ${title} ${name}`, {
    hint: `Check the name and the namespace. A new ${kind} is measured after about a minute, a finished pod not at all.`,
    details: { name, missing: 'metrics' },
  });
}

/** What it means for metrics that a request failed. The aggregator answers 503 while no metrics server is ready. */
function metricsError(error: NavinError): NavinError {
  if (error.code === 'k8s_not_found' && error.details.missing === 'kind') {
    return new NavinError('k8s_unsupported', 'The cluster does not measure usage: it serves no metrics.k8s.io', {
      hint: 'Install metrics-server in the cluster, or ask whoever runs it.',
      details: { group: 'metrics.k8s.io' },
    });
  }
  if (!(error instanceof KubeApiError && error.httpStatus === 503)) return error;
  return new NavinError('k8s_server_error', 'The metrics server of the cluster does not answer (503)', {
    hint: 'Look at the APIService v1beta1.metrics.k8s.io and at the pods of metrics-server, mostly in kube-system; after a start it needs about a minute.',
    details: { group: 'metrics.k8s.io', httpStatus: 503 },
  });
}
