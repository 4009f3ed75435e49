import { NavinError } from '../../core/errors';
import type { Choice, Property, PropertyGroup, ValuesOf } from './property';

/** The longest text a parameter takes, in characters: a manifest of 1 MiB is the largest a cluster stores. */
const MAX_TEXT = 1_048_576;
/** The most entries a list takes. */
const MAX_ENTRIES = 1_000;

/** Reads the raw value of a parameter, with expressions resolved; `fallback` where the node does not have it. */
export type ParameterReader = (name: string, fallback: unknown) => unknown;

/**
 * Reads the parameters of an operation and checks each against its description, because an expression, a tool call of
 * an AI agent or an imported workflow can put anything there. Values that are safe to take over are taken over ("3" for
 * a number); nothing is guessed: a missing or empty value never turns into a default that acts on something else.
 * Hidden parameters have their default.
 * @throws NavinError `k8s_parameter_invalid`, naming the parameter as the editor does; values are never repeated.
 */
export function readParameters<const P extends readonly Property[]>(read: ParameterReader, properties: P): ValuesOf<P> {
  const values: Record<string, unknown> = {};
  for (const property of properties) {
    if (property.type === 'notice') continue;
    values[property.name] = isShown(property, values)
      ? checked(property, read(property.name, property.default), property.displayName)
      : hiddenValue(property);
  }
  return values as ValuesOf<P>;
}

function isShown({ displayOptions }: Property, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(displayOptions?.show ?? {}).every(([name, allowed]) =>
    (allowed as readonly unknown[]).includes(values[name]),
  );
}

function hiddenValue(property: Property): unknown {
  if (property.type === 'resourceLocator') return '';
  return property.type === 'fixedCollection' ? emptyGroups(property) : property.default;
}

/** @param label how the editor names the parameter, with the collection it is in */
function checked(property: Property, value: unknown, label: string): unknown {
  if (value === undefined || value === null) throw invalid(property, label, 'has no value: its expression gave none');
  switch (property.type) {
    case 'boolean':
      return checkBoolean(property, value, label);
    case 'number':
      return checkNumber(property, value, label);
    case 'options':
      return checkChoice(property, value, label);
    case 'multiOptions':
      return listOf(property, value, label).map((entry) => checkChoice(property, entry, label));
    case 'resourceLocator':
      return checkLocator(property, value, label);
    case 'collection':
      return checkCollection(property, value, label);
    case 'fixedCollection':
      return checkGroups(property, value, label);
    case 'dateTime':
      return checkTime(property, value, label);
    case 'notice':
      return undefined;
    case 'string':
      return property.typeOptions?.multipleValues === true
        ? listOf(property, value, label).map((entry) => checkText(property, entry, label))
        : checkText(property, value, label);
  }
}

function checkText(property: Property, value: unknown, label: string): string {
  const text = plainText(property, value);
  if (typeof text !== 'string') throw invalid(property, label, `must be a text, not ${nameOfType(value)}`);
  if (text.length > MAX_TEXT) throw invalid(property, label, `is longer than ${String(MAX_TEXT)} characters`);
  if (property.required === true && text.trim() === '') throw invalid(property, label, 'is empty');
  return text;
}

/** Numbers and truth values are taken as they are written, and objects as JSON where a document is expected. */
function plainText({ typeOptions }: Property, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const isDocument = typeOptions?.rows !== undefined && typeof value === 'object' && !(value instanceof Date);
  return isDocument ? JSON.stringify(value) : value;
}

function checkBoolean(property: Property, value: unknown, label: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw invalid(property, label, `must be true or false, not ${nameOfType(value)}`);
}

function checkNumber(property: Property, value: unknown, label: string): number {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  const { minValue, maxValue, numberPrecision } = property.typeOptions ?? {};
  const whole = numberPrecision === 0;
  const bounds = [
    minValue === undefined ? [] : [`at least ${String(minValue)}`],
    maxValue === undefined ? [] : [`at most ${String(maxValue)}`],
  ].flat();
  const wanted = [`a ${whole ? 'whole ' : ''}number`, ...bounds].join(', ');
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw invalid(property, label, `must be ${wanted}, not ${nameOfType(value)}`);
  }
  const outside = (minValue !== undefined && number < minValue) || (maxValue !== undefined && number > maxValue);
  if (outside || (whole && !Number.isSafeInteger(number))) {
    throw invalid(property, label, `must be ${wanted}`);
  }
  return number;
}

