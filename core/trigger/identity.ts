import type { KubeObject } from '../kube';
import { hash } from './digest';
import { eventCount, type Facts } from './facts';
import type { CheckedSettings } from './settings';

/** Whose events they are: part of every key. */
export interface TriggerOwner {
  readonly workflowId: string;
  /** The id of the node, which survives a new name. */
  readonly nodeId: string;
}

/** Hash of workflow and node, as the state carries it. */
export function ownerMark(owner: TriggerOwner): string {
  return hash([owner.workflowId, owner.nodeId]).slice(0, 12);
}

/**
 * The key under which n8n keeps an execution from being started twice: 52 characters. The epoch is part of it, so that a
 * cluster that was set back can give the same version a second meaning.
 */
export function keyOf(owner: TriggerOwner, epoch: number, identity: string): string {
  return `navin-k8s-${hash([epoch, owner.workflowId, owner.nodeId, identity])}`;
}

/** The identity of a uid; an aggregated API whose objects have none is known by names. */
export function uidOf(object: KubeObject): string {
  const { uid, namespace, name } = object.metadata;
  return uid ?? `name:${namespace ?? ''}/${name ?? ''}`;
}

/**
 * The identity of a creation or modification: uid and version. An Event is the same as long as its count is. Where only
 * changes of the spec count it is the generation: a later write of the status does not make it another change.
 */
export function changeIdentity(
  uid: string,
  object: KubeObject,
  after: Facts,
  settings: CheckedSettings,
  added: boolean,
): string {
  if (settings.events) return `${uid}*${eventCount(object)}`;
  if (!added && after.spec.startsWith('g')) return `${uid}#${after.spec}`;
  return `${uid}@${after.version}`;
}

/**
 * The identity of an end: a deletion happens once in the life of an object. With a selector the server says the same of an
 * object that no longer matches, and that may happen often: each stay is named by the version at which the object came in.
 */
export function endIdentity(uid: string, entry: string, version: string, settings: CheckedSettings): string {
  if (!settings.selective) return `${uid}:gone`;
  return `${uid}:left:${entry === '' ? version : entry}`;
}
