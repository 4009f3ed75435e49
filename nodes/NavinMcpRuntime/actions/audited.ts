import { type AuditAction, auditLine, instanceNotFound, type InstanceRef, type Refusal } from '../../../core/mcp';
import type { OperationContext } from '../../shared/operation';

/** Notes in the log of n8n that something was done to an instance. */
export function auditDone(context: OperationContext, action: AuditAction, ref: InstanceRef): void {
  context.log('info', auditLine(action, undefined, ref));
}

/**
 * The error of an instance that is none to act on. The reason goes to the log of n8n alone: whoever made the workflow sees
 * the same of a missing object and of one that is not managed, in the error and in the note of the execution.
 */
export function denied(context: OperationContext, action: AuditAction, ref: InstanceRef, refusal: Refusal): Error {
  context.log('warn', auditLine(action, refusal, ref));
  context.note(`${action}: denied. There is no managed MCP instance of this name in this namespace.`);
  return instanceNotFound(ref);
}
