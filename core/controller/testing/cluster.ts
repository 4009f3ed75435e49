import type { ApiResource, KubeClient, KubeObject } from '../../kube';
import type { Owner } from '../owner';

export { clusterClient } from '../../kube/testing/clusterClient';

/** An object that can own others. */
export async function makeOwner(client: KubeClient, configmaps: ApiResource, name: string): Promise<Owner> {
  const { metadata } = await client.create(configmaps, {}, { metadata: { name } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid ?? '' };
}

export function configMap(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

export function workload(kind: 'Deployment' | 'StatefulSet', name: string, spec: object = {}): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'nginx' }] } },
      ...spec,
    },
  };
}

export function claim(name: string, accessMode: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: [accessMode], resources: { requests: { storage: '1Gi' } } },
  };
}
