import { NavinError } from '../../core/errors';
import { type AccessAttributes, type KubeClient, rolesYaml } from '../../core/kube';
import type { CheckedSettings } from '../../core/trigger';
import { attempt } from '../shared/attempt';
import { reviewRights } from '../shared/review';
import { accessText } from '../shared/rights';

/** What a watch needs in each scope. */
const VERBS = ['list', 'watch'] as const;

/**
 * Asks whether the credential may list and watch what the trigger looks at: a missing right is told when the trigger is
 * activated, not at its first look half a minute later.
 * @throws NavinError `k8s_forbidden` with the rule to add, and with the namespace that can be watched instead
 */
export async function requireWatchRights(client: KubeClient, settings: CheckedSettings): Promise<void> {
  const missing = await missingRights(client, settings, settings.scopes);
  const [first] = missing;
  if (first === undefined) return;
  const { group, resource, namespace } = first;
  const own = client.target.namespace;
  const everywhere = settings.resource.namespaced && namespace === undefined;
  const ownIsEnough = everywhere && (await missingRights(client, settings, [own])).length === 0;
  const alternative = ownIsEnough ? ` It may watch the namespace "${own}": choose that one, or add the right.` : '';
  const kind = namespace === undefined ? 'ClusterRole and a ClusterRoleBinding' : 'Role and a RoleBinding';
  throw new NavinError(
    'k8s_forbidden',
    `The credential may not watch ${nameOf(settings)}. Missing: ${missing.map(accessText).join('; ')}.${alternative}`,
    {
      hint: `Grant it to the account of the credential by a ${kind}:\n${rolesYaml(missing)}`,
      details: {
        group,
        resource,
        verbs: [...new Set(missing.map(({ verb }) => verb))],
        ...(namespace === undefined ? {} : { namespace }),
      },
    },
  );
}

async function missingRights(
  client: KubeClient,
  { resource: { group, plural, namespaced }, fieldSelector }: CheckedSettings,
  scopes: readonly string[],
): Promise<readonly AccessAttributes[]> {
  const name = nameSelectedBy(fieldSelector);
  const rights = scopes.flatMap((scope) =>
    VERBS.map((verb): AccessAttributes => ({
      verb,
      group,
      resource: plural,
      ...(scope === '' || !namespaced ? {} : { namespace: scope }),
      ...(name === undefined ? {} : { name }),
    })),
  );
  const reviewed = await attempt(async () => await reviewRights(client, rights));
  // A cluster that does not let its users ask says no when it is asked for the objects.
  if (reviewed.error?.code === 'k8s_forbidden') return [];
  if (reviewed.error !== undefined) throw reviewed.error;
  return reviewed.value.filter(({ allowed }) => !allowed).map(({ right }) => right);
}

/** A right to one object by name lets it be listed and watched by a field selector of its name. */
function nameSelectedBy(fieldSelector: string | undefined): string | undefined {
  return /(?:^|,)metadata\.name==?([^,=]+)(?:,|$)/.exec(fieldSelector ?? '')?.[1];
}

function nameOf({ resource: { group, plural } }: CheckedSettings): string {
  return group === '' ? plural : `${plural}.${group}`;
}
