import { describe, expect, it } from '@jest/globals';
import { isNavinError } from '../errors';
import { RESOURCES } from '../kube';
import { checkSettings, type TriggerSettings } from './settings';

const good: TriggerSettings = {
  resource: RESOURCES.pods,
  namespaces: [],
  watch: { kind: 'changes', types: ['added'], modifiedWhen: 'any' },
};

function refused(change: Partial<TriggerSettings>): unknown {
  try {
    checkSettings({ ...good, ...change });
  } catch (error) {
    return isNavinError(error) ? (error.details.parameter ?? error.code) : error;
  }
  return undefined;
}

describe('settings', () => {
  it.each([
    ['no type of change', { watch: { kind: 'changes', types: [], modifiedWhen: 'any' } }, 'types'],
    [
      'fields without fields',
      { watch: { kind: 'changes', types: ['modified'], modifiedWhen: 'fields', fields: [' '] } },
      'fields',
    ],
    [
      'a field that cannot be read',
      { watch: { kind: 'changes', types: ['modified'], modifiedWhen: 'fields', fields: ['a[*]'] } },
      'fields',
    ],
    [
      'eleven fields',
      {
        watch: {
          kind: 'changes',
          types: ['modified'],
          modifiedWhen: 'fields',
          fields: Array.from({ length: 11 }, (_, at) => `f${at}`),
        },
      },
      'fields',
    ],
    ['no objects to track', { tracked: 0 }, 'tracked'],
    ['too many objects to track', { tracked: 5001 }, 'tracked'],
    ['half an object to track', { tracked: 1.5 }, 'tracked'],
    ['a namespace that can be none', { namespaces: ['a/b'] }, 'namespaces'],
    ['51 namespaces', { namespaces: Array.from({ length: 51 }, (_, at) => `n${at}`) }, 'namespaces'],
    ['a condition of another resource', { watch: { kind: 'condition', condition: 'jobFailed' } }, 'resource'],
    ['a negative time', { watch: { kind: 'condition', condition: 'podUnschedulable', minutes: -1 } }, 'minutes'],
    ['more than a week', { watch: { kind: 'condition', condition: 'podUnschedulable', minutes: 10_081 } }, 'minutes'],
    [
      'no day',
      { resource: RESOURCES.secrets, watch: { kind: 'condition', condition: 'certificateExpiring', days: 0 } },
      'days',
    ],
    ['an unknown condition', { watch: { kind: 'condition', condition: 'toString' as never } }, 'condition'],
    [
      'the spec of Secrets',
      { resource: RESOURCES.secrets, watch: { kind: 'changes', types: ['modified'], modifiedWhen: 'spec' } },
      'modifiedWhen',
    ],
    [
      'data of Secrets',
      {
        resource: RESOURCES.secrets,
        watch: { kind: 'changes', types: ['modified'], modifiedWhen: 'fields', fields: ['data.password'] },
      },
      'fields',
    ],
    [
      'annotations of Secrets',
      {
        resource: RESOURCES.secrets,
        watch: { kind: 'changes', types: ['modified'], modifiedWhen: 'fields', fields: ['metadata.annotations'] },
      },
      'fields',
    ],
    [
      'a resource that cannot be watched',
      { resource: { ...RESOURCES.pods, verbs: ['list', 'get'] } },
      'k8s_unsupported',
    ],
    [
      'labels of Secrets',
      {
        resource: RESOURCES.secrets,
        watch: {
          kind: 'changes',
          types: ['modified'],
          modifiedWhen: 'fields',
          fields: ['metadata.labels.app', 'type'],
        },
      },
      undefined,
    ],
    ['what is good', {}, undefined],
  ] as readonly [string, Partial<TriggerSettings>, string | undefined][])('%s: %s', (_, change, parameter) => {
    expect(refused(change)).toBe(parameter);
  });

  it.each([
    [[], ['']],
    [['*'], ['']],
    [
      ['b', 'a', 'b', ' '],
      ['b', 'a'],
    ],
    [['a', '*'], ['']],
  ])('namespaces %j are watched as %j', (namespaces, scopes) => {
    expect(checkSettings({ ...good, namespaces }).scopes).toEqual(scopes);
  });

  it('a resource without namespaces has one scope', () => {
    expect(checkSettings({ ...good, resource: RESOURCES.nodes, namespaces: ['a'] }).scopes).toEqual(['']);
  });

  it('name a collection by what is watched, not by what is made of it', () => {
    const name = (change: Partial<TriggerSettings>): string => checkSettings({ ...good, ...change }).collection;
    expect(name({ namespaces: ['a', 'b'] })).toBe(name({ namespaces: ['b', 'a'] }));
    expect(name({ labelSelector: '  ' })).toBe(name({}));
    expect(name({ tracked: 5, emitExisting: true })).toBe(name({}));
    expect(name({ watch: { kind: 'changes', types: ['deleted'], modifiedWhen: 'spec' } })).toBe(name({}));
    const others = [
      {},
      { labelSelector: 'a=b' },
      { fieldSelector: 'a=b' },
      { namespaces: ['a'] },
      { resource: RESOURCES.jobs },
    ].map(name);
    expect(new Set(others).size).toBe(5);
  });

  it.each([
    [RESOURCES.events, true],
    [{ ...RESOURCES.events, group: 'events.k8s.io' }, true],
    [{ ...RESOURCES.events, group: 'other.example' }, false],
    [RESOURCES.pods, false],
  ])('know Kubernetes Events', (resource, events) => {
    expect(checkSettings({ ...good, resource }).events).toBe(events);
  });
});
