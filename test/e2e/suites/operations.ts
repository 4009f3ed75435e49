import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { chain } from '../n8n';
import { byName, itemsOf, kubernetes, SHOP, type World } from '../world';

/** A namespace that these tests change as they like. */
const LAB = 'lab';

interface DeploymentSpec {
  readonly replicas: number;
  readonly template: {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  };
}

/** Workflows that read and change the cluster, each looked at again from outside of n8n. */
export function operations(world: () => World): void {
  const deploymentPath = `/apis/apps/v1/namespaces/${LAB}/deployments/web`;
  const spec = async (): Promise<DeploymentSpec> =>
    (await world().cluster.api.get(deploymentPath)).spec as DeploymentSpec;
  const onWeb = { resource: 'deployment', namespace: byName(LAB), name: byName('web') };
  const rolledOut = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const [status] = await itemsOf(world(), {
      ...onWeb,
      operation: 'getRolloutStatus',
      wait: true,
      timeoutSeconds: 60,
    });
    return status;
  };

  describe('a workflow', () => {
    beforeAll(async () => {
      const { cluster } = world();
      await cluster.namespace(LAB);
      await cluster.kubectl(['-n', LAB, 'create', 'deployment', 'web', '--image=nginx:1.29.0', '--replicas=2']);
      await cluster.kubectl(['-n', LAB, 'rollout', 'status', 'deployment/web', '--timeout=60s']);
    }, 120_000);

    it('reads pods as items in flat fields', async () => {
      const items = await itemsOf(world(), {
        resource: 'pod',
        operation: 'getAll',
        namespace: byName(SHOP),
        returnAll: true,
        options: { labelSelector: 'app.kubernetes.io/name=web' },
      });

      expect(items).toHaveLength(3);
      for (const item of items) {
        expect(item).toMatchObject({ namespace: SHOP, status: 'Running', ready: '1/1', restarts: 0 });
      }
    });

    it('reads only as many as the limit says, and a whole object when it is not simplified', async () => {
      const items = await itemsOf(world(), {
        resource: 'pod',
        operation: 'getAll',
        namespace: byName('*'),
        limit: 2,
        simplify: false,
      });

      expect(items).toHaveLength(2);
      expect(items[0]).toMatchObject({
        metadata: { uid: expect.any(String) as unknown },
        spec: { containers: expect.any(Array) as unknown },
      });
      expect(items[0]?.metadata).not.toHaveProperty('managedFields');
    });

    it('reads the logs of a pod', async () => {
      const { cluster } = world();
      const [pod] = await cluster.api.items(`/api/v1/namespaces/${SHOP}/pods?labelSelector=app.kubernetes.io/name=web`);
      const name = pod?.metadata.name ?? '';
      await cluster.logs.set({ namespace: SHOP, pod: name }, { lines: ['one', 'two', 'three'] });

      const [text] = await itemsOf(world(), {
        resource: 'pod',
        operation: 'getLogs',
        namespace: byName(SHOP),
        name: byName(name),
        tailLines: 2,
      });

      expect(text).toMatchObject({ pod: name, container: 'nginx', logs: 'two\nthree\n', truncated: false });
    });

    it('restarts a deployment and waits for its rollout', async () => {
      const before = (await spec()).template.metadata.annotations ?? {};

      const [restarted] = await itemsOf(world(), { ...onWeb, operation: 'restart' });
      const status = await rolledOut();

      const annotation = 'kubectl.kubernetes.io/restartedAt';
      const after = (await spec()).template.metadata.annotations ?? {};
      expect(after[annotation]).toBe(restarted?.restartedAt);
      expect(after[annotation]).not.toBe(before[annotation]);
      expect(status).toMatchObject({ status: 'complete', readyReplicas: 2, timedOut: false });
    });

    it('scales a deployment up, and down to nothing', async () => {
      await itemsOf(world(), { ...onWeb, operation: 'scale', replicas: 3 });
      expect((await spec()).replicas).toBe(3);

      const [stopped] = await itemsOf(world(), { ...onWeb, operation: 'scale', replicas: 0 });
      expect(stopped).toMatchObject({ name: 'web', replicas: 0 });
      expect((await spec()).replicas).toBe(0);

      await itemsOf(world(), { ...onWeb, operation: 'scale', replicas: 1 });
      expect(await rolledOut()).toMatchObject({ status: 'complete' });
    });

    it('sets the image of a deployment', async () => {
      const [changed] = await itemsOf(world(), { ...onWeb, operation: 'setImage', image: 'nginx:1.29.1' });

      expect(changed).toMatchObject({ container: 'nginx', previousImage: 'nginx:1.29.0', image: 'nginx:1.29.1' });
      expect((await spec()).template.spec.containers).toMatchObject([{ name: 'nginx', image: 'nginx:1.29.1' }]);
      expect(await rolledOut()).toMatchObject({ status: 'complete' });
    });

    it('creates a job from YAML and waits for it with its logs', async () => {
      const manifest = [
        'apiVersion: batch/v1',
        'kind: Job',
        'metadata: { generateName: count- }',
        'spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: busybox }] } } }',
      ].join('\n');

      const job = { resource: 'job', namespace: byName(LAB) };
      const [created] = await itemsOf(world(), { ...job, operation: 'create', definition: 'manifest', manifest });
      const name = created?.name as string;
      const [done] = await itemsOf(world(), { ...job, operation: 'wait', name: byName(name), timeoutSeconds: 60 });

      expect(name).toMatch(/^count-/);
      expect(done).toMatchObject({ name, result: 'complete', succeeded: 1 });
      expect(done?.logs).toMatchObject([
        { container: 'main', logs: expect.stringContaining('GET /items/1 ') as unknown },
      ]);
      expect((await world().cluster.api.get(`/apis/batch/v1/namespaces/${LAB}/jobs/${name}`)).status).toMatchObject({
        succeeded: 1,
      });
    });

    it('deletes a pod, and its deployment makes another', async () => {
      const { cluster } = world();
      const path = `/api/v1/namespaces/${LAB}/pods`;
      const [pod] = await cluster.api.items(`${path}?labelSelector=app=web`);
      const name = pod?.metadata.name ?? '';

      const [deleted] = await itemsOf(world(), {
        resource: 'pod',
        operation: 'delete',
        namespace: byName(LAB),
        name: byName(name),
      });

      expect(deleted).toMatchObject({ deleted: true });
      await cluster.api.until(`${path}/${name}`, (object) => object === undefined);
      expect(await rolledOut()).toMatchObject({ status: 'complete', readyReplicas: 1 });
    });

    it('reads services, warning events, namespaces and the version', async () => {
      const services = await itemsOf(world(), { resource: 'service', operation: 'getAll', namespace: byName(SHOP) });
      expect(new Set(services.map(({ name }) => name))).toEqual(new Set(['api', 'web']));

      const events = await itemsOf(world(), {
        resource: 'event',
        operation: 'getAll',
        namespace: byName(SHOP),
        type: 'Warning',
      });
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'Warning', reason: 'FailedScheduling', object: 'Pod/search-index' }),
      );

      const [namespace] = await itemsOf(world(), { resource: 'namespace', operation: 'get', name: byName(LAB) });
      expect(namespace).toMatchObject({ name: LAB, status: 'Active' });

      const [version] = await itemsOf(world(), { resource: 'cluster', operation: 'getVersion' });
      expect(version).toMatchObject({ gitVersion: 'v1.37.2' });
    });

    it('reviews the rights of the credential, with the role that adds the missing ones', async () => {
      const right = [
        { verb: 'list', resource: 'pods' },
        { verb: 'create', resource: 'deployments.apps' },
      ];

      const [review] = await itemsOf(world(), {
        resource: 'access',
        operation: 'review',
        namespace: byName(SHOP),
        review: 'rights',
        rights: { right },
      });

      expect(review).toMatchObject({
        allowed: false,
        granted: [`list pods in ${SHOP}`],
        missing: [`create deployments.apps in ${SHOP}`],
      });
      expect(load(review?.roleToAdd as string)).toMatchObject({ kind: 'Role' });
    });

    it('acts in the namespace of the credential when none is chosen, and once for each item', async () => {
      const { n8n, credential } = world();
      const names = ['web', 'api'].map((name) => ({ name }));
      const list = {
        name: 'Names',
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        parameters: { mode: 'raw', jsonOutput: JSON.stringify({ names }), options: {} },
      };
      const split = {
        name: 'Split',
        type: 'n8n-nodes-base.splitOut',
        typeVersion: 1,
        parameters: { fieldToSplitOut: 'names', options: {} },
      };
      const get = kubernetes(
        { credential },
        { resource: 'deployment', operation: 'get', name: byName('={{ $json.name }}') },
      );

      const execution = await n8n.runOnce(chain('each item', [list, split, get]));

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(
        execution.items('Kubernetes').map(({ json, pairedItem }) => [json.namespace, json.name, pairedItem]),
      ).toEqual([
        [SHOP, 'web', { item: 0 }],
        [SHOP, 'api', { item: 1 }],
      ]);
    });
  });
}
