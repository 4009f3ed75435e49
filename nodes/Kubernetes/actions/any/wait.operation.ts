import { type JsonValue, NavinError } from '../../../../core/errors';
import { type ApiResource, type KubeClient, type KubeObject, parseFieldPath } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { defined } from '../../../shared/json';
import { kindLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { withoutSecretValues } from '../../../shared/secretValues';
import { checkedSelectors, selectionFields } from '../../../shared/selection';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields, waitUntil } from '../../../shared/wait';
import { type Goal, judge, type Verdict } from '../goal';

const UNTIL_CONDITION = { show: { until: ['condition'] } } as const;
const UNTIL_FIELD = { show: { until: ['field'] } } as const;

export const description = defineOperation({
  name: 'Wait',
  value: 'wait',
  action: 'Wait for any resource',
  description: 'Wait until objects of any kind have a condition or a value, or are gone; ends early on failure',
  rightsGroup: 'kind',
  rights: [],
  verbs: [
    { verb: 'get', when: 'by name' },
    { verb: 'list', when: 'by selector' },
  ],
  properties: [
    kindLocator(),
    namespaceLocator(),
    ...selectionFields(),
    {
      displayName: 'Until',
      name: 'until',
      type: 'options',
      default: 'condition',
      description: 'What to wait for; with a selector all objects that match',
      options: [
        { name: 'Absent', value: 'absent', description: 'The object is gone, or none matches' },
        { name: 'Condition', value: 'condition', description: 'A condition of its status, for example Ready' },
        { name: 'Field', value: 'field', description: 'A field has a value' },
        { name: 'Present', value: 'present', description: 'The object is there' },
      ],
    },
    {
      displayName: 'Condition',
      name: 'condition',
      type: 'string',
      required: true,
      default: 'Ready',
      placeholder: 'e.g. Available',
      description: 'Type of the condition: Ready, Available, Complete, Established, …',
      displayOptions: UNTIL_CONDITION,
    },
    {
      displayName: 'Condition Status',
      name: 'conditionStatus',
      type: 'options',
      default: 'True',
      description: 'Status the condition shall have',
      displayOptions: UNTIL_CONDITION,
      options: [
        { name: 'False', value: 'False' },
        { name: 'True', value: 'True' },
        { name: 'Unknown', value: 'Unknown' },
      ],
    },
    {
      displayName: 'Field',
      name: 'field',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. status.phase or {.status.phase}',
      description: 'Path of the field, plain or as JSONPath',
      displayOptions: UNTIL_FIELD,
    },
    {
      displayName: 'Value',
      name: 'value',
      type: 'string',
      default: '',
      placeholder: 'e.g. Bound',
      description: 'Value the field shall have; any when empty',
      displayOptions: UNTIL_FIELD,
    },
    ...waitFields(300),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Fail at Once When Missing',
          name: 'failWhenMissing',
          type: 'boolean',
          default: false,
          description: 'Whether an object that is not there yet is an error; else it is waited for, too',
        },
        {
          displayName: 'Failure Conditions',
          name: 'failureConditions',
          type: 'string',
          typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Condition' },
          default: ['Failed', 'Stalled'],
          description:
            'Conditions that end the waiting when they are True; so do a failed phase and rollout. None: never.',
        },
        INTERVAL_OPTION,
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** What conditions stand for failure when nothing else is set. */
const FAILURES = ['Failed', 'Stalled'];
/** The most objects a selector is waited for with. */
const MAX_OBJECTS = 1_000;

/** An object and how far it is. */
interface Seen {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly verdict: Verdict;
}

/** One look: nothing where nothing is there. */
type Look = () => Promise<readonly Seen[]>;

/** Looks again and again; needs no right to watch. */
export async function run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): Promise<readonly object[]> {
  const { select, timeoutSeconds, onFailure, options } = parameters;
  const resource = await client.resource(parameters.kind);
  const goal = goalOf(parameters);
  const look =
    select === 'name' ? byName(client, resource, parameters, goal) : bySelector(client, resource, parameters, goal);
  const waiting = { timeoutSeconds, intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS };
  const { last, seconds } = await waitUntil(look, (seen) => isOver(seen, goal), context, waiting);
  const isMet =
    goal.until === 'absent'
      ? last.length === 0
      : last.length > 0 && last.every(({ verdict }) => verdict.state === 'met');
  if (!isMet && onFailure === 'error') throw notMet(resource, parameters, last, seconds);
  const about = { kind: resource.kind, met: isMet, waitedSeconds: seconds };
  const named = select === 'name' ? { name: parameters.name } : {};
  if (last.length === 0) return [{ ...about, ...named, failed: false, seen: 'absent' }];
  return last.map(({ name, namespace, verdict }) => {
    const { state, seen, reason, message } = verdict;
    return defined({
      ...about,
      name,
      namespace,
      met: state === 'met',
      failed: state === 'failed',
      seen,
      reason,
      message,
    });
  });
}

function isOver(seen: readonly Seen[], goal: Goal): boolean {
  if (goal.until === 'absent') return seen.length === 0;
  if (seen.some(({ verdict }) => verdict.state === 'failed')) return true;
  return seen.length > 0 && seen.every(({ verdict }) => verdict.state === 'met');
}

function goalOf({ until, condition, conditionStatus, field, value }: Parameters): Goal {
  if (until === 'condition') return { until, type: condition.trim(), status: conditionStatus };
  return until === 'field' ? { until, path: parseFieldPath(field), value: value.trim() } : { until };
}

function failuresOf({ options }: Parameters, goal: Goal): readonly string[] {
  const types = (options.failureConditions ?? FAILURES).map((type) => type.trim()).filter((type) => type !== '');
  // Whoever waits for Failed does not take it for a failure.
  return goal.until === 'condition' ? types.filter((type) => type !== goal.type) : types;
}

/** An object that goes away while it is waited for has failed; another one of its name is not what was meant. */
function byName(client: KubeClient, resource: ApiResource, parameters: Parameters, goal: Goal): Look {
  const { namespace, name, options } = parameters;
  const failures = failuresOf(parameters, goal);
  let uid: string | undefined;
  return async () => {
    const found = await attempt(async () => await client.get(resource, { namespace, name }));
    if (found.error === undefined && (uid === undefined || found.value.metadata.uid === uid)) {
      uid = found.value.metadata.uid;
      return [seenOf(found.value, resource, goal, failures)];
    }
    if (found.error !== undefined && !isAbsence(found.error, goal)) throw found.error;
    if (goal.until === 'absent') return [];
    if (uid !== undefined) return [gone(name, resource, namespace, uid)];
    if (found.error !== undefined && options.failWhenMissing === true) throw found.error;
    return [];
  };
}

/** Whether an error says no more than that the object is not there; without its namespace it never comes. */
function isAbsence({ code, details }: NavinError, goal: Goal): boolean {
  if (code !== 'k8s_not_found') return false;
  return details.missing === 'object' || (details.missing === 'namespace' && goal.until === 'absent');
}

function bySelector(client: KubeClient, resource: ApiResource, parameters: Parameters, goal: Goal): Look {
  const { namespace } = parameters;
  const { failWhenMissing } = parameters.options;
  const selectors = checkedSelectors(parameters);
  const failures = failuresOf(parameters, goal);
  let isFirst = true;
  return async () => {
    const seen: Seen[] = [];
    const options = { namespace, ...selectors, dropManagedFields: true, maxItems: MAX_OBJECTS + 1 };
    for await (const { items } of client.pages(resource, options)) {
      seen.push(...items.map((object) => seenOf(object, resource, goal, failures)));
    }
    if (seen.length > MAX_OBJECTS) {
      throw parameterInvalid('labelSelector', 'Label Selector', `matches more than ${String(MAX_OBJECTS)} objects`);
    }
    if (isFirst && seen.length === 0 && failWhenMissing === true && goal.until !== 'absent') {
      throw new NavinError('k8s_not_found', `No ${resource.kind} matches the selector`, {
        details: { missing: 'object' },
      });
    }
    isFirst = false;
    return seen;
  };
}

/** Values of Secrets are not looked at: what was seen is told. */
function seenOf(object: KubeObject, resource: ApiResource, goal: Goal, failures: readonly string[]): Seen {
  const { name = '', namespace, uid } = object.metadata;
  return { name, namespace, uid, verdict: judge(withoutSecretValues(object, resource), goal, failures) };
}

function gone(name: string, resource: ApiResource, namespace: string, uid: string): Seen {
  const message = 'It was deleted while it was waited for';
  const verdict: Verdict = { state: 'failed', seen: 'absent', reason: 'Deleted', message };
  return { name, namespace: resource.namespaced ? namespace : undefined, uid, verdict };
}

function notMet(resource: ApiResource, parameters: Parameters, seen: readonly Seen[], seconds: number): NavinError {
  const failed = seen.find(({ verdict }) => verdict.state === 'failed');
  const waiting = seen.find(({ verdict }) => verdict.state === 'waiting');
  const first = failed ?? waiting;
  const name = first?.name ?? parameters.name;
  const what = `${resource.kind}${name === '' ? '' : ` ${name}`}`;
  const { reason, message } = first?.verdict ?? {};
  const why = [reason, message].filter((text) => text !== undefined).join(': ');
  const state = `${first?.verdict.seen ?? 'absent'}${why === '' ? '' : ` (${why})`}`;
  const sentence = failed
    ? `${what} failed: ${state}`
    : `${what} is not as wanted after ${String(seconds)} s: ${state}`;
  return new NavinError('k8s_wait_failed', sentence, {
    hint: "Look at the object and its events. With 'On Failure' set to 'Return the State' the workflow can decide.",
    details: { kind: resource.kind, objects: seen.slice(0, 50).map(detailsOf) },
  });
}

function detailsOf({ name, verdict }: Seen): JsonValue {
  return defined({ name, ...verdict }) as JsonValue;
}
