import type { KubeObject } from '../../../core/kube';
import { defined, numberAt, textAt } from '../json';

/** An Event in flat fields. */
export function simplifyEvent(event: KubeObject): object {
  return defined({
    type: textAt(event, 'type'),
    reason: textAt(event, 'reason'),
    message: textAt(event, 'message'),
    object: `${textAt(event, 'involvedObject', 'kind') ?? ''}/${textAt(event, 'involvedObject', 'name') ?? ''}`,
    namespace: textAt(event, 'metadata', 'namespace'),
    count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
    firstSeen:
      textAt(event, 'firstTimestamp') ?? textAt(event, 'eventTime') ?? textAt(event, 'metadata', 'creationTimestamp'),
    lastSeen: lastSeen(event),
    source: sourceOf(event),
    name: textAt(event, 'metadata', 'name'),
  });
}

/**
 * When an event was seen last, RFC 3339. The old and the new API fill different fields: a series beats the last
 * timestamp, which beats the time of the event.
 */
export function lastSeen(event: KubeObject): string {
  return (
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    ''
  );
}

/** The component that reported an event; the new API writes an empty text where it has none. */
function sourceOf(event: KubeObject): string | undefined {
  const reporting = textAt(event, 'reportingComponent');
  return reporting === undefined || reporting === '' ? textAt(event, 'source', 'component') : reporting;
}
