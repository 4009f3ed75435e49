import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { fileHelpers } from '../../testing/files';

const test = useTestCluster('configuration');

type Kind = 'configmap' | 'secret';
type Data = Readonly<Record<string, string>>;

interface Stored {
  readonly type?: string;
  readonly data?: Data;
  readonly binaryData?: Data;
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

function pathOf(kind: Kind, name = ''): string {
  return `/api/v1/namespaces/${test().namespace}/${kind}s${name === '' ? '' : `/${name}`}`;
}

async function create(kind: Kind, name: string, fields: object): Promise<void> {
  await test().cluster.api.create(pathOf(kind), { metadata: { name, labels: { app: name } }, ...fields });
}

async function read(kind: Kind, name: string): Promise<Stored> {
  return await test().cluster.api.get<Stored>(pathOf(kind, name));
}

async function perform(kind: Kind, operation: string, name: string, more: object = {}, file?: Buffer) {
  const parameters = { resource: kind, operation, name: named(name), ...more };
  const { helpers } = fileHelpers({ name: 'input', data: file ?? Buffer.alloc(0) });
  return await outputOf({ credential: test().credential, parameters, helpers });
}

function keys(...entry: readonly object[]): object {
  return { keys: { entry } };
}

const BYTES = Buffer.from([0xff, 0x00, 0xfe]);

describe.each(['configmap', 'secret'] as const)('%s: Set Keys', (kind) => {
  const stored = kind === 'secret' ? base64 : (text: string) => text;

  it('sets what differs and leaves the other keys alone', async () => {
    await create(kind, 'merged', { data: { color: stored('blue'), size: stored('1'), shape: stored('round') } });
    const entries = keys({ key: 'color', value: 'red' }, { key: 'size', value: '1' }, { key: 'new', value: 'grün' });
    expect(await perform(kind, 'setKeys', 'merged', entries)).toEqual([
      {
        name: 'merged',
        namespace: test().namespace,
        created: false,
        changed: ['color', 'new'],
        unchanged: ['size'],
        keys: ['color', 'new', 'shape', 'size'],
      },
    ]);
    expect((await read(kind, 'merged')).data).toEqual({
      color: stored('red'),
      size: stored('1'),
      shape: stored('round'),
      new: stored('grün'),
    });
  });

  it('takes files and base64, of any content', async () => {
    await create(kind, 'bytes', {});
    const entries = keys(
      { key: 'file', from: 'file', inputField: 'data' },
      { key: 'text', from: 'base64', value: base64('hello') },
    );
    expect(await perform(kind, 'setKeys', 'bytes', entries, BYTES)).toMatchObject([{ changed: ['file', 'text'] }]);
    const { data, binaryData } = await read(kind, 'bytes');
    expect(kind === 'secret' ? data : { ...data, ...binaryData }).toEqual({
      file: base64(BYTES),
      text: stored('hello'),
    });
    const text = keys({ key: 'file', value: 'text now' });
    expect(await perform(kind, 'setKeys', 'bytes', text)).toMatchObject([{ keys: ['file', 'text'] }]);
    expect((await read(kind, 'bytes')).data?.file).toBe(stored('text now'));
  });

  it('makes it only when told to', async () => {
    const entries = keys({ key: 'color', value: 'blue' });
    await expect(perform(kind, 'setKeys', 'made', entries)).rejects.toMatchObject({
      description: expect.stringContaining("'Create When Missing'"),
      context: { code: 'k8s_not_found' },
    });
    const options = { create: true };
    expect(await perform(kind, 'setKeys', 'made', { ...entries, options })).toMatchObject([
      { created: true, changed: ['color'], keys: ['color'] },
    ]);
    expect(await perform(kind, 'setKeys', 'made', { ...entries, options })).toMatchObject([
      { created: false, changed: [], unchanged: ['color'] },
    ]);
    expect((await read(kind, 'made')).data).toEqual({ color: stored('blue') });
  });

  it('says that it is immutable, unless there is nothing to change', async () => {
    await create(kind, 'fixed', { data: { color: stored('blue') }, immutable: true });
    await expect(perform(kind, 'setKeys', 'fixed', keys({ key: 'color', value: 'red' }))).rejects.toMatchObject({
      message: `The ${kind === 'secret' ? 'Secret' : 'ConfigMap'} fixed is immutable: its keys can never be changed`,
      context: { code: 'k8s_operation_refused' },
    });
    await expect(perform(kind, 'removeKeys', 'fixed', { keys: ['color'] })).rejects.toMatchObject({
      context: { code: 'k8s_operation_refused' },
    });
    expect(await perform(kind, 'setKeys', 'fixed', keys({ key: 'color', value: 'blue' }))).toMatchObject([
      { changed: [] },
    ]);
  });

  it.each([
    [keys(), "'Keys' has no key"],
    [keys({ key: 'a/b', value: '' }), /^'Keys' has a key that Kubernetes does not take/],
    [keys({ key: 'a', value: '1' }, { key: 'a', value: '2' }), "'Keys' has the same key twice"],
    [keys({ key: 'a', from: 'base64', value: 'not base64' }), "'Keys' has a value that is no base64"],
  ])('refuses %j', async (entries, message) => {
    await expect(perform(kind, 'setKeys', 'nobody', entries)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      context: { code: 'k8s_parameter_invalid' },
    });
  });

  it('removes keys, and says which were not there', async () => {
    await create(kind, 'pruned', { data: { color: stored('blue'), size: stored('1') } });
    const removed = { name: 'pruned', removed: ['color'], missing: ['nothing'], keys: ['size'] };
    expect(await perform(kind, 'removeKeys', 'pruned', { keys: ['color', 'nothing'] })).toMatchObject([removed]);
    expect(await perform(kind, 'removeKeys', 'pruned', { keys: ['color'] })).toMatchObject([
      { removed: [], missing: ['color'] },
    ]);
    expect((await read(kind, 'pruned')).data).toEqual({ size: stored('1') });
  });
});

