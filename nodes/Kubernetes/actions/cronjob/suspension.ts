import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import type { Right } from '../../../shared/rights';
import { simplifyCronjob } from '../../../shared/simplify';

/** What Suspend and Resume need. */
export const SUSPEND_RIGHTS = [
  { verb: 'get', group: 'batch', resource: 'cronjobs' },
  { verb: 'patch', group: 'batch', resource: 'cronjobs' },
] as const satisfies readonly Right[];

/** Their parameters. */
export const SUSPEND_FIELDS = [namespaceLocator(), nameLocator('cronjob')] as const;

/** Suspends a CronJob or lets it go on. One that is as it shall be is left alone. */
export async function setSuspended(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  suspend: boolean,
): Promise<object> {
  const before = await client.get(RESOURCES.cronjobs, { namespace, name });
  if ((at(before, 'spec', 'suspend') === true) === suspend) return { ...simplifyCronjob(before), changed: false };
  const body = { spec: { suspend } };
  const after = await client.patch(RESOURCES.cronjobs, { namespace, name }, { type: 'merge', body });
  return { ...simplifyCronjob(after), changed: true };
}
