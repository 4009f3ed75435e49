import { beforeAll, expect, it } from '@jest/globals';
import { installDefinition } from '../../../core/components/testing/definition';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import type { ServerObject } from '../../cluster';
import { sharedCluster } from '../../cluster/jest';
import { Watcher } from './watcher';

const cluster = sharedCluster();
const labels = { app: 'web' };
const NUMBERS = { current: 3, updated: 3, ready: 3, available: 3 };
let namespace: string;

beforeAll(async () => {
  await installDefinition(clusterClient(cluster()));
  namespace = await cluster().freshNamespace('watched');
}, 600_000);

/** An operator that does as it is told, well or badly. */
class Puppet {
  private readonly component: string;

  constructor(private readonly uid: string) {
    this.component = `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents/web`;
  }

  static async create(spec: object): Promise<Puppet> {
    const path = `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents`;
    const head = { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name: 'web' } };
    const { metadata } = await cluster().api.create(path, { ...head, spec });
    return new Puppet(metadata.uid);
  }

  async says(status: object): Promise<void> {
    const inventory = ['Deployment/web', 'PodDisruptionBudget/web-deployment'].map((each) => {
      const [kind, name] = each.split('/');
      return { group: '', version: 'v1', kind, name };
    });
    const object = await cluster().api.get(this.component);
    const at = '2026-01-01T10:00:00Z';
    const said = {
      observedGeneration: object.metadata.generation,
      inventory,
      operation: { type: 'install', key: 'k', startedAt: at },
      ...status,
    };
    await cluster().api.expect('PUT', `${this.component}/status`, { body: { ...object, status: said } });
  }

  /** All is well, with so many Pods. */
  async praises(desired: number, numbers: object = NUMBERS): Promise<void> {
    const workload = { kind: 'Deployment', name: 'web', state: 'started', health: 'ok', complete: true, required: 2 };
    await this.says({
      ...{ state: 'started', health: 'ok', operationState: 'succeeded', converged: true },
      workloads: [{ ...workload, desired, changedAt: '2026-01-01T10:00:00Z', ...numbers }],
    });
  }

  async makes(group: string, kind: string, name: string, spec: object): Promise<ServerObject> {
    const owner = { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', name: 'web', uid: this.uid };
    const metadata = { name, ownerReferences: [{ ...owner, controller: true }] };
    const path = `${group}/namespaces/${namespace}/${kind.toLowerCase()}s`;
    return cluster().api.create(path, { kind, apiVersion: group.replace(/^\/apis?\//, ''), metadata, ...spec });
  }

  async vanishes(): Promise<void> {
    await cluster().api.delete(this.component, { propagationPolicy: 'Background' });
  }
}

it('finds on a real cluster what a bad operator does, and nothing while it is a good one', async () => {
  const { api } = cluster();
  const watcher = await Watcher.start(api, { namespace, needles: ['hunter2'] });
  const rules = async (): Promise<readonly string[]> => {
    const { wrong } = await watcher.verdict();
    return wrong.map(({ rule, what }) => `${rule}: ${what.replace(/web-[a-z0-9]+-[a-z0-9]+/, 'a Pod')}`);
  };
  const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  const isUp = (count: number) => (object: { status?: { availableReplicas?: number } } | undefined) =>
    object?.status?.availableReplicas === count;

  const puppet = await Puppet.create({ source: { chart: { path: 'web' } }, pdb: { minAvailable: 2 } });
  await puppet.says({ state: 'installing', operationState: 'running' });
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  const budget = { minAvailable: 2, selector: { matchLabels: labels } };
  await puppet.makes('/apis/policy/v1', 'PodDisruptionBudget', 'web-deployment', { spec: budget });
  await puppet.makes('/apis/apps/v1', 'Deployment', 'web', {
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  });
  await api.until(deployment, isUp(3));
  await puppet.praises(3);
  expect(await rules()).toEqual([]);

  // It claims replicas that are not there yet, and what a Secret holds.
  await api.patch(deployment, { spec: { replicas: 5 } });
  await puppet.praises(5, { current: 5, updated: 5, ready: 5, available: 4 });
  await api.until(deployment, isUp(5));
  await puppet.says({ state: 'started', security: { reason: 'InlineSecret', message: 'it is hunter2' } });
  expect(await rules()).toEqual([
    expect.stringMatching(
      /^claim: Deployment\/web is said to have desired 5, current 5, updated 5, ready 5, available 4; it had/,
    ),
    'secret: the status holds the secret 1',
  ]);
  const before = (await rules()).length;

  // It ends more Pods than the budget allows.
  await api.patch(deployment, { spec: { replicas: 1 } });
  await api.until(deployment, isUp(1));
  // It makes what it has not listed, and touches what is not its own.
  const foreign = `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;
  await watcher.guard(foreign);
  await puppet.makes('/api/v1', 'ConfigMap', 'stray', {});
  await api.patch(foreign, { metadata: { labels: { mine: 'now' } } });
  // It throws storage away, and goes without its objects.
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const set = {
    replicas: 1,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    volumeClaimTemplates: [claim],
  };
  const pods = { metadata: { labels: { app: 'db' } }, spec: template.spec };
  await puppet.makes('/apis/apps/v1', 'StatefulSet', 'db', { spec: { ...set, template: pods } });
  const volume = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/data-db-0`;
  await api.until(volume, (object) => object !== undefined);
  await api.delete(volume);
  await puppet.vanishes();
  await api.until(
    `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents/web`,
    (object) => object === undefined,
  );

  expect((await rules()).slice(before).sort()).toEqual([
    'budget: Deployment/web had 1 ready Pods, and its budget requires 2: a Pod was ended',
    `foreign: ${foreign} was changed`,
    ...['ConfigMap/stray', 'Deployment/web'].map((each) => `left: ${each} was still there when the component went`),
    expect.stringMatching(/^left: Pod\/(a Pod|db-0) was still there/),
    expect.stringMatching(/^left: Pod\/(a Pod|db-0) was still there/),
    ...['PodDisruptionBudget/web-deployment', 'StatefulSet/db'].map(
      (each) => `left: ${each} was still there when the component went`,
    ),
    'storage: PersistentVolumeClaim/data-db-0 was to be kept, and was deleted',
    ...['ConfigMap/stray', 'StatefulSet/db'].map((each) => `unlisted: ${each} was made before the inventory had it`),
  ]);
  await watcher.stop();
}, 120_000);
