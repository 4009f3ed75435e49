import { isRecord, type KubeObject } from '../../kube';
import { digestOf } from '../canonical';
import { at, fields, items } from '../fields';
import { OPERATOR_MANAGER } from '../names';

/**
 * Who holds which field, from the managed fields of an object. Who changes a field that we applied takes it from us, so
 * our own entry tells whether anything of ours was changed, without a dry run and without knowing what we applied.
 */

/**
 * The digest of the fields the operator holds, replicas aside (others may set those, see replicas.ts); undefined when the
 * object came without managed fields.
 */
export function heldFields(object: KubeObject): string | undefined {
  if (!Array.isArray(object.metadata.managedFields)) return undefined;
  const own = items(object.metadata, 'managedFields').find(isOwn);
  const held = fields(own, 'fieldsV1');
  const spec = { ...fields(held, 'f:spec') };
  delete spec['f:replicas'];
  return digestOf({ ...held, 'f:spec': spec });
}

/** The managers that hold `spec.replicas`, ours by its name. */
export function replicasManagers(object: KubeObject): readonly string[] {
  return items(object.metadata, 'managedFields')
    .filter((entry) => at(entry, 'fieldsV1', 'f:spec', 'f:replicas') !== undefined)
    .map((entry) => (isOwn(entry) ? OPERATOR_MANAGER : `${String(entry.manager)} (${String(entry.operation)})`));
}

/** The managed fields of an object that are looked at here; undefined when it came without. */
export function fieldsSeen(object: KubeObject): readonly unknown[] | undefined {
  if (!Array.isArray(object.metadata.managedFields)) return undefined;
  return items(object.metadata, 'managedFields').flatMap((entry) => {
    const { manager, operation, subresource } = entry;
    const who = { manager, operation, ...(subresource === undefined ? {} : { subresource }) };
    if (isOwn(entry)) return [{ ...who, fieldsV1: entry.fieldsV1 }];
    const holdsReplicas = at(entry, 'fieldsV1', 'f:spec', 'f:replicas') !== undefined;
    return holdsReplicas ? [{ ...who, fieldsV1: { 'f:spec': { 'f:replicas': {} } } }] : [];
  });
}

function isOwn(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { manager, operation, subresource = '' } = entry;
  return manager === OPERATOR_MANAGER && operation === 'Apply' && subresource === '';
}
