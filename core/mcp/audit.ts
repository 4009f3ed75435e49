import type { InstanceRef, Refusal } from './find';

/** What is audited. */
export type AuditAction = 'mcp_runtime.install' | 'mcp_runtime.instance.destroy' | 'mcp_runtime.instance.restart';

/**
 * What the people who run the platform read of an action, one line. It names an object and no identity: neither the owner
 * nor whoever asked.
 *
 * @param reason why it was denied; undefined: it was done
 */
export function auditLine(
  action: AuditAction,
  reason: Refusal | undefined,
  { namespace, name }: Pick<InstanceRef, 'namespace' | 'name'>,
): string {
  const outcome = reason === undefined ? 'outcome=done' : `outcome=denied reason=${reason}`;
  return `${action} ${outcome} namespace=${shown(namespace)} name=${shown(name)}`;
}

/** Names are whatever somebody typed: a line of a log takes only what can be one. */
function shown(name: string): string {
  return /^[a-z0-9][-a-z0-9.]{0,252}$/.test(name) ? name : '(no name)';
}
