import type { JsonValue } from '../errors';
import { readField, type KubeObject } from '../kube';
import { uidOf } from './identity';
import type { CheckedSettings } from './settings';
import { TriggerState } from './state';
import { makeEvent, type FieldChange, type PassContext, type TriggerEvent } from './triggerEvent';

/** The chosen fields as they are: what they were before is not known. */
function fieldsOf(object: KubeObject, { fields }: CheckedSettings): readonly FieldChange[] {
  return fields.map((path) => {
    const current = readField(object, path) as JsonValue | undefined;
    return { path: path.text, previousUnknown: true, ...(current === undefined ? {} : { current }) };
  });
}

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
      ...(settings.fields.length > 0 ? { changed: fieldsOf(object, settings) } : {}),
    };
    const drafts = condition
      ? condition.rule
          .examine(object, resource.kind)
          .findings.filter(({ unsure }) => !unsure)
          .map((finding) => ({
            ...common,
            identity: `sample:${uid}!${finding.slot}`,
            incident: {
              condition: condition.name,
              key: `${condition.name}:${finding.slot}:${finding.name ?? finding.key}`,
              slot: finding.slot,
              facts: finding.facts,
            },
          }))
      : [{ ...common, identity: `sample:${uid}` }];
    return drafts.map((draft) => ({ ...makeEvent(draft, state, context), key: draft.identity }));
  });
}
