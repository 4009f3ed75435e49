import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ComponentSpec, ManagedComponent } from '../../../core/components';
import { RESOURCES, type ApiResource, type KubeClient } from '../../../core/kube';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { eventually } from '../../../test/cluster';
import { sharedCluster } from '../../../test/cluster/jest';
import { eventLines, installComponents, startTestOperator, type TestOperator } from '../testing/testOperator';

const cluster = sharedCluster();
const lines: string[] = [];
let namespace: string;
let client: KubeClient;
let components: ApiResource;
let operator: TestOperator;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('operated');
  client = clusterClient(cluster(), { namespace });
  components = await installComponents(client);
  operator = await startTestOperator(cluster(), { namespaces: [namespace], events: eventLines(lines) });
}, 600_000);

afterAll(async () => {
  await operator.stop();
});

async function create(name: string, spec: ComponentSpec): Promise<void> {
  const apiVersion = 'platform.navin.ai/v1alpha1';
  await client.create(components, {}, { apiVersion, kind: 'ManagedComponent', metadata: { name }, spec });
}

async function until(name: string, holds: (component: ManagedComponent) => boolean, what: string): Promise<void> {
  let last: ManagedComponent | undefined;
  const look = async (): Promise<boolean> => {
    last = (await client.get(components, { name })) as ManagedComponent;
    return holds(last);
  };
  await eventually(look, what, 60_000, () => `${JSON.stringify(last?.status, undefined, 1)}\n${lines.join('\n')}`);
}

function converged({ metadata, status }: ManagedComponent): boolean {
  return status?.converged === true && status.observedGeneration === metadata.generation;
}

it('a component is installed, changed, and removed', async () => {
  await create('web', { source: { chart: { path: 'web' } }, pdb: { minAvailable: 1 }, replicas: 2 });
  await until('web', converged, 'the installation');
  await client.patch(components, { name: 'web' }, { type: 'merge', body: { spec: { values: { greeting: 'Hi' } } } });
  await until(
    'web',
    (component) => converged(component) && component.status?.operation?.type === 'configure',
    'the change',
  );
  await client.delete(components, { name: 'web' });
  await eventually(
    async () => (await client.list(components, { namespace })).items.length === 0,
    'the removal',
    60_000,
    () => lines.join('\n'),
  );
  const left = await client.list(RESOURCES.deployments, { namespace });
  expect(left.items).toEqual([]);
  const key = `${namespace}/web`;
  const told = (line: string): number => lines.filter((each) => each === line).length;
  await eventually(() => Promise.resolve(told(`${key} is gone`) > 0), 'the end', 10_000);
  // Each thing is done once, and told once.
  const once = ['addFinalizer', 'delete Deployment/web', 'delete ConfigMap/web', 'removeFinalizer'];
  expect(once.map((step) => told(`${key} ${step} done`))).toEqual([1, 1, 1, 1]);
  expect(told(`${key} is gone`)).toBe(1);
  expect(lines.filter((line) => line.includes('failed') || line.includes('stale'))).toEqual([]);
}, 300_000);
