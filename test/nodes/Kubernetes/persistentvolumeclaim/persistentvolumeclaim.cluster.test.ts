import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('claims');

/** A volume of 10 GiB that is the claim's, and a claim that asks for what is not there. */
beforeAll(async () => {
  const { cluster, namespace } = test();
  const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const claim = (name: string, storageClassName: string) => ({
    metadata: { name, labels: { app: name } },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '5Gi' } } },
  });
  await cluster.api.create('/api/v1/persistentvolumes', {
    metadata: { name: namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '10Gi' },
      claimRef: { namespace, name: 'data' },
      hostPath: { path: '/nowhere' },
      persistentVolumeReclaimPolicy: 'Retain',
    },
  });
  await cluster.api.create(claims, claim('data', ''));
  await cluster.api.create(claims, claim('later', 'missing'));
  await cluster.api.until<{ status: { phase?: string } }>(`${claims}/data`, (seen) => seen?.status.phase === 'Bound');
  const message = 'Waiting for the volume to grow';
  await cluster.api.patch(`${claims}/data/status`, {
    status: {
      allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
      conditions: [{ type: 'Resizing', status: 'True', reason: 'Growing', message }],
    },
  });
});

afterAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.delete(`/api/v1/persistentvolumes/${namespace}`);
});

describe('PersistentVolumeClaim: Get and Get Many', () => {
  it('gives what was asked for beside what there is, and how far a change of the size is', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'persistentvolumeclaim', operation: 'get', name: named('data') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'data',
        namespace,
        status: 'Bound',
        requested: '5Gi',
        capacity: '10Gi',
        resize: 'ControllerResizeInProgress',
        storageClass: '',
        accessModes: ['ReadWriteOnce'],
        volumeMode: 'Filesystem',
        volume: namespace,
        conditions: [
          { type: 'Resizing', status: 'True', reason: 'Growing', message: 'Waiting for the volume to grow' },
        ],
        createdAt: expect.any(String),
        labels: { app: 'data' },
      },
    ]);
  });

  it('lists those that match, those that wait for a volume, too', async () => {
    const { credential } = test();
    const options = { labelSelector: 'app=later' };
    const parameters = { resource: 'persistentvolumeclaim', operation: 'getAll', options };
    const [later, ...more] = await outputOf({ credential, parameters });
    expect(later).toMatchObject({ name: 'later', status: 'Pending', storageClass: 'missing', requested: '5Gi' });
    expect(later).not.toHaveProperty('capacity');
    expect(more).toEqual([]);
  });

  it('says which claim is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'persistentvolumeclaim', operation: 'get', name: named('nothing') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
