import { NavinError } from '../../errors';
import type { JsonPatchOperation, KubeObject } from '../../kube';
import { digestOf } from '../canonical';
import { inputsOf } from '../decide/inputs';
import { permit } from '../decide/maintenance';
import type { ManagedComponent } from '../resource/component';
import type { ComponentSpec } from '../resource/spec';
import type { ComponentStatus, OperationType } from '../resource/status';
import { specRefusal } from '../specRefusal';
import type { Ask } from './ask';
import { nextSpec } from './nextSpec';

/** How a component is changed, so that it asks for something. */
export interface Plan {
  /** The fields of the spec that become others; none: it asks for that already. */
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * Changes those fields, and fails with a conflict when the resource is not of the version it was made for. A JSON patch,
   * because a merge patch could not write values that are null.
   */
  readonly patch: readonly JsonPatchOperation[];
}

/**
 * Plans a change of a component.
 *
 * @throws NavinError `k8s_values_secret`, `k8s_parameter_invalid` (with the path), `k8s_maintenance`, or
 * `k8s_operation_refused` while it is being removed
 */
export function planChange(component: ManagedComponent, ask: Ask): Plan {
  const { metadata, spec } = component;
  if (metadata.deletionTimestamp !== undefined && ask.type !== 'maintenance') throw beingRemoved(metadata);
  const next = nextSpec(spec, ask);
  const fields = changedFields(spec, next);
  // What is there may be refused by now for older reasons; who changes nothing is not told of them.
  if (Object.keys(fields).length > 0) checkComponent({ metadata: { name: metadata.name ?? '' }, spec: next });
  checkMaintenance(component, next, ask.type);
  const version: JsonPatchOperation = {
    op: 'replace',
    path: '/metadata/resourceVersion',
    value: metadata.resourceVersion,
  };
  const changes = Object.entries(fields).map(([name, value]): JsonPatchOperation => {
    const path = `/spec/${name}`;
    return value === undefined ? { op: 'remove', path } : { op: 'add', path, value };
  });
  return { fields, patch: changes.length === 0 ? [] : [version, ...changes] };
}

/**
 * Whether a change that was planned for one version of a component means the same for another: nobody else has changed
 * what it changes, nor the maintenance. A restart is one more restart, whoever else has asked for one.
 */
export function meansTheSame({ fields }: Plan, before: ManagedComponent, now: ManagedComponent): boolean {
  if (before.metadata.uid !== now.metadata.uid) return false;
  const names = ['maintenance', ...Object.keys(fields).filter((name) => name !== 'restartRequestedAt')];
  return names.every((name) => isSame(fieldOf(before.spec, name), fieldOf(now.spec, name)));
}

/** Whether a component still asks for what was written into it. A later restart is this one, too. */
export function stillAsks({ spec }: ManagedComponent, fields: Plan['fields']): boolean {
  return Object.entries(fields).every(([name, value]) => {
    const now = fieldOf(spec, name);
    return isSame(now, value) || (name === 'restartRequestedAt' && isLater(now, value));
  });
}

function isLater(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && Date.parse(left) > Date.parse(right);
}

/**
 * Everything about a component that is certain to be refused, before it is sent.
 * @throws NavinError `k8s_values_secret`, `k8s_parameter_invalid`
 */
export function checkComponent(component: KubeObject): void {
  const refusal = specRefusal(component);
  if (refusal === undefined) return;
  const { reason, message, path } = refusal;
  const details = { path, reason };
  if (reason === 'InlineSecret') {
    throw new NavinError('k8s_values_secret', `${path} holds a secret as text`, {
      hint: 'Put it into a Secret of the namespace, and let a secret reference give its name to the chart',
      details,
    });
  }
  throw new NavinError('k8s_parameter_invalid', `The component cannot be written: ${message}`, {
    hint: 'Correct what is named; nothing was sent',
    details,
  });
}

/** Refuses a removal in maintenance. @throws NavinError `k8s_maintenance` */
export function checkRemoval(component: ManagedComponent): void {
  if (component.spec.maintenance === true) throw inMaintenance(component, 'remove');
}

/** The operator would refuse it, too, and say so in the status; here it is not even written. */
function checkMaintenance(component: ManagedComponent, next: ComponentSpec, type: Ask['type']): void {
  const { status } = component;
  const accepted = status?.accepted;
  const { refused } = permit(inputsOf(next), accepted, liveReplicas(next, status));
  // A restart is no input of its own: before anything was accepted there is nothing to restart.
  const isRestart = type === 'restart' && next.maintenance === true && accepted !== undefined;
  if (isRestart || refused.some((one) => one === type)) throw inMaintenance(component, type);
}

/** What the workload that is scaled is to have now, as the operator saw it last. */
function liveReplicas({ scaleTarget }: ComponentSpec, status: ComponentStatus | undefined): number | undefined {
  const [only, another] = (status?.workloads ?? []).filter(
    ({ kind, name }) => scaleTarget === undefined || (kind === scaleTarget.kind && name === scaleTarget.name),
  );
  return another === undefined ? only?.desired : undefined;
}

function inMaintenance({ metadata }: ManagedComponent, operation: OperationType): NavinError {
  const { name = '', namespace = '' } = metadata;
  return new NavinError('k8s_maintenance', `The component ${name} is in maintenance: ${operation} is refused`, {
    hint: 'End the maintenance first. Starting and scaling out are not refused.',
    details: { name, namespace, operation, reason: 'MaintenanceActive' },
  });
}

function beingRemoved({ name = '', namespace = '' }: ManagedComponent['metadata']): NavinError {
  return new NavinError('k8s_operation_refused', `The component ${name} is being removed`, {
    hint: 'Wait until it is gone, then install it anew',
    details: { name, namespace },
  });
}

function changedFields(before: ComponentSpec, after: ComponentSpec): Plan['fields'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isSame(fieldOf(before, name), fieldOf(after, name)));
  return Object.fromEntries(changed.map((name) => [name, fieldOf(after, name)]));
}

function fieldOf(spec: ComponentSpec, name: string): unknown {
  return (spec as Readonly<Record<string, unknown>>)[name];
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return digestOf(left) === digestOf(right);
}
