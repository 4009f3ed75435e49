import type { ManagedComponent } from '../../../../core/components';

const CHOICES = [
  { name: 'Max Unavailable', value: 'maxUnavailable', description: 'At most so many Pods may be missing' },
  { name: 'Min Available', value: 'minAvailable', description: 'At least so many Pods stay available' },
  { name: 'None', value: 'none', description: 'No disruption budget' },
] as const;

const COUNT_FIELD = {
  displayName: 'Pods',
  name: 'budgetPods',
  type: 'string',
  required: true,
  default: '1',
  placeholder: 'e.g. 2 or 50%',
  description: 'A number of Pods or a percentage of them',
  displayOptions: { show: { budget: ['minAvailable', 'maxUnavailable'] } },
} as const;

/** The disruption budget of a new component. */
export const BUDGET_FIELDS = [
  {
    displayName: 'Disruption Budget',
    name: 'budget',
    type: 'options',
    default: 'none',
    description: 'How many Pods of each workload must stay, whatever is done',
    options: CHOICES,
  },
  COUNT_FIELD,
] as const;

/** Another one for a component that is there. */
export const OTHER_BUDGET_FIELDS = [
  {
    displayName: 'Disruption Budget',
    name: 'budget',
    type: 'options',
    default: 'keep',
    description: 'How many Pods of each workload must stay, whatever is done',
    options: [{ name: 'As It Is', value: 'keep', description: 'The same budget as before' }, ...CHOICES],
  },
  COUNT_FIELD,
] as const;

/** The budget that was chosen; null: none; undefined: the one there is. Its form is checked with the rest of the spec. */
export function budgetOf({
  budget,
  budgetPods,
}: {
  readonly budget: 'keep' | 'none' | 'minAvailable' | 'maxUnavailable';
  readonly budgetPods: string;
}): ManagedComponent['spec']['pdb'] | null {
  if (budget === 'keep') return undefined;
  if (budget === 'none') return null;
  const text = budgetPods.trim();
  const pods = /^\d+$/.test(text) ? Number(text) : text;
  return budget === 'minAvailable' ? { minAvailable: pods } : { maxUnavailable: pods };
}
