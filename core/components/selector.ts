import { isRecord } from '../kube';
import { items, list, textAt } from './fields';

type Labels = Readonly<Record<string, unknown>>;

/** Whether a label selector names Pods with these labels, as Kubernetes reads selectors: an empty one names all. */
export function selects(selector: unknown, labels: Labels): boolean {
  if (!isRecord(selector)) return false;
  const wanted = isRecord(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  return items(selector, 'matchExpressions').every((expression) => holds(expression, labels));
}

/** Whether a label selector names every Pod of the namespace. */
export function selectsAll(selector: unknown): boolean {
  return isRecord(selector) && selects(selector, {}) && items(selector, 'matchExpressions').length === 0;
}

function holds(expression: Labels, labels: Labels): boolean {
  const key = textAt(expression, 'key') ?? '';
  const values = list(expression, 'values');
  const has = Object.hasOwn(labels, key);
  switch (expression.operator) {
    case 'In':
      return has && values.includes(labels[key]);
    case 'NotIn':
      return !has || !values.includes(labels[key]);
    case 'Exists':
      return has;
    case 'DoesNotExist':
      return !has;
    default:
      return false;
  }
}
