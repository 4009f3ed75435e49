import { describe, expect, it } from '@jest/globals';
import { podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-delete');

async function createPod(name: string): Promise<{ path: string; uid: string }> {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const pod = await cluster.api.create<{ metadata: { uid: string } }>(pods, podManifest(name));
  return { path: `${pods}/${name}`, uid: pod.metadata.uid };
}

const PARAMETERS = { resource: 'pod', operation: 'delete' };

describe('Pod: Delete', () => {
  it('deletes the pod and says which one it was', async () => {
    const { cluster, credential, namespace } = test();
    const { path, uid } = await createPod('web');
    const parameters = { ...PARAMETERS, name: named('web') };
    expect(await outputOf({ credential, parameters })).toEqual([
      { deleted: true, name: 'web', namespace, uid, gracePeriodSeconds: expect.any(Number) },
    ]);
    await cluster.api.until(path, (pod) => pod === undefined);
  });

  it('takes grace period 0 and a propagation policy', async () => {
    const { cluster, credential } = test();
    const { path } = await createPod('fast');
    const options = { gracePeriodSeconds: 0, propagationPolicy: 'Foreground' };
    const [deleted] = await outputOf({ credential, parameters: { ...PARAMETERS, name: named('fast'), options } });
    expect(deleted).toMatchObject({ deleted: true, name: 'fast' });
    await cluster.api.until(path, (pod) => pod === undefined);
  });

  it('spares a pod of the same name with another UID', async () => {
    const { cluster, credential } = test();
    const { path } = await createPod('spared');
    const options = { uid: '00000000-0000-0000-0000-000000000000' };
    const parameters = { ...PARAMETERS, name: named('spared'), options };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_conflict' } });
    expect((await cluster.request('GET', path)).status).toBe(200);
  });

  it('never deletes by an empty name', async () => {
    const { cluster, credential, namespace } = test();
    await createPod('stays');
    await expect(
      execute({
        credential,
        parameters: { ...PARAMETERS, name: named('={{ $json.name }}') },
        expressions: { '={{ $json.name }}': () => undefined },
      }),
    ).rejects.toMatchObject({ message: "'Pod' has no value: its expression gave none" });
    expect((await cluster.request('GET', `/api/v1/namespaces/${namespace}/pods/stays`)).status).toBe(200);
  });

  it('never falls back to another namespace', async () => {
    const { cluster, credential, namespace } = test();
    await createPod('here');
    await expect(
      execute({
        credential,
        parameters: { ...PARAMETERS, name: named('here'), namespace: named('={{ $json.namespace }}') },
        expressions: { '={{ $json.namespace }}': () => '' },
      }),
    ).rejects.toMatchObject({ message: "'Namespace' is empty" });
    expect((await cluster.request('GET', `/api/v1/namespaces/${namespace}/pods/here`)).status).toBe(200);
  });

  it('says that the pod is not there, and sends the item to the error output with its code', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('nobody') };
    const [item] = await execute({ credential, parameters, onError: 'continueErrorOutput' });
    expect(item?.json).toEqual({
      error: expect.stringContaining('nobody'),
      details: expect.objectContaining({ code: 'k8s_not_found', httpCode: 404 }),
    });
    expect([item?.error, item?.pairedItem]).toEqual([undefined, { item: 0 }]);
  });
});
