import type { ITriggerFunctions } from 'n8n-workflow';
import type { ApiResource } from '../../core/kube';
import {
  ALL_COMPONENT_FIELDS,
  COMPONENT_RESOURCE,
  componentFields,
  type ConditionName,
  type TriggerSettings,
} from '../../core/trigger';
import { parameterInvalid, readParameters } from '../shared/parameters';
import type { ValuesOf } from '../shared/property';
import { DEFAULT_INTERVAL, DEFAULT_WINDOW, PROPERTIES } from './properties';
import { conditionSource } from './sources';

type Values = ValuesOf<typeof PROPERTIES>;

/** What the user chose, checked as far as it can be without the cluster. */
export interface Choices {
  /** The kind to watch, as discovery takes it. */
  readonly resourceName: string;
  readonly intervalMs: number;
  readonly windowSeconds: number;
  readonly batch: boolean;
  readonly simplify: boolean;
  readonly reportFaults: boolean;
  /** @param ownNamespace the one of the credential */
  readonly settingsFor: (resource: ApiResource, ownNamespace: string) => TriggerSettings;
}

/**
 * Reads the parameters of the node.
 * @throws NavinError `k8s_parameter_invalid`, naming the parameter as the editor does
 */
export function readChoices(context: Pick<ITriggerFunctions, 'getNodeParameter'>): Choices {
  const values = readParameters((name, fallback) => context.getNodeParameter(name, fallback), PROPERTIES);
  const { options } = values;
  const intervalSeconds = options.interval ?? DEFAULT_INTERVAL;
  return {
    resourceName: resourceNameOf(values),
    intervalMs: intervalSeconds * 1_000,
    windowSeconds: options.window ?? DEFAULT_WINDOW,
    batch: options.batch ?? false,
    simplify: values.simplify,
    reportFaults: options.reportFaults ?? true,
    settingsFor: (resource, ownNamespace) => ({
      resource,
      namespaces: namespacesOf(values.namespace, ownNamespace),
      labelSelector: options.labelSelector ?? '',
      fieldSelector: fieldSelectorOf(values),
      watch: watchOf(values),
      emitExisting: options.emitExisting ?? false,
      tellGaps: options.tellGaps ?? false,
      ...(options.tracked === undefined ? {} : { tracked: options.tracked }),
    }),
  };
}

function resourceNameOf({ triggerOn, resource, workload }: Values): string {
  if (triggerOn === 'resource') return resource;
  if (triggerOn === 'event') return 'events';
  if (triggerOn === 'component') return COMPONENT_RESOURCE;
  const resources = conditionSource(triggerOn)?.resources ?? [];
  return resources.length > 1 ? workload : (resources[0] ?? '');
}

function namespacesOf(chosen: string, ownNamespace: string): readonly string[] {
  const names = chosen.split(',').map((name) => name.trim());
  if (chosen !== '' && names.includes('')) {
    throw parameterInvalid('namespace', 'Namespace', 'has a name missing between commas');
  }
  return chosen === '' ? [ownNamespace] : names;
}

/** The selector of the user together with what the parameters of Events mean. */
function fieldSelectorOf({ triggerOn, eventType, objectKind, reason, options }: Values): string {
  const own = options.fieldSelector?.trim() ?? '';
  if (triggerOn !== 'event') return own;
  const fields: readonly (readonly [string, string])[] = [
    ['type', eventType === 'all' ? '' : eventType],
    ['involvedObject.kind', objectKind.trim()],
    ['reason', reason.trim()],
  ];
  const selected = fields
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, String.raw`\$&`)}`);
  return [...selected, ...(own === '' ? [] : [own])].join(',');
}

function watchOf(values: Values): TriggerSettings['watch'] {
  const { triggerOn, changes, modifiedWhen, fields, dimensions, minutes, days, options } = values;
  if (triggerOn === 'resource') return { kind: 'changes', types: changes, modifiedWhen, fields };
  if (triggerOn === 'event') {
    const types = options.tellRepeats === true ? (['added', 'modified'] as const) : (['added'] as const);
    return { kind: 'changes', types, modifiedWhen: 'any' };
  }
  if (triggerOn === 'component') {
    if (dimensions.length === 0) throw parameterInvalid('dimensions', 'Dimensions', 'must name at least one');
    const watched = { fields: ALL_COMPONENT_FIELDS, counting: componentFields(dimensions) };
    return { kind: 'changes', types: ['modified'], modifiedWhen: 'fields', ...watched };
  }
  return conditionOf(triggerOn, minutes, days, options.tellEnd ?? false);
}

function conditionOf(
  condition: ConditionName,
  minutes: number,
  days: number,
  tellEnd: boolean,
): TriggerSettings['watch'] {
  const timer = conditionSource(condition)?.timer;
  return {
    kind: 'condition',
    condition,
    tellEnd,
    ...(timer === 'hold' ? { minutes } : {}),
    ...(timer === 'deadline' ? { days } : {}),
  };
}
