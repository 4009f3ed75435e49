import type { KubeClient } from '../../../../core/kube';
import type { ParametersOf } from '../../../shared/operation';
import { describeGet, getObject } from '../get';

export const description = describeGet('ingress', 'surroundings');

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await getObject(client, 'ingress', parameters);
}
