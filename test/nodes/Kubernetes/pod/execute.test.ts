import { describe, expect, it } from '@jest/globals';
import { exited, SUCCESS } from '../../../../core/kube/testing/commandServer';
import { execute, named, outputOf } from '../../testing/context';
import { useCommandServer } from '../../testing/commands';

const api = useCommandServer();
const PARAMETERS = { resource: 'pod', operation: 'execute', name: named('web'), script: 'migrate --all' };
const ABOUT = { pod: 'web', namespace: 'shop', container: 'app' };

describe('Pod: Execute Command', () => {
  it('fails the item when the exit code is not 0, with the output in the details', async () => {
    api().server.script = ({ send, end }) => {
      send(1, 'one table\n');
      send(2, 'table two is locked\n');
      end(exited(3));
    };
    const { credential } = api();
    await expect(execute({ credential, parameters: PARAMETERS })).rejects.toMatchObject({
      message: 'The command ended with exit code 3',
      context: {
        itemIndex: 0,
        code: 'k8s_command_failed',
        details: { ...ABOUT, exitCode: 3, stdout: 'one table\n', stderr: 'table two is locked\n' },
      },
    });
    expect(api().server.sessions[0]?.query.getAll('command')).toEqual(['sh', '-c', 'migrate --all']);
  });

  it('returns exit code and output instead when asked to', async () => {
    api().server.script = ({ send, end }) => {
      send(2, 'no\n');
      end(exited(1));
    };
    const { credential } = api();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, onFailure: 'output' } })).toEqual([
      { ...ABOUT, exitCode: 1, stdout: '', stderr: 'no\n', truncated: false, timedOut: false },
    ]);
  });

  it('runs a program without a shell, and gives it what it reads', async () => {
    api().server.script = ({ stdin, stdinEnded, send, end }) => {
      if (!stdinEnded) return;
      send(1, stdin.toString().toUpperCase());
      end(SUCCESS);
    };
    const { credential } = api();
    const command = ['tr', 'a-z', "'; rm -rf /"];
    const parameters = { ...PARAMETERS, run: 'program', command, options: { stdin: 'abc' } };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ exitCode: 0, stdout: 'ABC' }]);
    expect(api().server.sessions[0]?.query.getAll('command')).toEqual(command);
  });

  it('says that the time is over, and what there was so far', async () => {
    api().server.script = ({ send }) => {
      send(1, 'waiting for the lock\n');
    };
    const { credential } = api();
    const parameters = { ...PARAMETERS, timeoutSeconds: 1 };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The command did not end within 1 s',
      context: { code: 'k8s_wait_failed', details: { stdout: 'waiting for the lock\n', timedOut: true } },
    });
    expect(await outputOf({ credential, parameters: { ...parameters, onFailure: 'output' } })).toMatchObject([
      { exitCode: null, timedOut: true, stdout: 'waiting for the lock\n' },
    ]);
  });

  it('keeps the beginning of a long output and runs on to the exit code', async () => {
    api().server.script = ({ send, end }) => {
      for (let count = 0; count < 10; count += 1) send(1, 'x'.repeat(1_000));
      end(SUCCESS);
    };
    const { credential } = api();
    const [ran] = await outputOf({ credential, parameters: { ...PARAMETERS, options: { limitKiB: 1 } } });
    expect(ran).toMatchObject({ exitCode: 0, truncated: true, stdout: 'x'.repeat(1_024) });
  });

  it.each([
    ['script', { script: ' ' }, "'Script' is empty"],
    ['program', { run: 'program', command: [] }, 'The command is empty.'],
  ])('needs a %s', async (_what, given, message) => {
    const { credential } = api();
    await expect(execute({ credential, parameters: { ...PARAMETERS, ...given } })).rejects.toMatchObject({ message });
    expect(api().server.sessions).toEqual([]);
  });
});
