import { expect, it } from '@jest/globals';
import { eventually, pause } from './api';

it('looks once more when one look took all the time', async () => {
  let looks = 0;
  await eventually(
    async () => {
      looks += 1;
      await pause(20);
      return looks === 2;
    },
    'the second look',
    5,
  );
  expect(looks).toBe(2);
});

it('says what it waited for, and why the last look did not count', async () => {
  const failing = eventually(() => Promise.reject(new Error('nobody answers')), 'an answer', 5);
  await expect(failing).rejects.toMatchObject({
    code: 'timeout',
    message: 'Waited 0.005 s in vain for an answer. nobody answers',
  });
});
