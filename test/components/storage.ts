import type { Cluster } from '../cluster';

/** The class of volumes that tests make by hand: nothing in the disposable cluster provides any. */
export const STORAGE_CLASS = 'made-by-hand';

/** Makes so many volumes of a size, so that claims are really bound. @param name begins their names */
export async function makeVolumes(cluster: Cluster, name: string, count: number, size = '1Gi'): Promise<void> {
  const storage = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: STORAGE_CLASS } };
  const volumes = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${name}-${index}` },
    spec: {
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
      storageClassName: STORAGE_CLASS,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/nowhere' },
    },
  }));
  const provisioner = 'kubernetes.io/no-provisioner';
  const objects = [{ ...storage, provisioner, volumeBindingMode: 'Immediate' }, ...volumes];
  await cluster.apply(objects.map((object) => JSON.stringify(object)).join('\n---\n'));
}
