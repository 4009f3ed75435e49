import type { KubeClient, KubeObject } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { at, numberAt } from '../../../shared/json';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { TRY_OPTION } from '../objectChanges';
import {
  checkDistinct,
  checkedName,
  type PrefixedSource,
  type Source,
  sourcesAfter,
  sourcesOf,
  sourceText,
  type Variable,
  variablePatch,
} from './environment';
import { REMOVE_OPTION, REMOVE_SOURCES_OPTION, SOURCES_FIELD, VARIABLES_FIELD } from './environmentFields';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { findContainer, INIT_CONTAINER_OPTION } from './templateContainer';
import { warned } from './warnings';
import { changeRights, readWorkload, resourceOf, shown, triedOn, type WorkloadKind } from './workload';

/** The description of Set Environment. */
/* @__NO_SIDE_EFFECTS__ */
export function describeSetEnvironment<K extends WorkloadKind>(kind: K) {
  return defineOperation({
    name: 'Set Environment',
    value: 'setEnvironment',
    action: `Set ${kind} environment`,
    description: `Set or remove environment variables of one container of a ${kind}, which rolls it out`,
    rightsGroup: 'workloads',
    rights: changeRights(kind),
    properties: [
      namespaceLocator(),
      nameLocator(kind),
      containerLocator('The container whose variables to set; may be left out when there is only one'),
      VARIABLES_FIELD,
      SOURCES_FIELD,
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [TRY_OPTION, FORCE_OPTION, INIT_CONTAINER_OPTION, REMOVE_OPTION, REMOVE_SOURCES_OPTION],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeSetEnvironment<'deployment'>>>;

/** How often it is tried again when the workload was changed in between; its status changes all the time. */
const MAX_CONFLICTS = 5;

/** Values are sent and never shown: the output tells names only. */
export async function setEnvironment(
  client: KubeClient,
  kind: WorkloadKind,
  parameters: Parameters,
  context: OperationContext,
): Promise<object> {
  const wanted = wantedOf(parameters);
  for (let conflicts = 0; ; conflicts += 1) {
    const changed = await attempt(async () => await change(client, kind, parameters, wanted));
    if (changed.error === undefined) return outputOf(kind, parameters, wanted, changed.value, context);
    if (changed.error.code !== 'k8s_conflict' || conflicts >= MAX_CONFLICTS) throw changed.error;
  }
}

/** What the parameters ask for, checked. */
interface Wanted {
  readonly set: readonly Variable[];
  readonly remove: readonly string[];
  readonly sources: readonly PrefixedSource[];
  readonly removeSources: readonly Source[];
}

function wantedOf({ variables, sources: { source: given }, options }: Parameters): Wanted {
  const set = variables.variable.map((variable) => ({
    ...variable,
    name: checkedName(variable.name, 'variables', 'Variables'),
  }));
  const remove = (options.remove ?? []).map((name) => checkedName(name, 'variables', 'Variables'));
  const sources = given.map((source) => ({
    ...source,
    name: source.name.trim(),
    prefix: source.prefix === '' ? '' : checkedName(source.prefix, 'sources', 'All Keys Of', 'prefix'),
  }));
  const removeSources = (options.removeSources?.source ?? []).map(({ kind, name }) => ({ kind, name: name.trim() }));
  if (set.length + remove.length + sources.length + removeSources.length === 0) {
    throw parameterInvalid('variables', 'Variables', 'is empty: there is nothing to set or remove');
  }
  checkDistinct([...set.map(({ name }) => name), ...remove], 'variables', 'Variables');
  const prefixed = sources.map(
    (source) => `${sourceText(source)}${source.prefix === '' ? '' : ` as ${source.prefix}`}`,
  );
  checkDistinct(prefixed, 'sources', 'All Keys Of');
  return { set, remove, sources, removeSources };
}

/** What was changed, and what there was before. */
interface Changed {
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly container: string;
  readonly warnings: readonly string[];
}

/**
 * Variables are merged by name. The list of sources has nothing to merge by: it is replaced, and only while the workload
 * is the one it was read from.
 */
async function change(
  client: KubeClient,
  kind: WorkloadKind,
  { namespace, name, options, container: chosen }: Parameters,
  { set, remove, sources, removeSources }: Wanted,
): Promise<Changed> {
  const list = options.initContainer === true ? 'initContainers' : 'containers';
  const before = await readWorkload(client, kind, { namespace, name });
  const { container, index } = findContainer(kind, before, list, chosen);
  const warnings = ownerWarnings(kind, before, 'declared', options);
  const env = [...set.map(variablePatch), ...remove.map((each) => ({ name: each, $patch: 'delete' }))];
  const replaces = sources.length + removeSources.length > 0;
  const envFrom = sourcesAfter(sourcesOf(before, list, index), sources, removeSources);
  const { resourceVersion } = before.metadata;
  const template = { spec: { [list]: [{ name: container, env, ...(replaces ? { envFrom } : {}) }] } };
  const body = { ...(replaces ? { metadata: { resourceVersion } } : {}), spec: { template } };
  const { dryRun } = options;
  const ref = { namespace, name };
  const after = await client.patch(resourceOf(kind), ref, { type: 'strategic', body }, { dryRun });
  return { before, after, container, warnings };
}

function outputOf(
  kind: WorkloadKind,
  { name, options }: Parameters,
  { set, remove, sources, removeSources }: Wanted,
  { before, after, container, warnings }: Changed,
  context: OperationContext,
): object {
  const paused = at(after, 'spec', 'paused') === true ? [PAUSED] : [];
  return shown(kind, after, {
    container,
    set: set.map((variable) => variable.name),
    removed: remove,
    setSources: sources.map(sourceText),
    removedSources: removeSources.map(sourceText),
    changed: numberAt(before, 'metadata', 'generation') !== numberAt(after, 'metadata', 'generation'),
    ...triedOn(before, after, options.dryRun),
    ...warned(kind, name, [...warnings, ...paused], context),
  });
}

const PAUSED = 'it is paused: the environment rolls out when it is resumed';
