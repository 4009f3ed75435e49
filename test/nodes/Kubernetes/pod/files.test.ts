import { describe, expect, it } from '@jest/globals';
import { exited } from '../../../../core/kube/testing/commandServer';
import { execute, named } from '../../testing/context';
import { useCommandServer } from '../../testing/commands';
import { fileHelpers } from '../../testing/files';

const api = useCommandServer();
const DOWNLOAD = { resource: 'pod', operation: 'downloadFile', name: named('web') };
const UPLOAD = { resource: 'pod', operation: 'uploadFile', name: named('web') };

describe('Pod: Download File and Upload File, when things go wrong', () => {
  it.each([
    ['etc/passwd', 'must be absolute: it begins with /'],
    ['/data/../etc/passwd', 'must not hold . or .. as a part'],
    ['/data/..', 'must not hold . or .. as a part'],
    ['/data/./x', 'must not hold . or .. as a part'],
    ['/data/a\nb', 'must not hold control characters'],
    ['/data/a\0b', 'must not hold control characters'],
    [`/${'x'.repeat(256)}`, 'names a file of more than 255 bytes'],
  ])('refuses the path %j before anything is sent', async (path, what) => {
    const { credential } = api();
    const { helpers } = fileHelpers({ name: 'x', data: Buffer.from('x') });
    for (const parameters of [DOWNLOAD, UPLOAD]) {
      await expect(execute({ credential, helpers, parameters: { ...parameters, path } })).rejects.toMatchObject({
        message: `'Path' ${what}`,
        context: { code: 'k8s_parameter_invalid' },
      });
    }
    expect(api().server.sessions).toEqual([]);
  });

  it.each(['../../etc/cron.d/x', '..', '', 'a/b', 'a\\b', 'a\0'])(
    'does not take the name of a file for a path: %j',
    async (name) => {
      const { credential } = api();
      const { helpers } = fileHelpers({ name, data: Buffer.from('x') });
      await expect(execute({ credential, helpers, parameters: { ...UPLOAD, path: '/data/' } })).rejects.toMatchObject({
        message: "'Path' must name the file: the file's own name cannot be used",
      });
      expect(api().server.sessions).toEqual([]);
    },
  );

  it('takes nothing of an archive but the bytes of the file', async () => {
    const { credential, server } = api();
    server.script = ({ send, end }) => {
      send(2, 'tar: x: Cannot stat: No such file or directory\n');
      end(exited(2));
    };
    await expect(execute({ credential, parameters: { ...DOWNLOAD, path: '/data/x' } })).rejects.toMatchObject({
      message: 'The file could not be read: tar ended with exit code 2',
      context: {
        code: 'k8s_command_failed',
        details: { exitCode: 2, stderr: 'tar: x: Cannot stat: No such file or directory\n' },
      },
    });
  });

  it('says that there is no tar', async () => {
    const { credential, server } = api();
    const { helpers } = fileHelpers({ name: 'x', data: Buffer.from('x') });
    server.script = ({ end }) => {
      end(exited(127));
    };
    await expect(execute({ credential, helpers, parameters: { ...UPLOAD, path: '/x' } })).rejects.toMatchObject({
      message: 'The container has no tar, which copying a file needs',
    });
  });

  it.each(['644', '0755'])('takes the mode %s', async (mode) => {
    const { credential, server } = api();
    const { helpers } = fileHelpers({ name: 'x', data: Buffer.from('x') });
    server.script = ({ stdin, query, end }) => {
      if (stdin.length === Number(query.getAll('command').at(-2))) end({ status: 'Success' });
    };
    const [item] = await execute({ credential, helpers, parameters: { ...UPLOAD, path: '/x', options: { mode } } });
    expect(item?.json.mode).toBe(mode.padStart(4, '0'));
  });

  it.each(['rwx', '8', '4755', ''])('refuses the mode %j', async (mode) => {
    const { credential } = api();
    const { helpers } = fileHelpers({ name: 'x', data: Buffer.from('x') });
    await expect(
      execute({ credential, helpers, parameters: { ...UPLOAD, path: '/x', options: { mode } } }),
    ).rejects.toMatchObject({ message: "'Options > Mode' must be three octal digits like 0644" });
  });

  it('says that the item has no such file', async () => {
    const { credential } = api();
    const parameters = { ...UPLOAD, path: '/x', inputField: 'other' };
    const { helpers } = fileHelpers({ name: 'x', data: Buffer.from('x') });
    await expect(execute({ credential, helpers, parameters })).rejects.toThrow();
    expect(api().server.sessions).toEqual([]);
  });
});
