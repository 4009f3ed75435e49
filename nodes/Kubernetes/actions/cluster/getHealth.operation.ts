import type { KubeClient } from '../../../../core/kube';
import { defineOperation } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Get Health',
  value: 'getHealth',
  action: 'Get cluster health',
  description: 'Get the health checks of the API server: whether it is ready and alive, and what fails',
  rightsGroup: 'read',
  rights: [],
  properties: [],
});

/** A check that fails is an answer, so that a workflow can decide; every cluster lets everybody ask. */
export async function run(client: KubeClient): Promise<object> {
  const [ready, live] = await Promise.all([client.health('readyz'), client.health('livez')]);
  return {
    ready: ready.ok,
    live: live.ok,
    failed: ready.checks.filter(({ ok }) => !ok).map(({ name }) => name),
    checks: ready.checks,
  };
}
