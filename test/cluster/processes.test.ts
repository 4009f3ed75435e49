import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './api';
import { runFixture, runs, untilGone } from './fixtures/child';
import { Processes } from './processes';

jest.setTimeout(60_000);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'navin-processes-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const sleeper = (): Parameters<Processes['run']>[0] => ({
  name: 'sleeper',
  command: '/bin/sh',
  // The descendant ignores what ends its parent.
  args: ['-c', 'trap "" TERM HUP; sleep 1000 & echo "$!"; wait'],
  log: join(directory, 'sleeper.log'),
});

/** Id of the descendant that the sleeper started. */
async function descendant(): Promise<number> {
  const log = join(directory, 'sleeper.log');
  await eventually(() => existsSync(log) && /^\d+\n/.test(readFileSync(log, 'utf8')), 'the descendant');
  return Number(readFileSync(log, 'utf8'));
}

describe('Processes', () => {
  it('takes programs, descendants and folder away when it is stopped', async () => {
    const processes = await Processes.start(directory);
    await processes.run(sleeper());
    const pids = [...processes.pids, await descendant()];
    expect(pids).toHaveLength(4);
    await processes.stop();
    await untilGone(pids);
    expect(existsSync(directory)).toBe(false);
  });

  it('may be stopped again', async () => {
    const processes = await Processes.start(directory);
    await processes.stop();
    await expect(processes.stop()).resolves.toBeUndefined();
  });

  it('tells how a program ended, and keeps what it printed', async () => {
    const processes = await Processes.start(directory);
    const log = join(directory, 'brief.log');
    await processes.run({ name: 'brief', command: '/bin/sh', args: ['-c', 'echo out; echo err >&2; exit 7'], log });
    expect(await processes.exited('brief')).toEqual({ code: 7, signal: null });
    expect(processes.exitOf('brief')).toEqual({ code: 7, signal: null });
    expect(readFileSync(log, 'utf8')).toBe('out\nerr\n');
    await processes.stop();
  });

  it('takes the descendants of a program away when the program ends', async () => {
    const processes = await Processes.start(directory);
    await processes.run({ ...sleeper(), args: ['-c', 'sleep 1000 & echo "$!"'] });
    await processes.exited('sleeper');
    await untilGone([await descendant()]);
    await processes.stop();
  });

  it('says which program cannot be started', async () => {
    const processes = await Processes.start(directory);
    const program = { name: 'ghost', command: join(directory, 'ghost'), args: [], log: join(directory, 'ghost.log') };
    await expect(processes.run(program)).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/^ghost could not be started: .*ENOENT/),
    });
    await processes.stop();
  });

  it('cleans up itself when somebody kills the supervisor and its guard', async () => {
    const processes = await Processes.start(directory);
    await processes.run(sleeper());
    const pids = [...processes.pids, await descendant()];
    for (const pid of pids.slice(0, 2).reverse()) process.kill(pid, 'SIGKILL');
    await untilGone(pids);
    await eventually(() => !existsSync(directory), 'the folder to be removed');
  });

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves nothing behind when its process gets %s',
    async (signal) => {
      const fixture = await runFixture('processHolder', [directory]);
      const pids = [...(JSON.parse(fixture.firstLine) as number[]), await descendant()];
      expect(pids.filter(runs)).toEqual(pids);
      fixture.child.kill(signal);
      expect(await fixture.ended).toMatchObject({ signal });
      await untilGone(pids);
      expect(existsSync(directory)).toBe(false);
    },
  );

  it('leaves nothing behind when all Node processes are killed at once', async () => {
    const fixture = await runFixture('processHolder', [directory]);
    const pids = [...(JSON.parse(fixture.firstLine) as number[]), await descendant()];
    const [supervisor = 0] = pids;
    process.kill(supervisor, 'SIGSTOP');
    fixture.child.kill('SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    await untilGone(pids);
    await eventually(() => !existsSync(directory), 'the folder to be removed');
  });
});
