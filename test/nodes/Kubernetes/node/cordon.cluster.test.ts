import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { useOwnNodes } from '../../testing/nodes';

const test = useTestCluster('node-cordon');
const ownNode = useOwnNodes(() => test().cluster);

interface NodeSpec {
  readonly spec: { readonly unschedulable?: boolean; readonly taints?: readonly object[] };
}

async function specOf(name: string): Promise<NodeSpec['spec']> {
  return (await test().cluster.api.get<NodeSpec>(`/api/v1/nodes/${name}`)).spec;
}

async function perform(operation: string, name: string, more: object = {}) {
  const parameters = { resource: 'node', operation, name: named(name), ...more };
  return await outputOf({ credential: test().credential, parameters });
}

describe('Node: Cordon and Uncordon', () => {
  it('changes the node once, and says whether it did', async () => {
    const name = await ownNode();
    expect(await perform('cordon', name)).toMatchObject([{ name, schedulable: false, changed: true }]);
    expect((await specOf(name)).unschedulable).toBe(true);
    expect(await perform('cordon', name)).toMatchObject([{ schedulable: false, changed: false }]);
    expect(await perform('uncordon', name)).toMatchObject([{ schedulable: true, changed: true }]);
    expect((await specOf(name)).unschedulable).toBeUndefined();
    expect(await perform('uncordon', name)).toMatchObject([{ schedulable: true, changed: false }]);
  });

  it('only says what it would change as a dry run', async () => {
    const name = await ownNode();
    const options = { dryRun: true };
    const changes = [{ path: 'spec.unschedulable', after: true }];
    expect(await perform('cordon', name, { options })).toMatchObject([
      { schedulable: false, changed: true, dryRun: true, changes },
    ]);
    expect((await specOf(name)).unschedulable).toBeUndefined();
    expect(await perform('uncordon', name, { options })).toMatchObject([{ changed: false, dryRun: true, changes: [] }]);
  });

  it('says that there is no such node', async () => {
    await expect(perform('cordon', 'nobody')).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});

describe('Node: Taint and Untaint', () => {
  const TAINT = { key: 'dedicated', value: 'gpu' };
  const OWN = 'navin.test/own=yes:NoSchedule';

  it('adds the taint beside those the node has, once', async () => {
    const name = await ownNode();
    expect(await perform('taint', name, TAINT)).toMatchObject([
      { name, taints: [OWN, 'dedicated=gpu:NoSchedule'], taint: 'dedicated=gpu:NoSchedule', changed: true },
    ]);
    expect(await perform('taint', name, TAINT)).toMatchObject([{ changed: false }]);
    expect(await perform('taint', name, { ...TAINT, effect: 'PreferNoSchedule' })).toMatchObject([{ changed: true }]);
  });

  it('gives a taint another value only when told to', async () => {
    const name = await ownNode();
    await perform('taint', name, TAINT);
    await expect(perform('taint', name, { ...TAINT, value: 'cpu' })).rejects.toMatchObject({
      message: `The Node ${name} has the taint dedicated=gpu:NoSchedule already`,
      context: { code: 'k8s_operation_refused' },
    });
    const overwritten = await perform('taint', name, { ...TAINT, value: 'cpu', options: { overwrite: true } });
    expect(overwritten).toMatchObject([{ taints: [OWN, 'dedicated=cpu:NoSchedule'], changed: true }]);
  });

  it('takes off the taints of a key, all or those of one effect', async () => {
    const name = await ownNode();
    await perform('taint', name, TAINT);
    await perform('taint', name, { ...TAINT, effect: 'PreferNoSchedule' });
    expect(await perform('untaint', name, { key: 'dedicated', effect: 'NoSchedule' })).toMatchObject([
      { taints: [OWN, 'dedicated=gpu:PreferNoSchedule'], changed: true },
    ]);
    expect(await perform('untaint', name, { key: 'dedicated' })).toMatchObject([{ taints: [OWN], changed: true }]);
    expect(await perform('untaint', name, { key: 'dedicated' })).toMatchObject([{ taints: [OWN], changed: false }]);
  });

  it('only says what it would change as a dry run', async () => {
    const name = await ownNode();
    const options = { dryRun: true };
    expect(await perform('taint', name, { ...TAINT, options })).toMatchObject([
      {
        taints: [OWN, 'dedicated=gpu:NoSchedule'],
        dryRun: true,
        changes: [{ path: 'spec.taints[1]', after: { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' } }],
      },
    ]);
    expect(await perform('untaint', name, { key: 'navin.test/own', options })).toMatchObject([
      { taints: [], dryRun: true, changed: true },
    ]);
    expect((await specOf(name)).taints).toEqual([{ key: 'navin.test/own', value: 'yes', effect: 'NoSchedule' }]);
  });

  it('says what is wrong with a key', async () => {
    const name = await ownNode();
    await expect(perform('taint', name, { key: 'not a key' })).rejects.toMatchObject({
      context: { code: 'k8s_invalid' },
    });
    const parameters = { resource: 'node', operation: 'taint', name: named(name), key: ' ' };
    await expect(execute({ credential: test().credential, parameters })).rejects.toMatchObject({
      message: "'Key' is empty",
    });
  });
});
