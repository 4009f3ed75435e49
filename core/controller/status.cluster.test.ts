import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { eventually } from '../../test/cluster';
import { systemClock } from '../clock';
import { isRecord, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { writeStatus, type StatusMeans } from './status';
import { clusterClient } from './testing/cluster';

const cluster = sharedCluster();
let client: KubeClient;
let resource: ApiResource;
let means: StatusMeans;

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'counters.status-test.example.com';

beforeAll(async () => {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } };
  await cluster().request('POST', DEFINITIONS, {
    body: {
      metadata: { name: NAME },
      spec: {
        group: 'status-test.example.com',
        scope: 'Namespaced',
        names: { plural: 'counters', singular: 'counter', kind: 'Counter' },
        versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
      },
    },
  });
  const namespace = await cluster().freshNamespace('status');
  const { kubeconfig } = await cluster().serviceAccount({
    namespace,
    rules: [
      { apiGroups: ['status-test.example.com'], resources: ['counters'], verbs: ['get', 'create', 'delete'] },
      { apiGroups: ['status-test.example.com'], resources: ['counters/status'], verbs: ['update'] },
    ],
  });
  client = clusterClient(cluster(), { kubeconfig, namespace });
  await eventually(async () => {
    resource = await client.resource(NAME);
    return true;
  }, 'the kind to be served');
  means = { client, clock: systemClock, random: Math.random };
}, 60_000);

afterAll(async () => {
  await cluster().api.delete(`${DEFINITIONS}/${NAME}`);
});

function counted({ status }: KubeObject): number {
  return isRecord(status) && typeof status.count === 'number' ? status.count : 0;
}

async function counter(name: string): Promise<KubeObject> {
  return client.create(
    resource,
    {},
    { apiVersion: 'status-test.example.com/v1', kind: 'Counter', metadata: { name }, spec: { keep: 'me' } },
  );
}

describe('a status', () => {
  it('is written with the right to update it alone, and loses no change of others', async () => {
    const known = await counter('busy');
    const more = (object: KubeObject): object => ({ count: counted(object) + 1, unset: undefined });
    await Promise.all(Array.from({ length: 4 }, () => writeStatus(means, resource, known, more)));
    const after = await client.get(resource, { name: 'busy' });
    expect([after.status, after.spec]).toEqual([{ count: 4 }, { keep: 'me' }]);
  });

  it('that would not change is not written', async () => {
    const known = await counter('calm');
    const written = await writeStatus(means, resource, known, () => ({ conditions: [], unset: undefined }));
    const again = await writeStatus(means, resource, written ?? known, () => ({ conditions: [] }));
    const left = await writeStatus(means, resource, again ?? known, () => undefined);
    expect(left?.metadata.resourceVersion).toBe(written?.metadata.resourceVersion);
    expect(written?.status).toEqual({ conditions: [] });
  });

  it('of an object that is gone, or that has only its name, is not written', async () => {
    const known = await counter('gone');
    await client.delete(resource, { name: 'gone' });
    expect(await writeStatus(means, resource, known, () => ({ count: 1 }))).toBeUndefined();
    await counter('gone');
    expect(await writeStatus(means, resource, known, () => ({ count: 1 }))).toBeUndefined();
    expect((await client.get(resource, { name: 'gone' })).status).toBeUndefined();
  });
});
