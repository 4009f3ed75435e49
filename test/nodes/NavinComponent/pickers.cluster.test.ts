import { expect, it } from '@jest/globals';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { NavinComponent } from '../../../nodes/NavinComponent/NavinComponent.node';
import { installComponents } from '../../../operator/src/testing/testOperator';
import { credentialFor, useTestCluster } from '../testing/cluster';
import { editorContext } from '../testing/context';

const test = useTestCluster('pickers');
const { listSearch } = new NavinComponent().methods;

/** The editor with a Secret chosen beside the key that is to be picked. */
function editor(rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[], secret = '') {
  const { cluster, namespace } = test();
  return credentialFor(cluster, { namespace, rules: [...rules] }).then((credential): ILoadOptionsFunctions => {
    const context = editorContext({ resource: 'component', operation: 'install' }, credential);
    const getCurrentNodeParameter = (name: string): string => (name === '&secretName' ? secret : '');
    return { ...context, getCurrentNodeParameter } as ILoadOptionsFunctions;
  });
}

it('the editor lists Secrets and their keys without their values, and components by name', async () => {
  const { cluster, namespace } = test();
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  await cluster.api.create(secrets, { metadata: { name: 'created' }, stringData: { password: 'p', 'user.name': 'u' } });
  const applied = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'applied', namespace } };
  const stdin = JSON.stringify({ ...applied, stringData: { token: 't' }, data: { key: 'a2V5' } });
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], { stdin });
  const client = clusterClient(cluster, { namespace });
  const components = await installComponents(client);
  const spec = { source: { chart: { path: 'web' } } };
  await client.create(
    components,
    {},
    { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name: 'shop' }, spec },
  );
  client.close();

  const lists = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }];
  const named = await listSearch.searchSecrets.call(await editor(lists));
  expect(named.results.map(({ value }) => value)).toEqual(expect.arrayContaining(['applied', 'created']));
  const keysOf = async (secret: string, filter?: string): Promise<unknown> =>
    (await listSearch.searchSecretKeys.call(await editor(lists, secret), filter)).results.map(({ value }) => value);
  expect(await keysOf('created')).toEqual(['password', 'user.name']);
  expect(await keysOf('created', 'USER')).toEqual(['user.name']);
  expect(await keysOf('applied')).toEqual(['key', 'token']);
  expect(await keysOf('none,metadata.name=created')).toEqual([]);
  await expect(keysOf('')).rejects.toMatchObject({ context: { code: 'k8s_parameter_invalid' } });

  const reads = [{ apiGroups: ['platform.navin.ai'], resources: ['managedcomponents'], verbs: ['list'] }];
  const found = await listSearch.searchComponents.call(await editor(reads));
  expect(found.results).toEqual([{ name: 'shop', value: 'shop' }]);
  await expect(listSearch.searchSecrets.call(await editor(reads))).rejects.toMatchObject({ httpCode: '403' });
});
