import type { KubeClient } from '../../../../core/kube';
import type { OperationContext } from '../../../shared/operation';
import { changeComponent, type ChangeParameters } from './change';

/**
 * Restart and Rolling Restart are the same: all Pods are replaced, by a rolling update within the disruption budget. Two at
 * the same moment are two, because each writes a time that is later than the one before.
 */
export async function restartComponent(
  client: KubeClient,
  parameters: ChangeParameters,
  request: string,
  context: OperationContext,
): Promise<object> {
  return await changeComponent(client, parameters, request, { type: 'restart', now: context.clock.now() }, context);
}
