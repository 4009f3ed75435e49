import { describe, expect, it } from '@jest/globals';
import { inPhases } from './phases';

describe('the order in which objects are written', () => {
  it('puts what others refer to first and admission last', () => {
    const kinds = [
      'ValidatingWebhookConfiguration',
      'Certificate',
      'Deployment',
      'RoleBinding',
      'Service',
      'Secret',
      'Role',
      'CustomResourceDefinition',
      'Namespace',
    ];
    expect(inPhases(kinds, (kind) => kind)).toEqual([
      ['Namespace'],
      ['CustomResourceDefinition'],
      ['Secret', 'Role'],
      ['RoleBinding'],
      ['Service'],
      ['Deployment'],
      ['Certificate'],
      ['ValidatingWebhookConfiguration'],
    ]);
  });

  it('keeps the order of the document within a phase', () => {
    const things = ['b', 'a', 'c'].map((name) => ({ kind: 'ConfigMap', name }));
    expect(inPhases(things, ({ kind }) => kind)).toEqual([things]);
    expect(inPhases([], String)).toEqual([]);
  });
});
