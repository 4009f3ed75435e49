import { type AccessAttributes, type KubeClient, rolesYaml } from '../../core/kube';
import { ALL_NAMESPACES } from './locators';
import type { OperationContext } from './operation';
import { reviewRights } from './review';
import { accessText, RIGHTS_GROUPS, type RightsGroup, rightIn } from './rights';

/** All groups of rights as choices, by name. */
export const GROUP_CHOICES = /* @__PURE__ */ groupChoices();

/* @__NO_SIDE_EFFECTS__ */
function groupChoices() {
  const groups = Object.entries(RIGHTS_GROUPS) as [
    RightsGroup,
    { readonly title: string; readonly description: string },
  ][];
  return groups
    .map(([value, { title, description }]) => ({ name: title, value, description }))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** The rights of some groups in a namespace or in all of them, each once. */
export function rightsOfGroups(
  groups: readonly RightsGroup[],
  namespace: string,
  { rightsOfGroup }: Pick<OperationContext, 'rightsOfGroup'>,
): readonly AccessAttributes[] {
  const everywhere = namespace === ALL_NAMESPACES;
  const all = groups
    .flatMap((group) => rightsOfGroup(group))
    .map((right) => rightIn(everywhere ? { ...right, clusterWide: true } : right, namespace));
  return [...new Map(all.map((right) => [accessText(right), right])).values()];
}

/**
 * Which rights the credential has, and the roles that would add the others. It asks for each right by
 * SelfSubjectAccessReview, which changes nothing and which everybody may ask.
 */
export async function reviewOf(
  client: KubeClient,
  namespace: string,
  rights: readonly AccessAttributes[],
): Promise<object> {
  const reviewed = await reviewRights(client, rights);
  const missing = reviewed.filter(({ allowed }) => !allowed).map(({ right }) => right);
  return {
    namespace,
    allowed: missing.length === 0,
    granted: reviewed.filter(({ allowed }) => allowed).map(({ right }) => accessText(right)),
    missing: missing.map(accessText),
    ...(missing.length === 0 ? {} : { roleToAdd: rolesYaml(missing) }),
  };
}
