import { controllerStatus } from '../../../../core/inventory';
import { ifFound, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import type { OperationContext } from '../../../shared/operation';
import type { Right } from '../../../shared/rights';

/** What is read of a program of the platform. */
export const STATUS_RIGHTS = [
  { verb: 'get', group: 'apps', resource: 'deployments' },
  { verb: 'get', group: 'coordination.k8s.io', resource: 'leases', optional: true },
] as const satisfies readonly Right[];

/** A program of the platform: its Deployment, the container that counts, and the Lease of its leader. */
export interface Controller {
  readonly namespace: string;
  readonly deployment: string;
  readonly container: string;
  /** The name of the Lease, which a flag of the Deployment may change. */
  readonly leaseName: (deployment: KubeObject | undefined) => string;
}

/** Reads how a program is; that it is not there is an answer. */
export async function readController(
  client: KubeClient,
  { namespace, deployment: name, container, leaseName }: Controller,
  { clock, signal }: OperationContext,
): Promise<{ readonly deployment: KubeObject | undefined; readonly status: object }> {
  const deployment = await ifFound(client.get(RESOURCES.deployments, { namespace, name }, { signal }));
  const leaseRef = { namespace, name: leaseName(deployment) };
  const lease = await attempt(async () => await ifFound(client.get(RESOURCES.leases, leaseRef, { signal })));
  if (lease.error !== undefined && lease.error.code !== 'k8s_forbidden') throw lease.error;
  const readable = lease.error === undefined ? (lease.value ?? null) : undefined;
  return { deployment, status: controllerStatus(deployment, container, readable, clock.now()) };
}
