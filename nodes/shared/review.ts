import type { AccessAttributes, KubeClient } from '../../core/kube';

/** How many reviews run at once. */
const PARALLEL = 16;

/** A right and whether the credential has it. */
export interface Reviewed {
  readonly right: AccessAttributes;
  readonly allowed: boolean;
}

/** Asks the API server for each right (SelfSubjectAccessReview, which changes nothing), several at once, in order. */
export async function reviewRights(
  client: KubeClient,
  rights: readonly AccessAttributes[],
): Promise<readonly Reviewed[]> {
  const reviewed: Reviewed[] = [];
  for (let start = 0; start < rights.length; start += PARALLEL) {
    const batch = rights.slice(start, start + PARALLEL).map(async (right) => {
      const { allowed } = await client.reviewAccess(right);
      return { right, allowed };
    });
    reviewed.push(...(await Promise.all(batch)));
  }
  return reviewed;
}
