import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useCluster } from '../../../cluster/jest';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { fileHelpers } from '../../testing/files';

// The containers of this cluster run commands on this machine.
const test = useTestCluster('pod-exec', useCluster({ nodes: 1, exec: true }));
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navin-exec-'));
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest('web'));
  await cluster.api.create(
    pods,
    podManifest('pair', {
      containers: [
        { name: 'app', image: 'nginx:1' },
        { name: 'proxy', image: 'envoy:1' },
      ],
    }),
  );
  for (const pod of ['web', 'pair']) {
    await cluster.api.until(`${pods}/${pod}`, (object) => JSON.stringify(object ?? {}).includes('"Running"'));
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const EXECUTE = { resource: 'pod', operation: 'execute' };

describe('Pod: Execute Command', () => {
  // kubernetes#89899, #61346
  it('gives both outputs and the exit code', async () => {
    const { credential, namespace } = test();
    const parameters = { ...EXECUTE, name: named('web'), script: 'echo one; echo two >&2' };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        pod: 'web',
        namespace,
        container: 'app',
        exitCode: 0,
        stdout: 'one\n',
        stderr: 'two\n',
        truncated: false,
        timedOut: false,
      },
    ]);
  });

  it('hands input on', async () => {
    const { credential } = test();
    const options = { stdin: 'hello' };
    const parameters = { ...EXECUTE, name: named('web'), run: 'program', command: ['head', '-c', '5'], options };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ stdout: 'hello' }]);
  });

  it('names the containers when none of several is chosen', async () => {
    const { credential } = test();
    const parameters = { ...EXECUTE, name: named('pair'), script: 'true' };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      description: expect.stringMatching(/app.*proxy/s),
      context: { code: 'k8s_parameter_invalid' },
    });
    expect(await outputOf({ credential, parameters: { ...parameters, container: named('proxy') } })).toMatchObject([
      { container: 'proxy' },
    ]);
  });

  it('says which right is missing', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...EXECUTE, name: named('web'), script: 'true' };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      httpCode: '403',
      description: expect.stringContaining('pods/exec'),
      context: { code: 'k8s_forbidden' },
    });
  });
});

describe('Pod: Upload File and Download File', () => {
  it('write a file and read it again', async () => {
    const { credential, namespace } = test();
    const data = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 256));
    const path = `${folder}/`;
    const about = { pod: 'web', namespace, container: 'app', path: join(folder, 'photo.bin'), bytes: data.length };
    const upload = fileHelpers({ name: 'photo.bin', data });
    const options = { mode: '0600' };
    const written = await execute({
      credential,
      helpers: upload.helpers,
      parameters: { resource: 'pod', operation: 'uploadFile', name: named('web'), path, options },
    });
    expect(written).toEqual([{ json: { ...about, mode: '0600' }, pairedItem: { item: 0 } }]);
    expect(readFileSync(about.path).equals(data)).toBe(true);
    expect(statSync(about.path).mode & 0o777).toBe(0o600);

    const download = fileHelpers();
    const [read] = await execute({
      credential,
      helpers: download.helpers,
      parameters: {
        resource: 'pod',
        operation: 'downloadFile',
        name: named('web'),
        path: about.path,
        options: { outputField: 'photo' },
      },
    });
    expect(read?.json).toEqual({ ...about, mode: '0600', modifiedAt: expect.stringMatching(/^20\d\d-/) });
    expect(Object.keys(read?.binary ?? {})).toEqual(['photo']);
    expect(download.made).toEqual([{ name: 'photo.bin', data }]);
  });

  it('refuse a directory and a file that is too large', async () => {
    const { credential } = test();
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'large'), Buffer.alloc(1_100_000));
    const read = async (path: string) =>
      await execute({
        credential,
        helpers: fileHelpers().helpers,
        parameters: {
          resource: 'pod',
          operation: 'downloadFile',
          name: named('web'),
          path: join(folder, path),
          options: { limitMiB: 1 },
        },
      });
    await expect(read('sub')).rejects.toMatchObject({ message: "'Path' is a directory, not a file" });
    await expect(read('large')).rejects.toMatchObject({
      message: 'The file has 1100000 bytes, more than the limit',
      context: { code: 'k8s_response_too_large' },
    });
  });
});
