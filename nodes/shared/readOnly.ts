import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NavinError } from '../../core/errors';
import type { OperationDescription } from './operation';
import type { Right } from './rights';

/**
 * The parameter of the node that stands for all its operations. Without expressions, n8n's editor offers no button that
 * lets an AI agent fill it either.
 */
export const READ_ONLY_FIELD: INodeProperties = {
  displayName: 'Read Only',
  name: 'readOnly',
  type: 'boolean',
  noDataExpression: true,
  default: false,
  description:
    'Whether to refuse every operation that can change something, before anything is sent; no expression and no AI agent can switch it off',
};

/** Verbs that change nothing. */
const READ_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
/** Subresources that act whatever the verb is: the connection to a container begins with a GET. */
const ACTING_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

/**
 * Whether an operation can change nothing: it follows from the rights it uses, which are proved against the API server, so
 * that nobody has to remember to say it of a new one.
 */
export function isRead({ rights, verbs = [], dryRunOnly }: OperationDescription): boolean {
  if (dryRunOnly === true) return true;
  return [...rights, ...verbs].every(({ verb, subresource = '' }: Pick<Right, 'verb' | 'subresource'>) => {
    return READ_VERBS.has(verb) && !ACTING_SUBRESOURCES.has(subresource);
  });
}

/**
 * Refuses an operation that can change something where the node is read only. The value is taken as it is stored, so that
 * no expression, and no agent that fills one, can switch it off: whatever is not plainly off is on.
 * @throws NavinError `k8s_read_only`
 */
export function refuseChange(
  context: Pick<IExecuteFunctions, 'getNodeParameter'>,
  operation: OperationDescription,
  item: number,
): void {
  const { name } = READ_ONLY_FIELD;
  if (isRead(operation)) return;
  const readOnly: unknown = context.getNodeParameter(name, item, false, { rawExpressions: true });
  if (readOnly === false) return;
  const isSet = readOnly === true;
  throw new NavinError('k8s_read_only', `'${operation.action}' can change the cluster, and the node is read only`, {
    hint: isSet
      ? "Choose an operation that only reads, or switch 'Read Only' off in the node"
      : "'Read Only' must be on or off in the node: an expression counts as on",
    details: { operation: operation.value },
  });
}
