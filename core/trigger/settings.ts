import { NavinError } from '../errors';
import { holdsSecrets, parseFieldPath, rootOf, type ApiResource, type FieldPath } from '../kube';
import { CONDITIONS, type ConditionName, type ConditionRule, type ConditionTiming } from './conditions';
import { hash } from './digest';

/** What may happen to an object. With a selector an object that no longer matches counts as deleted. */
export type ChangeType = 'added' | 'modified' | 'deleted';

/** Which modifications count. `spec`: the generation rose, or, where objects have none, anything outside metadata and status. */
export type ModifiedWhen = 'any' | 'spec' | 'status' | 'fields';

/** Changes of objects. */
export interface ChangesChoice {
  readonly kind: 'changes';
  readonly types: readonly ChangeType[];
  readonly modifiedWhen: ModifiedWhen;
  /** Paths for `fields`, 1 to 10. */
  readonly fields?: readonly string[];
  /** Those of `fields` whose change counts; what the others were is told with it. Default: all count. */
  readonly counting?: readonly string[];
}

/** A ready-made condition. */
export interface ConditionChoice {
  readonly kind: 'condition';
  readonly condition: ConditionName;
  /** "Longer than": minutes, 0 to 10,080. Only for conditions that last. */
  readonly minutes?: number;
  /** "Within": days, 1 to 3,650. Only for certificates. */
  readonly days?: number;
  /** Also tell when an incident ends. */
  readonly tellEnd?: boolean;
}

/** Everything the user chose about what to watch. */
export interface TriggerSettings {
  readonly resource: ApiResource;
  /** Empty: all namespaces in one watch. Several: one watch each. */
  readonly namespaces: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly watch: ChangesChoice | ConditionChoice;
  /** Tell what exists (or already holds) at the first activation. Default false. */
  readonly emitExisting?: boolean;
  /** How many objects are tracked in each watch, 1 to 5,000; in all of them 5,000 at most. Default 300. */
  readonly tracked?: number;
  /** Also start the workflow for each gap, with an item of type `gap`. Default false. */
  readonly tellGaps?: boolean;
}

/** A checked condition with its times. */
export interface CheckedCondition extends ConditionTiming {
  readonly name: ConditionName;
  readonly rule: ConditionRule;
  readonly tellEnd: boolean;
}

/** Settings that cannot be wrong. Made by {@link checkSettings} only. */
export interface CheckedSettings {
  readonly resource: ApiResource;
  /** One watch each; `''` is all namespaces (or a resource without namespaces). */
  readonly scopes: readonly string[];
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Objects can leave the collection without being deleted. */
  readonly selective: boolean;
  readonly types: ReadonlySet<ChangeType>;
  readonly modifiedWhen: ModifiedWhen;
  readonly fields: readonly FieldPath[];
  /** The texts of those whose change counts; undefined: all of them. */
  readonly counting: ReadonlySet<string> | undefined;
  readonly condition: CheckedCondition | undefined;
  /** Kubernetes Events: known by their count, and their deletion is only their age. */
  readonly events: boolean;
  readonly emitExisting: boolean;
  /** In each scope. */
  readonly tracked: number;
  readonly tellGaps: boolean;
  /** Names what is watched: another collection cannot go on from a stored cursor. */
  readonly collection: string;
  /** Names what is remembered of each object. */
  readonly filter: string;
}

/** Objects tracked unless the user chose otherwise. */
export const DEFAULT_TRACKED = 300;
/** The most objects that can be tracked: their rows are written into n8n's database again and again. */
export const MAX_TRACKED = 5000;
const MAX_NAMESPACES = 50;
const MAX_FIELDS = 10;

/**
 * Checks what the user chose.
 *
 * @throws NavinError `k8s_parameter_invalid` with `details.parameter`, or `k8s_unsupported` when the resource cannot be
 * listed and watched
 */
