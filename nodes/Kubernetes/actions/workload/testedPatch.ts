import { NavinError } from '../../../../core/errors';
import { type JsonPatchOperation, KubeApiError, type KubeClient, type KubeObject } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { resourceOf, titled, type WorkloadKind, type WorkloadRef } from './workload';

/**
 * Changes a workload by a JSON patch that begins with a test of what was read.
 *
 * @param options `what` was changed by somebody else when the test fails: `containers`
 * @throws NavinError `k8s_conflict` when the test fails
 */
export async function testedPatch(
  client: KubeClient,
  kind: WorkloadKind,
  ref: WorkloadRef,
  body: readonly JsonPatchOperation[],
  { what, dryRun }: { readonly what: string; readonly dryRun: boolean | undefined },
): Promise<KubeObject> {
  const patched = await attempt(
    async () => await client.patch(resourceOf(kind), ref, { type: 'json', body }, { dryRun }),
  );
  if (patched.error === undefined) return patched.value;
  if (!isFailedTest(patched.error)) throw patched.error;
  throw new NavinError('k8s_conflict', `The ${what} of the ${titled(kind, ref.name)} were changed in between`, {
    hint: 'Nothing was changed by this operation: run it again',
  });
}

/** A JSON patch whose test fails is answered by 422 that names no field. */
function isFailedTest(error: NavinError): boolean {
  return error instanceof KubeApiError && error.code === 'k8s_invalid' && error.causes.length === 0;
}
