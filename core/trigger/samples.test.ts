import { describe, expect, it } from '@jest/globals';
import { RESOURCES } from '../kube';
import { sampleEvents } from './samples';
import { checkSettings } from './settings';
import { contextOf, objectOf, settingsFor } from './testing/objects';

describe('samples for the editor', () => {
  it('look like the changes they stand for, and say that they are samples', () => {
    const settings = settingsFor({ watch: { modifiedWhen: 'fields', fields: ['data.a', 'data.b'] } });
    expect(sampleEvents([objectOf('a', 50, { data: { a: '1' } })], contextOf(settings))).toMatchObject([
      {
        type: 'modified',
        key: 'sample:uid-a',
        existing: true,
        name: 'a',
        object: { kind: 'ConfigMap', data: { a: '1' } },
        changed: [
          { path: 'data.a', previousUnknown: true, current: '1' },
          { path: 'data.b', previousUnknown: true },
        ],
      },
    ]);
  });

  it('of a condition are what shows it now', () => {
    const settings = checkSettings({
      resource: RESOURCES.pods,
      namespaces: [],
      watch: { kind: 'condition', condition: 'podEvicted' },
    });
    const evicted = objectOf('a', 50, { status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' } });
    expect(sampleEvents([evicted, objectOf('b', 51)], contextOf(settings))).toMatchObject([
      {
        type: 'started',
        key: 'sample:uid-a!pod',
        incident: {
          condition: 'podEvicted',
          key: 'podEvicted:pod:evicted',
          slot: 'pod',
          facts: { message: 'low on memory' },
        },
      },
    ]);
  });
});
