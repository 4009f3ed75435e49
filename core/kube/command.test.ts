import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KubeClient } from './client';
import type { CommandOptions } from './command';
import { CommandServer, exited, SUCCESS } from './testing/commandServer';
import { errorOf, policyFor, shown, targetFor, TEST_TOKEN } from './testing/faultClient';

const POD = { namespace: 'shop', name: 'web' };

let server: CommandServer;
let client: KubeClient;
beforeAll(async () => {
  server = await CommandServer.start();
});
beforeEach(() => {
  server.sessions.length = 0;
  server.protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
  server.refusal = undefined;
  client = new KubeClient({ target: targetFor(server), egress: policyFor(server), looksForNamespaces: false });
});
afterAll(async () => {
  await server.stop();
});

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(options: Partial<CommandOptions> = {}): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const { exitCode } = await client.run(POD, {
    container: 'app',
    command: ['ls', '-l', '/a b'],
    timeoutMs: 20_000,
    stdout: (bytes) => (stdout += bytes.toString()),
    stderr: (bytes) => (stderr += bytes.toString()),
    ...options,
  });
  return { exitCode, stdout, stderr };
}

describe('a command in a container', () => {
  it('gives its output, its errors and its exit code', async () => {
    server.script = ({ send, end }) => {
      send(1, 'one\n');
      send(2, 'careful\n');
      send(1, 'two\n');
      end(exited(3));
    };
    expect(await run()).toEqual({ exitCode: 3, stdout: 'one\ntwo\n', stderr: 'careful\n' });
    const [session] = server.sessions;
    expect(session?.query.getAll('command')).toEqual(['ls', '-l', '/a b']);
    expect(session?.query.get('container')).toBe('app');
    expect(session?.query.has('stdin')).toBe(false);
    expect(session?.authorization).toBe(`Bearer ${TEST_TOKEN}`);
    expect(session?.offered).toEqual(server.protocols);
  });

  // kubernetes#89899, #61346
  it('reads its stdin to the end where the protocol can say so', async () => {
    server.script = ({ stdin, stdinEnded, send, end }) => {
      if (!stdinEnded) return;
      send(1, `${stdin.length}`);
      end(SUCCESS);
    };
    expect(await run({ stdin: Buffer.alloc(100_000, 'x') })).toMatchObject({ exitCode: 0, stdout: '100000' });
  });

  it('works with clusters that speak the older protocol, and says what they cannot', async () => {
    server.protocols = ['v4.channel.k8s.io'];
    server.script = ({ stdin, end }) => {
      if (stdin.toString() === 'go') end(SUCCESS);
    };
    expect(await run({ stdin: Buffer.from('go') })).toMatchObject({ exitCode: 0 });
    const error = await errorOf(run({ stdin: Buffer.from('something else'), timeoutMs: 100 }));
    expect(error.code).toBe('k8s_wait_failed');
    expect(error.message).toBe('The command did not end within 0.1 s');
    expect(error.hint).toContain('cannot say that stdin has ended');
    expect(server.sessions.map(({ stdinEnded }) => stdinEnded)).toEqual([false, false]);
  });

  // rundeck-plugins/kubernetes#173
  it('keeps a silent connection in use, so that nothing on the way takes it for idle', async () => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'],
    });
    try {
      let pings = 0;
      server.script = ({ socket, send, end }) => {
        send(1, 'begun');
        socket.on('ping', () => {
          pings += 1;
          if (pings === 3) end(SUCCESS);
        });
      };
      const stdout = (): void => {
        jest.advanceTimersByTime(60_000);
      };
      expect(await run({ stdout })).toMatchObject({ exitCode: 0 });
      expect(pings).toBe(3);
    } finally {
      jest.useRealTimers();
    }
  });

  it('says that it did not end in time and may still run', async () => {
    server.script = ({ send }) => {
      send(1, 'working');
    };
    const error = await errorOf(run({ timeoutMs: 100 }));
    expect(error.code).toBe('k8s_wait_failed');
    expect(error.hint).toBe('Kubernetes cannot stop a command: it may still run in the container.');
  });

  it('says why it could not be run, without its arguments', async () => {
    const secret = 'password-12345';
    server.script = ({ end }) => {
      end({
        metadata: {},
        status: 'Failure',
        reason: 'InternalError',
        code: 500,
        message: `exec: "nope": executable file not found in $PATH (nope ${secret})`,
      });
    };
    const error = await errorOf(run({ command: ['nope', secret] }));
    expect(error.code).toBe('k8s_command_failed');
    expect(error.message).toBe(
      'The command could not be run: exec: "nope": executable file not found in $PATH (nope …)',
    );
    expect(shown(error)).not.toContain(secret);
  });

  it('does not pretend to know how it ended when the connection breaks', async () => {
    server.script = ({ send, socket }) => {
      send(1, 'half');
      socket.terminate();
    };
    expect((await errorOf(run())).code).toBe('k8s_outcome_unknown');
  });

  it('stops with the execution', async () => {
    const stop = new AbortController();
    server.script = () => {
      stop.abort();
    };
    const error = await errorOf(run({ signal: stop.signal }));
    expect([error.code, error.details]).toEqual(['k8s_aborted', { outcome: 'unknown' }]);
  });

  it('ends when nobody wants more of its output', async () => {
    server.script = ({ send }) => {
      for (let count = 0; count < 100; count += 1) send(1, Buffer.alloc(1_000));
    };
    const enough = new Error('enough');
    const stdout = (): void => {
      throw enough;
    };
    await expect(run({ stdout })).rejects.toBe(enough);
  });

  it('tells which right is missing', async () => {
    server.refusal = {
      status: 403,
      body: {
        kind: 'Status',
        status: 'Failure',
        reason: 'Forbidden',
        code: 403,
        message:
          'pods "web" is forbidden: User "system:serviceaccount:shop:n8n" cannot create resource "pods/exec" in API group "" in the namespace "shop"',
      },
    };
    const error = await errorOf(run());
    expect(error.code).toBe('k8s_forbidden');
    expect(error.hint).toContain('resources: [pods/exec]');
    expect(shown(error)).not.toContain(TEST_TOKEN);
  });

  it('refuses a server that upgrades to something else', async () => {
    server.protocols = [];
    expect(await errorOf(run())).toMatchObject({
      code: 'k8s_outcome_unknown',
      details: { cause: 'k8s_response_invalid' },
    });
  });

  it('connects only where every other request may', async () => {
    const elsewhere = new KubeClient({
      target: targetFor(server),
      egress: { grants: [] },
      looksForNamespaces: false,
    });
    const nothing = (): void => undefined;
    const options = { container: 'app', command: ['ls'], timeoutMs: 1_000, stdout: nothing, stderr: nothing };
    expect((await errorOf(elsewhere.run(POD, options))).code).toBe('k8s_egress_refused');
    expect(server.sessions).toEqual([]);
  });

  it.each([
    ['no program', { command: [] }],
    ['an empty program', { command: [' '] }],
    ['a NUL', { command: ['a\0b'] }],
    ['16 Ki characters and more', { command: ['x'.repeat(16_385)] }],
    ['too much stdin', { stdin: Buffer.alloc(32 * 1024 * 1024 + 1) }],
  ])('refuses a command with %s before anything is sent', async (_what, options) => {
    expect((await errorOf(run(options))).code).toBe('k8s_parameter_invalid');
    expect(server.sessions).toEqual([]);
  });
});
