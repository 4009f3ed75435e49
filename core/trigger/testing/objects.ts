import { RESOURCES, type KubeObject, type WatchEvent } from '../../kube';
import { checkSettings, type ChangesChoice, type CheckedSettings, type TriggerSettings } from '../settings';
import { TriggerState } from '../state';
import type { PassContext } from '../triggerEvent';

/** The owner of all events in tests. */
export const OWNER = { workflowId: 'workflow', nodeId: 'node' };
/** 2026-01-01. */
export const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Settings for ConfigMaps, every change, unless said otherwise. */
export function settingsFor(
  change: Omit<Partial<TriggerSettings>, 'watch'> & { readonly watch?: Partial<ChangesChoice> } = {},
): CheckedSettings {
  const { watch, ...rest } = change;
  return checkSettings({
    resource: RESOURCES.configmaps,
    namespaces: [],
    watch: { kind: 'changes', types: ['added', 'modified', 'deleted'], modifiedWhen: 'any', ...watch },
    ...rest,
  });
}

/** A context at a time, ms after {@link NOW}. */
export function contextOf(settings: CheckedSettings, afterMs = 0): PassContext {
  return { owner: OWNER, settings, now: NOW + afterMs, wall: NOW + afterMs };
}

/** A state that has been listed at a version, and knows nothing. */
export function listedState(settings: CheckedSettings, version = '100'): TriggerState {
  const state = newState(settings);
  state.filter = settings.filter;
  for (const scope of state.scopes.values()) Object.assign(scope, { cursor: version, relist: undefined });
  return state;
}

/** A state that was never listed. */
export function newState(settings: CheckedSettings): TriggerState {
  const identity = { owner: 'owner', lineage: 'line', collection: settings.collection };
  return new TriggerState(identity, settings.scopes, settings.tracked);
}

/** An object with a uid made from its name. */
export function objectOf(
  name: string,
  version: string | number,
  rest: Readonly<Record<string, unknown>> = {},
): KubeObject {
  const { metadata = {}, ...fields } = rest;
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: String(version),
      creationTimestamp: '2025-12-31T00:00:00Z',
      ...(metadata as object),
    },
    ...fields,
  };
}

/** An event of a watch. */
export function watched(
  type: WatchEvent['type'],
  object: KubeObject,
  scope = '',
): { kind: 'event'; scope: string; event: WatchEvent } {
  return { kind: 'event', scope, event: { type, object } };
}

/** A bookmark. */
export function bookmark(version: string | number, scope = ''): ReturnType<typeof watched> {
  return watched('BOOKMARK', { metadata: { resourceVersion: String(version) } }, scope);
}

/** A list in one page. */
export function listed(
  version: string | number,
  items: readonly KubeObject[],
  scope = '',
): { kind: 'list'; scope: string; pages: { items: readonly KubeObject[]; version: string; inconsistent: boolean }[] } {
  return { kind: 'list', scope, pages: [{ items, version: String(version), inconsistent: false }] };
}