describe('ConfigMap: Get and Get Many', () => {
  it('gives the texts and names what is no text', async () => {
    await create('configmap', 'mixed', { data: { color: 'blue' }, binaryData: { logo: base64(BYTES) } });
    const seen = { name: 'mixed', data: { color: 'blue' }, binaryKeys: ['logo'], immutable: false };
    expect(await perform('configmap', 'get', 'mixed')).toMatchObject([seen]);
    const options = { labelSelector: 'app=mixed' };
    const parameters = { resource: 'configmap', operation: 'getAll', options };
    expect(await outputOf({ credential: test().credential, parameters })).toMatchObject([seen]);
  });

  it('puts a value into a file', async () => {
    const parameters = {
      resource: 'configmap',
      operation: 'get',
      name: named('mixed'),
      options: { keyAsFile: 'logo' },
    };
    const { helpers, made } = fileHelpers({ name: 'input', data: Buffer.alloc(0) });
    const [item] = await execute({ credential: test().credential, parameters, helpers });
    expect(item?.binary?.data).toBeDefined();
    expect(made.map(({ name, data }) => [name, data])).toEqual([['logo', BYTES]]);
  });
});

describe('Secret: Get and Get Many', () => {
  it('shows the keys and no value, simplified or whole, alone or in a list', async () => {
    const stringData = { password: 'hunter-2-hunter', token: 'tok-0123456789' };
    await create('secret', 'login', { stringData });
    const label = { options: { labelSelector: 'app=login' } };
    const outputs: IDataObject[][] = [];
    for (const simplify of [true, false]) {
      outputs.push(await perform('secret', 'get', 'login', { simplify }));
      const parameters = { resource: 'secret', operation: 'getAll', simplify, ...label };
      outputs.push(await outputOf({ credential: test().credential, parameters }));
    }
    expect(outputs[0]).toMatchObject([{ name: 'login', type: 'Opaque', keys: ['password', 'token'] }]);
    expect(outputs[2]).toMatchObject([{ kind: 'Secret', data: { password: '(masked)', token: '(masked)' } }]);
    const text = JSON.stringify(outputs);
    for (const value of Object.values(stringData)) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(base64(value));
    }
  });

  it('reveals the keys that are asked for and no others', async () => {
    const [secret] = await perform('secret', 'get', 'login', { options: { revealKeys: ['password'] } });
    expect(secret?.values).toEqual({ password: 'hunter-2-hunter' });
    expect(JSON.stringify(secret)).not.toContain('tok-0123456789');
  });

  it('says which keys there are, and that bytes are no text', async () => {
    await expect(perform('secret', 'get', 'login', { options: { revealKeys: ['nothing'] } })).rejects.toMatchObject({
      message: "'Options > Reveal Keys' names a key this Secret does not have; it has: password, token",
    });
    await create('secret', 'key', { data: { key: base64(BYTES) } });
    await expect(perform('secret', 'get', 'key', { options: { revealKeys: ['key'] } })).rejects.toMatchObject({
      message: "'Options > Reveal Keys' names a key whose value is no text",
    });
  });

  it('never stores what only stands for a value', async () => {
    await expect(
      perform('secret', 'setKeys', 'login', keys({ key: 'password', value: '(masked)' })),
    ).rejects.toMatchObject({ message: "'Keys' has a value that only stands for a masked one" });
    expect((await read('secret', 'login')).data?.password).toBe(base64('hunter-2-hunter'));
  });

  it('is made with the type that is asked for', async () => {
    const made = {
      ...keys({ key: 'username', value: 'u' }),
      options: { create: true, type: 'kubernetes.io/basic-auth' },
    };
    await perform('secret', 'setKeys', 'basic', made);
    expect((await read('secret', 'basic')).type).toBe('kubernetes.io/basic-auth');
  });
});
