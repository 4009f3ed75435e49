import { Value } from 'typebox/value';
import { isKubeObject, isRecord, type KubeObject } from '../../kube';
import { COMPONENT, COMPONENT_RULES, type ManagedComponent } from './component';
import type { Rule } from './rule';

/** What is wrong with a resource. */
export interface Problem {
  /** For instance `spec.secretRefs[2].key`; empty: the resource itself. */
  readonly path: string;
  /** What must be, without the value. */
  readonly message: string;
}

/** The most bytes of values, as JSON. */
const MAX_VALUES_BYTES = 256 * 1024;
/** How deep values may be nested. */
const MAX_DEPTH = 40;
/** The most problems that are told. */
const MAX_PROBLEMS = 20;

/** Whether an object is a valid ManagedComponent: no problems. Its values are looked at for size and depth only. */
export function isComponent(object: KubeObject): object is ManagedComponent {
  return componentProblems(object).length === 0;
}

/** What is wrong with an object as a ManagedComponent, in the order of its fields; the values are never repeated. */
export function componentProblems(object: unknown): readonly Problem[] {
  if (!isKubeObject(object)) return [{ path: '', message: 'must be an object with metadata' }];
  const { spec, status, metadata } = object;
  if (typeof metadata.name !== 'string') return [{ path: 'metadata.name', message: 'must be given' }];
  const body = { ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
  const types = typeProblems(body);
  if (types.length > 0) return types.slice(0, MAX_PROBLEMS);
  const named = { metadata: { name: metadata.name }, spec: spec as Readonly<Record<string, unknown>> };
  const whole = COMPONENT_RULES.filter(({ holds }) => !holds(named)).map(({ message }) => ({ path: '', message }));
  const parts = ruleProblems(COMPONENT.properties.spec, spec, 'spec');
  return [...whole, ...parts, ...valuesProblems(named.spec.values)].slice(0, MAX_PROBLEMS);
}

function typeProblems(body: object): readonly Problem[] {
  // Most are right, and that is told much sooner than what is wrong.
  if (Value.Check(COMPONENT, body)) return [];
  const problems = Value.Errors(COMPONENT, body).flatMap(({ keyword, instancePath, params }): Problem[] => {
    const path = dotted(instancePath);
    if (keyword === 'required') {
      const { requiredProperties } = params as { requiredProperties: string[] };
      return requiredProperties.map((name) => ({ path: join(path, name), message: 'must be given' }));
    }
    if (keyword === 'additionalProperties') {
      const { additionalProperties } = params as { additionalProperties: string[] };
      return additionalProperties.map((name) => ({ path: join(path, shown(name)), message: 'is not a field' }));
    }
    // Each of these comes with another one that says more.
    if (keyword === 'boolean' || keyword === 'anyOf') return [];
    return [{ path, message: expectation(keyword, params) }];
  });
  const unique = new Map(problems.map((problem) => [problem.path, problem]));
  return [...unique.values()];
}

function expectation(keyword: string, params: object): string {
  const { type, limit, allowedValues } = params as { type?: string; limit?: number; allowedValues?: unknown[] };
  switch (keyword) {
    case 'type':
      return `must be ${/^[aeiou]/.test(type ?? '') ? 'an' : 'a'} ${type ?? 'value'}`;
    case 'enum':
      return `must be one of ${(allowedValues ?? []).join(', ')}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit ?? 0} characters`;
    case 'maxLength':
      return `must have at most ${limit ?? 0} characters`;
    case 'maxItems':
      return `must have at most ${limit ?? 0} items`;
    case 'maxProperties':
      return `must have at most ${limit ?? 0} fields`;
    case 'minimum':
      return `must be at least ${limit ?? 0}`;
    case 'maximum':
      return `must be at most ${limit ?? 0}`;
    case 'format':
      return 'must be a time (RFC 3339)';
    default:
      return 'is not valid';
  }
}

/** The rules along a value whose types are right. */
function ruleProblems(schema: object, value: unknown, path: string): readonly Problem[] {
  const {
    rules = [],
    properties,
    items,
  } = schema as {
    rules?: readonly Rule<unknown>[];
    properties?: Readonly<Record<string, object>>;
    items?: object;
  };
  const own = rules
    .filter(({ holds }) => !holds(value))
    .map(({ message, fieldPath = '' }) => ({ path: `${path}${fieldPath}`, message }));
  if (Array.isArray(value) && items !== undefined) {
    const inner = value.flatMap((item, index) => ruleProblems(items, item, `${path}[${index}]`));
    return [...own, ...inner, ...repeated(schema, value, path)];
  }
  if (!isRecord(value) || properties === undefined) return own;
  const inner = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, child]) => ruleProblems(child, value[name], `${path}.${name}`));
  return [...own, ...inner];
}

/** Items of a keyed list that are there twice. */
function repeated(schema: object, items: readonly unknown[], path: string): readonly Problem[] {
  const { 'x-kubernetes-list-map-keys': keys } = schema as { 'x-kubernetes-list-map-keys'?: readonly string[] };
  if (keys === undefined) return [];
  const identities = items.map((item) => JSON.stringify(keys.map((key) => (isRecord(item) ? item[key] : undefined))));
  return identities.flatMap((identity, index) =>
    identities.indexOf(identity) === index
      ? []
      : [{ path: `${path}[${index}]`, message: `must not repeat a ${keys.join(' and ')}` }],
  );
}

function valuesProblems(values: unknown): readonly Problem[] {
  if (values === undefined) return [];
  if (depth(values, MAX_DEPTH) > MAX_DEPTH) {
    return [{ path: 'spec.values', message: `must not be nested deeper than ${MAX_DEPTH}` }];
  }
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_VALUES_BYTES) {
    return [{ path: 'spec.values', message: `must have at most ${MAX_VALUES_BYTES / 1024} KiB` }];
  }
  return [];
}

/** How deep a value is nested, counted no further than one above the limit. */
function depth(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit <= 0) return 1;
  return 1 + Object.values(value).reduce<number>((most, child) => Math.max(most, depth(child, limit - 1)), 0);
}

/** `/secretRefs/2/key` as `secretRefs[2].key`. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => shown(token.replaceAll('~1', '/').replaceAll('~0', '~')))
    .reduce((path, token) => (/^\d+$/.test(token) ? `${path}[${token}]` : join(path, token)), '');
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** A name that was given by somebody, cut and without control characters. */
function shown(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 63);
}
