import { type KubeClient, type KubeObject, RESOURCES } from '../../../core/kube';
import type { OperationContext } from '../../shared/operation';
import { lastSeen, present, simplifyEvent } from '../../shared/simplify';
import { INCONSISTENT } from './getAll';

/** An option: the API server lists events by name. */
export const NEWEST_FIRST_OPTION = {
  displayName: 'Newest First',
  name: 'newestFirst',
  type: 'boolean',
  default: true,
  description: 'Whether to read all events and return the newest first, instead of the first of the list',
} as const;

/** What is listed and how. */
interface EventParameters {
  readonly namespace: string;
  readonly returnAll: boolean;
  readonly limit: number;
  readonly simplify: boolean;
  readonly options: { readonly newestFirst?: boolean; readonly managedFields?: boolean };
}

/** The most events that are read to find the newest. */
const MAX_EVENTS = 100_000;

/**
 * Events whose fields have some values. The API server lists events by name, so the newest are found only by reading all.
 * @param selected values by field; an empty one does not count
 * @param isWanted which of them; all when absent
 */
export async function* listEvents(
  client: KubeClient,
  selected: Readonly<Record<string, string>>,
  { namespace, returnAll, limit, simplify, options }: EventParameters,
  context: OperationContext,
  isWanted?: (event: KubeObject) => boolean,
): AsyncGenerator<readonly object[]> {
  const wanted = returnAll ? MAX_EVENTS : limit;
  const newestFirst = options.newestFirst ?? true;
  const shown = (event: KubeObject) =>
    present(simplifyEvent, event, RESOURCES.events, { simplify, managedFields: options.managedFields });
  let newest: KubeObject[] = [];
  let left = wanted;
  for await (const page of client.pages(RESOURCES.events, {
    namespace,
    fieldSelector: selectorOf(selected),
    maxItems: newestFirst || isWanted !== undefined ? MAX_EVENTS : wanted,
  })) {
    if (page.inconsistent) context.note(INCONSISTENT);
    const found = isWanted === undefined ? page.items : page.items.filter(isWanted);
    if (newestFirst) {
      newest = newestOf([...newest, ...found], wanted);
      continue;
    }
    yield found.slice(0, left).map(shown);
    left -= found.length;
    if (left <= 0) return;
  }
  if (newestFirst) yield newest.map(shown);
}

function newestOf(events: readonly KubeObject[], count: number): KubeObject[] {
  return events
    .map((event) => ({ event, time: Date.parse(lastSeen(event)) || 0 }))
    .sort((left, right) => right.time - left.time)
    .slice(0, count)
    .map(({ event }) => event);
}

function selectorOf(selected: Readonly<Record<string, string>>): string {
  return Object.entries(selected)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, String.raw`\$&`)}`)
    .join(',');
}
