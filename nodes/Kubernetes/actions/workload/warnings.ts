import type { OperationContext } from '../../../shared/operation';
import { titled, type WorkloadKind } from './workload';

/** Warnings as the field `warning` of the output, and as notes in the editor. */
export function warned(
  kind: WorkloadKind,
  name: string,
  warnings: readonly string[],
  context: OperationContext,
): { readonly warning?: string } {
  for (const warning of warnings) context.note(`${titled(kind, name)}: ${warning}`);
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
}
