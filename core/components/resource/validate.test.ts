import { describe, expect, it } from '@jest/globals';
import { SPEC_CASES, MINIMAL } from '../testing/specs';
import { componentProblems } from './validate';

function component(name: string, spec: unknown): object {
  return { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name }, spec };
}

describe('a ManagedComponent', () => {
  it.each(SPEC_CASES)('with $what', ({ name = 'web', spec, path, message }) => {
    expect(componentProblems(component(name, spec))).toEqual(message === undefined ? [] : [{ path, message }]);
  });

  it('without a spec, without a name, or that is none, is refused', () => {
    expect(componentProblems({ metadata: { name: 'web' } })).toEqual([{ path: 'spec', message: 'must be given' }]);
    expect(componentProblems({ metadata: {}, spec: MINIMAL })).toEqual([
      { path: 'metadata.name', message: 'must be given' },
    ]);
    expect(componentProblems('web')).toEqual([{ path: '', message: 'must be an object with metadata' }]);
  });

  it('with many faults tells at most 20 of them, and never a value', () => {
    const refs = Array.from({ length: 60 }, () => ({ secretName: 'S3CR3T', key: 'k', valuePath: 'a' }));
    const problems = componentProblems(component('web', { ...MINIMAL, secretRefs: refs }));
    expect(problems).toHaveLength(20);
    expect(JSON.stringify(problems)).not.toContain('S3CR3T');
  });

  it('with a hostile field name shows it tamed', () => {
    expect(componentProblems(component('web', { ...MINIMAL, 'a\nb/~"': 1 }))).toEqual([
      { path: 'spec.a?b???', message: 'is not a field' },
    ]);
  });
});
