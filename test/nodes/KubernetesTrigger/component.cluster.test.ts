import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import type { IDataObject, ITriggerResponse } from 'n8n-workflow';
import { useCluster } from '../../cluster/jest';
import { useTestCluster } from '../testing/cluster';
import { execute, named } from '../testing/context';
import { TriggerHost, type TriggerSetup } from '../testing/triggerHost';

/** A cluster of its own: another file that installs the definition must not be met by a test that needs it missing. */
const test = useTestCluster('component', useCluster({ nodes: 0 }));
const DEFINITION = join(__dirname, '../../../operator/config/crd/platform.navin.ai_managedcomponents.yaml');
const active: ITriggerResponse[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(active.splice(0).map(async ({ closeFunction }) => await closeFunction?.()));
});

/** Triggers On "Managed Component Changed": looks at once, and watches without pause. */
async function watching(dimensions: readonly string[]): Promise<TriggerHost> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const parameters = { triggerOn: 'component', dimensions, options: { interval: 15, window: 15 } };
  const setup: TriggerSetup = { parameters, credential: test().credential };
  const host = new TriggerHost();
  active.push(await host.activate(setup));
  return host;
}

function changes({ executions }: TriggerHost): unknown[] {
  return executions.map(({ items }) => items.map(({ type, name, changed }) => ({ type, name, changed })));
}

it('says at the activation that the cluster has no ManagedComponents', async () => {
  await expect(watching(['health'])).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The cluster serves no resource "managedcomponents\.platform\.navin\.ai"\. .*a CustomResourceDefinition may be missing/,
    ),
    context: { code: 'k8s_not_found' },
  });
});

it('says so in the node, too, and how they get there', async () => {
  const { credential } = test();
  for (const operation of ['getAll', 'get', 'install', 'stop']) {
    const name = operation === 'install' ? 'web' : named('web');
    const parameters = {
      resource: 'component',
      operation,
      chartPath: 'web',
      ...(operation === 'getAll' ? {} : { name }),
    };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The cluster does not know ManagedComponents: their definition is missing',
      description: expect.stringContaining('installs the Navin Platform Operator'),
      context: { code: 'k8s_not_found' },
    });
  }
});

it('tells each change of a chosen dimension of a component once, with its value before and after, and no other', async () => {
  const { cluster, namespace } = test();
  await cluster.apply(readFileSync(DEFINITION, 'utf8'));
  const components = `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents`;
  await cluster.api.until(components, (list) => list !== undefined);
  const all = await watching(['state', 'health', 'operation', 'security', 'convergence']);
  const health = await watching(['health']);

  await cluster.api.create(components, {
    apiVersion: 'platform.navin.ai/v1alpha1',
    kind: 'ManagedComponent',
    metadata: { name: 'web' },
    spec: { source: { chart: { path: 'web-1.2.0.tgz' } } },
  });
  const report = async (status: IDataObject): Promise<unknown> =>
    await cluster.api.patch(`${components}/web/status`, { status });
  await report({
    state: 'starting',
    health: 'unknown',
    operationState: 'running',
    securityState: 'unknown',
    converged: false,
  });
  await report({ observedGeneration: 1 });
  await cluster.api.patch(`${components}/web`, { spec: { maintenance: true } });
  await report({ state: 'started' });
  await report({ health: 'ok' });
  await report({ operationState: 'succeeded' });
  await report({ securityState: 'compliant' });
  await report({ converged: true });
  await report({ health: 'warning' });

  await Promise.all([all.until(7), health.until(3)]);
  const told = (...changed: readonly IDataObject[]): unknown => [{ type: 'modified', name: 'web', changed }];
  expect(changes(all)).toEqual([
    told(
      { path: 'status.state', current: 'starting' },
      { path: 'status.health', current: 'unknown' },
      { path: 'status.operationState', current: 'running' },
      { path: 'status.securityState', current: 'unknown' },
      { path: 'status.converged', current: false },
    ),
    told({ path: 'status.state', previous: 'starting', current: 'started' }),
    told({ path: 'status.health', previous: 'unknown', current: 'ok' }),
    told({ path: 'status.operationState', previous: 'running', current: 'succeeded' }),
    told({ path: 'status.securityState', previous: 'unknown', current: 'compliant' }),
    told({ path: 'status.converged', previous: false, current: true }),
    told({ path: 'status.health', previous: 'ok', current: 'warning' }),
  ]);
  const dimensions = ({ executions }: TriggerHost): unknown =>
    executions.map(({ items }) => items.map(({ before, after, object }) => ({ before, after, object }))).at(-1);
  const after = {
    state: 'started',
    health: 'warning',
    operationState: 'succeeded',
    securityState: 'compliant',
    converged: true,
  };
  // The status is of the spec before the maintenance: converged it is not.
  const shown: unknown = expect.objectContaining({ ...after, name: 'web', observed: false, converged: false });
  for (const host of [all, health]) {
    expect(dimensions(host)).toEqual([{ before: { ...after, health: 'ok' }, after, object: shown }]);
  }
  expect(changes(health)).toEqual([
    told({ path: 'status.health', current: 'unknown' }),
    told({ path: 'status.health', previous: 'unknown', current: 'ok' }),
    told({ path: 'status.health', previous: 'ok', current: 'warning' }),
  ]);
});
