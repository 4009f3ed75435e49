import { isRecord } from './kubeObject';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** What a label selector (meta/v1) asks for; undefined when there is none or it cannot be read. */
function requirementsOf(selector: unknown): readonly Requirement[] | undefined {
  if (!isRecord(selector)) return undefined;
  const labels = isRecord(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isRecord) : [];
  return [
    ...labels.map(([key, value]) => ({ key, operator: 'In', values: [String(value)] })),
    ...expressions.map(({ key, operator, values }) => ({
      key: String(key),
      operator: String(operator),
      values: Array.isArray(values) ? values.map(String) : [],
    })),
  ];
}

/** A label selector as lists take it; undefined when there is none, so that it is never taken for all. */
export function selectorText(selector: unknown): string | undefined {
  const texts = requirementsOf(selector)?.map(({ key, operator, values }) => {
    const list = `(${values.join(',')})`;
    if (operator === 'In') return values.length === 1 ? `${key}=${values[0] ?? ''}` : `${key} in ${list}`;
    if (operator === 'NotIn') return `${key} notin ${list}`;
    return operator === 'Exists' ? key : `!${key}`;
  });
  return texts === undefined || texts.length === 0 ? undefined : texts.join(',');
}

/** Whether a label selector takes an object with these labels. An empty one takes all, none takes nothing. */
export function selectorMatches(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const requirements = requirementsOf(selector);
  if (requirements === undefined) return false;
  return requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    return operator === 'Exists' ? value !== undefined : operator === 'DoesNotExist' && value === undefined;
  });
}
