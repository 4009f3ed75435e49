import { expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { runFixture, runs, untilGone } from './fixtures/child';

jest.setTimeout(180_000);

async function hold(ending: string): Promise<{
  readonly fixture: Awaited<ReturnType<typeof runFixture>>;
  readonly pids: readonly number[];
  readonly directory: string;
}> {
  const fixture = await runFixture('holder', [ending]);
  const facts = JSON.parse(fixture.firstLine) as { pids: number[]; directory: string };
  return { fixture, ...facts };
}

it.each(['SIGKILL', 'SIGINT'] as const)('a test that gets %s leaves no process and no file', async (signal) => {
  const { fixture, pids, directory } = await hold('wait');
  // Supervisor, guard, etcd, API server, controller manager, scheduler, kwok.
  expect(pids).toHaveLength(7);
  expect(pids.filter(runs)).toEqual(pids);
  fixture.child.kill(signal);
  expect(await fixture.ended).toMatchObject({ signal });
  await untilGone(pids);
  expect(existsSync(directory)).toBe(false);
});

it('a test that throws leaves no process and no file', async () => {
  const { fixture, pids, directory } = await hold('throw');
  const { code, stderr } = await fixture.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('thrown by the test of the fixture');
  await untilGone(pids);
  expect(existsSync(directory)).toBe(false);
});

it('a test that forgets to stop its cluster ends all the same, and leaves no process and no file', async () => {
  const { fixture, pids, directory } = await hold('return');
  expect(await fixture.ended).toMatchObject({ code: 0 });
  await untilGone(pids);
  expect(existsSync(directory)).toBe(false);
});
