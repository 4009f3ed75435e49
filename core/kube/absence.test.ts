import { expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { ifFound } from './absence';

it('takes what is not there for nothing, and no other error', async () => {
  expect(await ifFound(Promise.resolve(7))).toBe(7);
  const missing: Promise<number> = Promise.reject(new NavinError('k8s_not_found', 'gone'));
  expect(await ifFound(missing)).toBeUndefined();
  await expect(ifFound(Promise.reject(new NavinError('k8s_forbidden', 'no')))).rejects.toThrow('no');
  await expect(ifFound(Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
});
