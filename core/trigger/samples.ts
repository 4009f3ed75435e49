import type { KubeObject } from '../kube';
import { uidOf } from './identity';
import type { CheckedSettings } from './settings';
import { TriggerState } from './state';
import { makeEvent, type PassContext, type TriggerEvent } from './triggerEvent';

/** The type samples of a change get, by what the user watches. */
function sampleType(settings: CheckedSettings): TriggerEvent['type'] {
  if (settings.condition) return 'started';
  return (['modified', 'added', 'deleted'] as const).find((type) => settings.types.has(type)) ?? 'modified';
}

/**
 * Events for the editor, made from objects that exist now: of a condition those that show it. They touch no state, and
 * their keys begin with `sample`, so that none is ever taken for a real one.
 */
export function sampleEvents(objects: readonly KubeObject[], context: PassContext): readonly TriggerEvent[] {
  const { settings } = context;
  const { condition, resource } = settings;
  const state = new TriggerState({ owner: 'sample', lineage: 'sample', collection: settings.collection }, [], 0);
  return objects.flatMap((object): TriggerEvent[] => {
    const uid = uidOf(object);
    const { namespace, name, resourceVersion } = object.metadata;
    const common = {
      type: sampleType(settings),
      gap: false,
      existing: true as const,
      uid,
      namespace,
      name,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      object: condition?.rule.show?.(object) ?? object,
    };
    const drafts = condition
      ? condition.rule.examine(object, resource.kind).findings.map((finding) => ({
          ...common,
          identity: `sample:${uid}!${finding.slot}`,
          incident: { condition: condition.name, key: finding.key, slot: finding.slot, facts: finding.facts },
        }))
      : [{ ...common, identity: `sample:${uid}` }];
    return drafts.map((draft) => ({ ...makeEvent(draft, state, context), key: draft.identity }));
  });
}
