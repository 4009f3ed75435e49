import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNavinError, type NavinError } from '../../../core/errors';
import { readParameters } from '../../../nodes/shared/parameters';
import type { Property } from '../../../nodes/shared/property';

const PROPERTIES = [
  {
    displayName: 'Namespace',
    name: 'namespace',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: [],
  },
  {
    displayName: 'Pod',
    name: 'name',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    modes: [],
  },
  {
    displayName: 'Replicas',
    name: 'replicas',
    type: 'number',
    default: 1,
    typeOptions: { minValue: 0, maxValue: 10, numberPrecision: 0 },
  },
  { displayName: 'Wait', name: 'wait', type: 'boolean', default: false },
  {
    displayName: 'Timeout',
    name: 'timeout',
    type: 'number',
    default: 300,
    typeOptions: { minValue: 1 },
    displayOptions: { show: { wait: [true] } },
  },
  { displayName: 'Image', name: 'image', type: 'string', required: true, default: '' },
  { displayName: 'Command', name: 'command', type: 'string', typeOptions: { multipleValues: true }, default: [] },
  {
    displayName: 'Type',
    name: 'type',
    type: 'options',
    default: 'all',
    options: [
      { name: 'All', value: 'all' },
      { name: 'Warning', value: 'Warning' },
    ],
  },
  {
    displayName: 'Groups',
    name: 'groups',
    type: 'multiOptions',
    default: ['read'],
    options: [
      { name: 'Jobs', value: 'jobs' },
      { name: 'Read', value: 'read' },
    ],
  },
  {
    displayName: 'Environment',
    name: 'environment',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    default: {},
    options: [
      {
        displayName: 'Variable',
        name: 'variable',
        values: [
          { displayName: 'Name', name: 'name', type: 'string', required: true, default: '' },
          { displayName: 'Value', name: 'value', type: 'string', default: '' },
        ],
      },
    ],
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    default: {},
    options: [
      { displayName: 'Since', name: 'since', type: 'dateTime', default: '' },
      { displayName: 'Grace Period', name: 'grace', type: 'number', default: 30, typeOptions: { minValue: 0 } },
    ],
  },
] as const satisfies readonly Property[];

const VALID = { name: { mode: 'name', value: 'web' }, image: 'nginx' };

function read(values: Record<string, unknown>) {
  const all: Record<string, unknown> = { ...VALID, ...values };
  return readParameters((name, fallback) => (Object.hasOwn(all, name) ? all[name] : fallback), PROPERTIES);
}