function checkChoice(property: Property, value: unknown, label: string): string {
  const choices = (property.options as readonly Choice[]).map((choice) => choice.value);
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw invalid(property, label, `must be one of: ${choices.join(', ')}`);
}

/**
 * A locator is `{ mode, value }` in the editor and may be a plain text in workflows written by hand. Nothing chosen in
 * the list is an empty text; an expression or a typed name that is empty is refused.
 */
function checkLocator(property: Property, value: unknown, label: string): string {
  const locator = typeof value === 'object' && value !== null && 'value' in value ? value : { value };
  const unchosen = 'mode' in locator && locator.mode === 'list' && (locator.value === '' || locator.value === null);
  if (unchosen) {
    if (property.required === true) throw invalid(property, label, 'is not chosen');
    return '';
  }
  if (locator.value === undefined || locator.value === null) {
    throw invalid(property, label, 'has no value: its expression gave none');
  }
  const text = checkText(property, locator.value, label).trim();
  if (text === '') throw invalid(property, label, 'is empty');
  return text;
}

function checkCollection(property: Property, value: unknown, label: string): Record<string, unknown> {
  const given = objectOf(property, value, label);
  const values: Record<string, unknown> = {};
  for (const child of property.options as readonly Property[]) {
    if (!Object.hasOwn(given, child.name)) continue;
    values[child.name] = checked(child, given[child.name], `${label} > ${child.displayName}`);
  }
  return values;
}

function checkGroups(property: Property, value: unknown, label: string): Record<string, unknown> {
  const given = objectOf(property, value, label);
  const values: Record<string, unknown> = {};
  for (const group of property.options as readonly PropertyGroup[]) {
    const entries = Object.hasOwn(given, group.name) ? listOf(property, given[group.name], label) : [];
    values[group.name] = entries.map((entry) => readEntry(property, group, entry, label));
  }
  return values;
}

function readEntry(property: Property, group: PropertyGroup, entry: unknown, label: string): unknown {
  const fields = objectOf(property, entry, label);
  const labelled = group.values.map((child) => ({ ...child, displayName: `${label} > ${child.displayName}` }));
  return readParameters((name, fallback) => (Object.hasOwn(fields, name) ? fields[name] : fallback), labelled);
}

function emptyGroups(property: Property): Record<string, unknown> {
  return Object.fromEntries((property.options as readonly PropertyGroup[]).map(({ name }) => [name, []]));
}

/** Text of ISO 8601 or a date object; gives RFC 3339 in UTC. An empty text stays empty. */
function checkTime(property: Property, value: unknown, label: string): string {
  const text = value instanceof Date ? (Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString()) : value;
  if (text === '' && property.required !== true) return '';
  if (typeof text !== 'string') throw invalid(property, label, `must be a date and time, not ${nameOfType(value)}`);
  const time = text.length > 64 || !/^\d{4}-\d{2}-\d{2}/.test(text) ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) throw invalid(property, label, 'must be a date and time like 2026-01-31T12:00:00Z');
  return new Date(time).toISOString();
}

function objectOf(property: Property, value: unknown, label: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(property, label, `must be an object, not ${nameOfType(value)}`);
}

function listOf(property: Property, value: unknown, label: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(property, label, `must be a list, not ${nameOfType(value)}`);
  if (value.length > MAX_ENTRIES) throw invalid(property, label, `has more than ${String(MAX_ENTRIES)} entries`);
  return value;
}

function nameOfType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'a number without a value';
  const names: Partial<Record<ReturnType<typeof typeOf>, string>> = {
    object: 'an object',
    function: 'an object',
    boolean: 'true or false',
    string: 'a text',
  };
  return names[typeOf(value)] ?? 'something else';
}

function typeOf(value: unknown) {
  return typeof value;
}

function invalid(property: Property, label: string, what: string): NavinError {
  return parameterInvalid(property.name, label, what);
}

/**
 * The error of a parameter that cannot be used.
 * @param label how the editor names it
 * @param what what is wrong, as the rest of a sentence that begins with the label; must not repeat the value
 */
export function parameterInvalid(name: string, label: string, what: string, hint?: string): NavinError {
  return new NavinError('k8s_parameter_invalid', `'${label}' ${what}`, {
    hint: hint ?? `Correct the parameter '${label}' of the node`,
    details: { parameter: name },
  });
}
