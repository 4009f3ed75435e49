import { Type, type TEnum, type TSchemaOptions } from 'typebox';
import type { Rule } from './rule';

/** Schemas that several fields share. Every string has a maximum: unbounded ones exceed the cost limit of CEL rules. */

/** What is said about a field beside its type. */
export interface FieldOptions<T> extends TSchemaOptions {
  readonly description?: string;
  readonly rules?: readonly Rule<T>[];
}

/** A string of a length, optional rules being said in words a person understands (a `pattern` is shown as it is). */
export function text(maxLength: number, options: FieldOptions<string> = {}) {
  return Type.String({ minLength: 1, maxLength, ...options });
}

/** One of a few words. */
export function oneOf<const T extends string[]>(words: readonly [...T], options: FieldOptions<string> = {}): TEnum<T> {
  return Type.Enum(words, { type: 'string', ...options });
}

/** An RFC 3339 time. */
export function time(options: FieldOptions<string> = {}) {
  return Type.String({ format: 'date-time', maxLength: 64, ...options });
}

/** A rule that a string must match a pattern. */
export function matches(pattern: string, message: string): Rule<string> {
  const expression = new RegExp(pattern);
  return {
    // A backslash is one character for RE2 and two in a CEL string.
    rule: `self.matches('${pattern.replaceAll('\\', '\\\\')}')`,
    message,
    holds: (value) => expression.test(value),
  };
}

/** The name of an object (RFC 1123 subdomain). */
export const OBJECT_NAME = matches(
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  'must be the name of an object: small letters, digits, - and .',
);
