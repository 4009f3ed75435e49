import type { KubeObject } from '../../../core/kube';
import { at, defined, numberAt, textAt } from '../json';

/** An Event in flat fields; `object` for people, `objectKind` and `objectName` for the next node. */
export function simplifyEvent(event: KubeObject): object {
  // The new API, events.k8s.io, has other names for the same.
  const about = at(event, 'involvedObject') ?? at(event, 'regarding');
  const source = at(event, 'source') ?? at(event, 'deprecatedSource');
  return defined({
    type: textAt(event, 'type'),
    reason: textAt(event, 'reason'),
    message: textAt(event, 'message') ?? textAt(event, 'note'),
    object: `${textAt(about, 'kind') ?? ''}/${textAt(about, 'name') ?? ''}`,
    objectKind: textAt(about, 'kind'),
    objectName: textAt(about, 'name'),
    container: containerOf(textAt(about, 'fieldPath') ?? ''),
    namespace: textAt(event, 'metadata', 'namespace'),
    count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? numberAt(event, 'deprecatedCount') ?? 1,
    firstSeen:
      textAt(event, 'firstTimestamp') ??
      textAt(event, 'deprecatedFirstTimestamp') ??
      textAt(event, 'eventTime') ??
      textAt(event, 'metadata', 'creationTimestamp'),
    lastSeen: lastSeen(event),
    source: sourceOf(event, source),
    node: textAt(source, 'host'),
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
    textAt(event, 'deprecatedLastTimestamp') ??
    textAt(event, 'eventTime') ??
    textAt(event, 'metadata', 'creationTimestamp') ??
    ''
  );
}

/** The component that reported an event; the new API writes an empty text where it has none. */
function sourceOf(event: KubeObject, source: unknown): string | undefined {
  const reporting = textAt(event, 'reportingComponent') ?? textAt(event, 'reportingController');
  return reporting === undefined || reporting === '' ? textAt(source, 'component') : reporting;
}

/** The container of a pod an event is about: the kubelet writes `spec.containers{app}`. */
function containerOf(fieldPath: string): string | undefined {
  return /^spec\.(?:initContainers|containers|ephemeralContainers)\{([a-z0-9-]{1,63})\}$/.exec(fieldPath)?.[1];
}
