import { expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { RESOURCE_DESCRIPTIONS } from '../../../nodes/NavinComponent/actions';
import { installComponents } from '../../../operator/src/testing/testOperator';
import { credentialFor, useTestCluster } from '../testing/cluster';
import { execute, named } from '../testing/context';

const test = useTestCluster('component-rights');
const OPERATIONS = RESOURCE_DESCRIPTIONS.flatMap(({ operations }) => operations);
/** Waits a moment, so that the rights of waiting are used, too; nobody confirms anything here. */
const WAIT = { wait: true, timeoutSeconds: 1, onFailure: 'output' };
const GIVEN: Readonly<Record<string, IDataObject>> = {
  configure: { version: '1.2.0' },
  install: { chartPath: 'web' },
  scale: { replicas: 2 },
};

it('each operation needs exactly the rights it names', async () => {
  const { cluster, namespace } = test();
  const client = clusterClient(cluster, { namespace });
  const components = await installComponents(client);
  let made = 0;
  const run = async (operation: string, verbs: readonly string[]): Promise<unknown> => {
    made += 1;
    const name = `web-${String(made)}`;
    const desiredState = operation === 'start' ? 'Stopped' : 'Running';
    const spec = { source: { chart: { path: 'web' } }, desiredState };
    const body = { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name }, spec };
    if (operation !== 'install') await client.create(components, {}, body);
    const rule = { apiGroups: ['platform.navin.ai'], resources: ['managedcomponents'], verbs: [...verbs] };
    const credential = await credentialFor(cluster, { namespace, rules: verbs.length === 0 ? [] : [rule] });
    const which = operation === 'getAll' ? {} : { name: operation === 'install' ? name : named(name) };
    const parameters = { resource: 'component', operation, ...which, ...WAIT, ...GIVEN[operation] };
    return await execute({ credential, parameters });
  };
  const prove = async (operation: string, verbs: readonly string[]): Promise<void> => {
    expect([operation, await run(operation, verbs)]).toEqual([operation, expect.arrayContaining([expect.anything()])]);
    for (const verb of verbs) {
      const others = verbs.filter((other) => other !== verb);
      const forbidden = { context: { code: 'k8s_forbidden', details: { verb } } };
      await expect(run(operation, others)).rejects.toMatchObject(forbidden);
    }
  };
  await Promise.all(
    OPERATIONS.map(({ value, rights }) =>
      prove(
        value,
        rights.map(({ verb }) => verb),
      ),
    ),
  );
  client.close();
});
