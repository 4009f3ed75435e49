import { expect, it } from '@jest/globals';
import { CleanMemory } from './cleanMemory';

it('remembers which render an object was clean for, in which version, and only the last', () => {
  const memory = new CleanMemory();
  const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' };
  memory.note(id, 'render-1', '7');
  expect([
    memory.isClean(id, 'render-1', '7'),
    memory.isClean(id, 'render-2', '7'),
    memory.isClean(id, 'render-1', '8'),
    memory.isClean({ ...id, name: 'api' }, 'render-1', '7'),
  ]).toEqual([true, false, false, false]);
  memory.note(id, 'render-2', '8');
  expect([memory.isClean(id, 'render-1', '7'), memory.isClean(id, 'render-2', '8')]).toEqual([false, true]);
  memory.note(id, 'render-2', undefined);
  expect(memory.isClean(id, 'render-2', undefined)).toBe(false);
});