export function checkSettings(settings: TriggerSettings): CheckedSettings {
  const { resource } = settings;
  for (const verb of ['list', 'watch']) {
    if (resource.verbs.includes(verb)) continue;
    throw new NavinError(
      'k8s_unsupported',
      `${resource.kind} cannot be watched: the API server offers no ${verb} for it.`,
    );
  }
  const scopes = scopesOf(settings);
  const labelSelector = given(settings.labelSelector);
  const fieldSelector = given(settings.fieldSelector);
  const changes = settings.watch.kind === 'changes' ? checkChanges(resource, settings.watch) : undefined;
  const condition = settings.watch.kind === 'condition' ? checkCondition(resource, settings.watch) : undefined;
  const { group, plural } = resource;
  const wanted = settings.tracked ?? DEFAULT_TRACKED;
  requireInteger('tracked', 'The number of tracked objects', wanted, 1, MAX_TRACKED);
  const tracked = Math.min(wanted, Math.floor(MAX_TRACKED / scopes.length));
  return {
    resource,
    scopes,
    labelSelector,
    fieldSelector,
    selective: labelSelector !== undefined || fieldSelector !== undefined,
    types: changes?.types ?? new Set(),
    modifiedWhen: changes?.modifiedWhen ?? 'any',
    fields: changes?.fields ?? [],
    counting: changes?.counting,
    condition,
    events: plural === 'events' && (group === '' || group === 'events.k8s.io'),
    emitExisting: settings.emitExisting ?? false,
    tracked,
    tellGaps: settings.tellGaps ?? false,
    collection: hash([
      group,
      plural,
      labelSelector ?? '',
      fieldSelector ?? '',
      condition?.name ?? '',
      ...[...scopes].sort(),
    ]).slice(0, 12),
    filter: hash([changes?.modifiedWhen ?? '', ...(changes?.fields ?? []).map((path) => path.text)]).slice(0, 8),
  };
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function scopesOf(settings: TriggerSettings): readonly string[] {
  const names = [...new Set(settings.namespaces.map((name) => name.trim()).filter((name) => name !== ''))];
  if (!settings.resource.namespaced || names.length === 0 || names.includes('*')) return [''];
  if (names.length > MAX_NAMESPACES) {
    throw invalid(
      'namespaces',
      `At most ${MAX_NAMESPACES} namespaces can be watched one by one: watch all of them in one watch, with a selector.`,
    );
  }
  const wrong = names.find((name) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name));
  if (wrong !== undefined)
    throw invalid('namespaces', `"${wrong.replace(/[^\x20-\x7e]/g, '?').slice(0, 63)}" is no name of a namespace.`);
  return names;
}

function checkChanges(
  resource: ApiResource,
  choice: ChangesChoice,
): Pick<CheckedSettings, 'types' | 'modifiedWhen' | 'fields' | 'counting'> {
  if (choice.types.length === 0) throw invalid('types', 'Choose at least one of added, modified and deleted.');
  const { modifiedWhen } = choice;
  if (modifiedWhen !== 'fields') {
    if (modifiedWhen !== 'any' && holdsSecrets(resource)) {
      // A digest of a Secret's data in n8n's database would let short secrets be guessed.
      throw invalid(
        'modifiedWhen',
        'Nothing of a Secret is remembered, so its changes cannot be told apart: choose any change.',
      );
    }
    return { types: new Set(choice.types), modifiedWhen, fields: [], counting: undefined };
  }
  const fields = (choice.fields ?? []).filter((text) => text.trim() !== '').map(parseFieldPath);
  if (fields.length === 0 || fields.length > MAX_FIELDS) {
    throw invalid('fields', `Name 1 to ${MAX_FIELDS} fields whose change counts.`);
  }
  const hidden = fields.find((path) => holdsSecrets(resource) && !shownOfSecret(path));
  if (hidden) {
    throw invalid(
      'fields',
      `Nothing of a Secret is remembered but its type and labels: "${hidden.text}" cannot be compared.`,
    );
  }
  const counting = choice.counting && new Set(choice.counting.map((text) => parseFieldPath(text).text));
  return { types: new Set(choice.types), modifiedWhen, fields, counting };
}

function shownOfSecret(path: FieldPath): boolean {
  const second = path.segments[1];
  return rootOf(path) === 'type' || (rootOf(path) === 'metadata' && second?.kind === 'key' && second.key === 'labels');
}

function checkCondition(resource: ApiResource, choice: ConditionChoice): CheckedCondition {
  if (!Object.hasOwn(CONDITIONS, choice.condition)) throw invalid('condition', 'There is no condition of this name.');
  const rule: ConditionRule = CONDITIONS[choice.condition];
  const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  if (!rule.resources.includes(name)) {
    throw invalid('resource', `"${rule.about}" looks at ${rule.resources.join(', ')}, not at ${name}.`);
  }
  const minutes = rule.timer === 'hold' ? (choice.minutes ?? 10) : 0;
  const days = rule.timer === 'deadline' ? (choice.days ?? 14) : 0;
  if (!Number.isFinite(minutes) || minutes < 0 || minutes > 10_080) {
    throw invalid('minutes', 'The time must be 0 to 10,080 minutes (a week).');
  }
  if (rule.timer === 'deadline') requireInteger('days', 'The number of days', days, 1, 3650);
  return {
    name: choice.condition,
    rule,
    tellEnd: choice.tellEnd ?? false,
    holdMs: minutes * 60_000,
    aheadMs: days * 86_400_000,
  };
}

function requireInteger(parameter: string, what: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalid(parameter, `${what} must be a whole number from ${min} to ${max}.`);
}

function invalid(parameter: string, message: string): NavinError {
  return new NavinError('k8s_parameter_invalid', message, { details: { parameter } });
}