function refusal(values: Record<string, unknown>): NavinError {
  try {
    read(values);
  } catch (error) {
    if (isNavinError(error)) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('reading the parameters of an operation', () => {
  it('fills in the defaults', () => {
    expect(read({})).toEqual({
      namespace: '',
      name: 'web',
      replicas: 1,
      wait: false,
      timeout: 300,
      image: 'nginx',
      command: [],
      type: 'all',
      groups: ['read'],
      environment: { variable: [] },
      options: {},
    });
  });

  it.each([
    ['a number as text', { replicas: ' 3 ' }, { replicas: 3 }],
    ['replicas 0', { replicas: 0 }, { replicas: 0 }],
    ['replicas 0 as text', { replicas: '0' }, { replicas: 0 }],
    ['true as text', { wait: 'true' }, { wait: true }],
    ['a number where a text is wanted', { image: 7 }, { image: '7' }],
    ['a locator as plain text', { name: 'api' }, { name: 'api' }],
    ['a name with spaces around', { name: { mode: 'name', value: ' api ' } }, { name: 'api' }],
    ['a list of words', { command: ['sh', '-c', 'true'] }, { command: ['sh', '-c', 'true'] }],
    ['an empty choice of groups', { groups: [] }, { groups: [] }],
    ['a date object', { options: { since: new Date(0) } }, { options: { since: '1970-01-01T00:00:00.000Z' } }],
    [
      'a time with an offset',
      { options: { since: '2026-01-31T12:00:00+02:00' } },
      { options: { since: '2026-01-31T10:00:00.000Z' } },
    ],
    ['an option that does not exist', { options: { unknown: 1, grace: 0 } }, { options: { grace: 0 } }],
    [
      'variables',
      { environment: { variable: [{ name: 'A', value: 'b' }, { name: 'C' }] } },
      {
        environment: {
          variable: [
            { name: 'A', value: 'b' },
            { name: 'C', value: '' },
          ],
        },
      },
    ],
  ])('takes %s', (_what, given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });

  it.each([
    ['nothing from an expression', { name: undefined }, "'Pod' has no value: its expression gave none", 'name'],
    ['null', { replicas: null }, "'Replicas' has no value: its expression gave none", 'replicas'],
    [
      'a locator whose expression gave nothing',
      { name: { mode: 'name', value: undefined } },
      "'Pod' has no value: its expression gave none",
      'name',
    ],
    ['an empty name', { name: { mode: 'name', value: '' } }, "'Pod' is empty", 'name'],
    ['an empty name as plain text', { name: '  ' }, "'Pod' is empty", 'name'],
    ['nothing chosen in the list', { name: { mode: 'list', value: '' } }, "'Pod' is not chosen", 'name'],
    [
      'a namespace that an expression left empty',
      { namespace: { mode: 'name', value: '' } },
      "'Namespace' is empty",
      'namespace',
    ],
    ['a namespace that is plain empty text', { namespace: '' }, "'Namespace' is empty", 'namespace'],
    ['an object as name', { name: { mode: 'name', value: { a: 1 } } }, "'Pod' must be a text, not an object", 'name'],
    [
      'a text as number',
      { replicas: 'many' },
      "'Replicas' must be a whole number, at least 0, at most 10, not a text",
      'replicas',
    ],
    [
      'an empty text as number',
      { replicas: '' },
      "'Replicas' must be a whole number, at least 0, at most 10, not an empty text",
      'replicas',
    ],
    [
      'true as number',
      { replicas: true },
      "'Replicas' must be a whole number, at least 0, at most 10, not true or false",
      'replicas',
    ],
    [
      'infinity',
      { replicas: Number.POSITIVE_INFINITY },
      "'Replicas' must be a whole number, at least 0, at most 10, not a number without a value",
      'replicas',
    ],
    ['half a replica', { replicas: 1.5 }, "'Replicas' must be a whole number, at least 0, at most 10", 'replicas'],
    ['minus one', { replicas: -1 }, "'Replicas' must be a whole number, at least 0, at most 10", 'replicas'],
    ['too many', { replicas: 11 }, "'Replicas' must be a whole number, at least 0, at most 10", 'replicas'],
    ['yes as boolean', { wait: 'yes' }, "'Wait' must be true or false, not a text", 'wait'],
    ['one as boolean', { wait: 1 }, "'Wait' must be true or false, not a number", 'wait'],
    ['a list as text', { image: ['nginx'] }, "'Image' must be a text, not a list", 'image'],
    ['blanks as image', { image: '  ' }, "'Image' is empty", 'image'],
    ['a very long text', { image: 'x'.repeat(1_048_577) }, "'Image' is longer than 1048576 characters", 'image'],
    ['a text as list', { command: 'sh -c true' }, "'Command' must be a list, not a text", 'command'],
    ['objects in a list', { command: [{}] }, "'Command' must be a text, not an object", 'command'],
    [
      'a very long list',
      { command: Array.from({ length: 1_001 }, () => 'x') },
      "'Command' has more than 1000 entries",
      'command',
    ],
    ['a choice that does not exist', { type: 'Error' }, "'Type' must be one of: all, Warning", 'type'],
    ['a choice of the prototype', { type: 'constructor' }, "'Type' must be one of: all, Warning", 'type'],
    ['a group that does not exist', { groups: ['read', 'root'] }, "'Groups' must be one of: jobs, read", 'groups'],
    ['a text as groups', { groups: 'read' }, "'Groups' must be a list, not a text", 'groups'],
    ['a list as options', { options: [] }, "'Options' must be an object, not a list", 'options'],
    ['a text as options', { options: 'x' }, "'Options' must be an object, not a text", 'options'],
    [
      'a wrong option',
      { options: { grace: 'x' } },
      "'Options > Grace Period' must be a number, at least 0, not a text",
      'grace',
    ],
    [
      'a date that is none',
      { options: { since: 'yesterday' } },
      "'Options > Since' must be a date and time like 2026-01-31T12:00:00Z",
      'since',
    ],
    [
      'an invalid date object',
      { options: { since: new Date(Number.NaN) } },
      "'Options > Since' must be a date and time like 2026-01-31T12:00:00Z",
      'since',
    ],
    [
      'a variable without a name',
      { environment: { variable: [{ value: 'b' }] } },
      "'Environment > Name' is empty",
      'name',
    ],
    [
      'a variable that is a text',
      { environment: { variable: ['A=b'] } },
      "'Environment' must be an object, not a text",
      'environment',
    ],
    [
      'variables that are an object',
      { environment: { variable: { name: 'A' } } },
      "'Environment' must be a list, not an object",
      'environment',
    ],
  ])('refuses %s', (_what, given, message, parameter) => {
    const error = refusal(given);
    expect([error.code, error.message, error.details]).toEqual(['k8s_parameter_invalid', message, { parameter }]);
  });

  it('looks at a parameter only where it is shown', () => {
    expect(read({ wait: false, timeout: 'x' }).timeout).toBe(300);
    expect(refusal({ wait: true, timeout: 'x' }).message).toBe("'Timeout' must be a number, at least 1, not a text");
  });

  it('never repeats what was given, and never fails in another way', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PROPERTIES.map(({ name }) => name)), fc.anything(), (name, value) => {
        try {
          read({ [name]: value });
        } catch (error) {
          if (!isNavinError(error)) throw error;
          expect(error.code).toBe('k8s_parameter_invalid');
          if (typeof value === 'string' && value.length > 12) expect(error.message).not.toContain(value);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not led astray by keys of the prototype', () => {
    const options = JSON.parse('{"__proto__": {"grace": "x"}}') as unknown;
    expect(read({ options }).options).toEqual({});
    expect(Object.getPrototypeOf(read({ options }).options)).toBe(Object.prototype);
  });
});
