import { isRecord } from './kubeObject';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  /** As they are written: a value that is no text equals no label that is one. */
  readonly values: readonly unknown[];
}

/** What a label selector (meta/v1) asks for; undefined when there is none or it cannot be read. */
function requirementsOf(selector: unknown): readonly Requirement[] | undefined {
  if (!isRecord(selector)) return undefined;
  const labels = isRecord(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isRecord) : [];
  return [
    ...labels.map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...expressions.map(({ key, operator, values }) => ({
      key: String(key),
      operator: String(operator),
      values: Array.isArray(values) ? (values as readonly unknown[]) : [],
    })),
  ];
}

/** A label selector as lists take it; undefined when there is none, so that it is never taken for all. */
export function selectorText(selector: unknown): string | undefined {
  const texts = requirementsOf(selector)?.map(({ key, operator, values }) => {
    const list = `(${values.join(',')})`;
    if (operator === 'In') return values.length === 1 ? `${key}=${String(values[0])}` : `${key} in ${list}`;
    if (operator === 'NotIn') return `${key} notin ${list}`;
    return operator === 'Exists' ? key : `!${key}`;
  });
  return texts === undefined || texts.length === 0 ? undefined : texts.join(',');
}

/** Whether a label selector takes an object with these labels. An empty one takes all, none takes nothing. */
export function selectorMatches(selector: unknown, labels: Readonly<Record<string, unknown>>): boolean {
  const requirements = requirementsOf(selector);
  if (requirements === undefined) return false;
  return requirements.every(({ key, operator, values }) => {
    const has = Object.hasOwn(labels, key);
    if (operator === 'In') return has && values.includes(labels[key]);
    if (operator === 'NotIn') return !has || !values.includes(labels[key]);
    return operator === 'Exists' ? has : operator === 'DoesNotExist' && !has;
  });
}

/** Whether a label selector takes every object, whatever its labels. */
export function selectsAll(selector: unknown): boolean {
  return requirementsOf(selector)?.length === 0;
}
