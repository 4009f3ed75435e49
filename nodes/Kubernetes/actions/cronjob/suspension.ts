import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import type { ValuesOf } from '../../../shared/property';
import type { Right } from '../../../shared/rights';
import { simplifyCronjob } from '../../../shared/simplify';
import { tried, TRY_OPTION } from '../objectChanges';

/** What Suspend and Resume need. */
export const SUSPEND_RIGHTS = [
  { verb: 'get', group: 'batch', resource: 'cronjobs' },
  { verb: 'patch', group: 'batch', resource: 'cronjobs' },
] as const satisfies readonly Right[];

/** Their parameters. */
export const SUSPEND_FIELDS = [
  namespaceLocator(),
  nameLocator('cronjob'),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [TRY_OPTION],
  },
] as const;

/** Suspends a CronJob or lets it go on. One that is as it shall be is left alone. */
export async function setSuspended(
  client: KubeClient,
  { namespace, name, options }: ValuesOf<typeof SUSPEND_FIELDS>,
  suspend: boolean,
): Promise<object> {
  const { dryRun } = options;
  const before = await client.get(RESOURCES.cronjobs, { namespace, name });
  const changed = (at(before, 'spec', 'suspend') === true) !== suspend;
  const patch = { type: 'merge', body: { spec: { suspend } } } as const;
  const after = changed ? await client.patch(RESOURCES.cronjobs, { namespace, name }, patch, { dryRun }) : before;
  return { ...simplifyCronjob(after), changed, ...tried(dryRun, before, after) };
}
