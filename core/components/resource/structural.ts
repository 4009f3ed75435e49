import { isRecord } from '../../kube';
import type { Rule } from './rule';

/** A structural schema of a CustomResourceDefinition. */
export type StructuralSchema = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in a structural schema and are taken over as they are. */
const KEPT = new Set([
  'type',
  'description',
  'default',
  'enum',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
  'anyOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
]);
/** Keywords this file converts. */
const CONVERTED = new Set(['properties', 'items', 'additionalProperties', 'rules']);
const TYPES = new Set(['object', 'array', 'string', 'integer', 'boolean']);
const INT_OR_STRING = JSON.stringify([{ type: 'integer' }, { type: 'string' }]);

/**
 * A JSON schema as a structural one. Fails on everything that a structural schema cannot say, and on every list and
 * string without a maximum: then the cost limit of CEL rules would be exceeded on the cluster of a user.
 *
 * @throws Error that names the place
 */
export function structural(schema: unknown, path = '$'): StructuralSchema {
  if (!isRecord(schema)) throw new Error(`${path}: not a schema`);
  for (const keyword of Object.keys(schema)) {
    if (!KEPT.has(keyword) && !CONVERTED.has(keyword)) throw new Error(`${path}: ${keyword} cannot be converted`);
  }
  checkType(schema, path);
  checkBounds(schema, path);
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.has(keyword)));
  return { ...kept, ...children(schema, path), ...validations(schema) };
}

function checkType(schema: StructuralSchema, path: string): void {
  const { type, anyOf } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (type !== undefined || JSON.stringify(anyOf) !== INT_OR_STRING) throw new Error(`${path}: not an int-or-string`);
    return;
  }
  if (anyOf !== undefined) throw new Error(`${path}: anyOf is for int-or-string only`);
  if (typeof type !== 'string' || !TYPES.has(type)) throw new Error(`${path}: has no type that is allowed`);
}

function checkBounds(schema: StructuralSchema, path: string): void {
  const { type } = schema;
  const bounded = (keyword: string): void => {
    if (typeof schema[keyword] !== 'number') throw new Error(`${path}: has no ${keyword}`);
  };
  const isString = type === 'string' && schema.enum === undefined;
  if (isString || schema['x-kubernetes-int-or-string'] === true) bounded('maxLength');
  if (type === 'array') bounded('maxItems');
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) bounded('maxProperties');
}

function children(schema: StructuralSchema, path: string): StructuralSchema {
  if (schema.type === 'array') return { items: structural(schema.items, `${path}[]`) };
  if (schema.type !== 'object') return {};
  const { properties, additionalProperties } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) {
    if (properties !== undefined) throw new Error(`${path}: keeps unknown fields and names some`);
    return {};
  }
  if (!isRecord(properties)) throw new Error(`${path}: an object without properties`);
  // The API server drops fields that are not named; only our own validation refuses them.
  if (additionalProperties !== false) throw new Error(`${path}: additionalProperties must be false`);
  const entries = Object.entries(properties).map(([name, child]) => [name, structural(child, `${path}.${name}`)]);
  return { properties: Object.fromEntries(entries) as StructuralSchema };
}

function validations(schema: StructuralSchema): StructuralSchema {
  if (schema.rules === undefined) return {};
  const rules = schema.rules as readonly Rule<never>[];
  return {
    'x-kubernetes-validations': rules.map(({ rule, message, fieldPath }) => ({
      rule,
      message,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    })),
  };
}
