import { expect, it } from '@jest/globals';
import { statefulSetManifest, useTestCluster } from '../nodes/testing/cluster';
import { named, outputOf } from '../nodes/testing/context';
import { onNode, useOwnNodes } from '../nodes/testing/nodes';

const test = useTestCluster('complaints-drain');
const ownNode = useOwnNodes(() => test().cluster);

interface Pod {
  readonly metadata: { readonly uid: string };
  readonly spec: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

it('a drain ends although the StatefulSet makes pods of the same names anew (kubernetes.core#593, #769, #792)', async () => {
  const { cluster, credential, namespace } = test();
  const node = await ownNode();
  const pod = `/api/v1/namespaces/${namespace}/pods/db-0`;
  const manifest = statefulSetManifest('db', 1) as { spec: { template: { spec: object } } };
  Object.assign(manifest.spec.template.spec, onNode(node));
  await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, manifest);
  const before = await cluster.api.until<Pod>(pod, (seen) => seen?.status?.phase === 'Running');
  const parameters = {
    resource: 'node',
    operation: 'drain',
    name: named(node),
    timeoutSeconds: 60,
    options: { intervalSeconds: 1 },
  };
  expect(await outputOf({ credential, parameters })).toMatchObject([
    { drained: true, pods: [{ name: 'db-0', uid: before?.metadata.uid, state: 'gone' }] },
  ]);
  const after = await cluster.api.until<Pod>(pod, (seen) => seen !== undefined);
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(after?.spec.nodeName).toBeUndefined();
});
