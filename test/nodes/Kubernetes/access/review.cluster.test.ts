import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('access');
const PARAMETERS = { resource: 'access', operation: 'review' };
const READ = [
  { apiGroups: [''], resources: ['pods', 'services', 'events'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['get', 'list'] },
  { apiGroups: ['apps'], resources: ['replicasets', 'controllerrevisions'], verbs: ['list'] },
];

describe('Access: Review Rights', () => {
  it('says that every right of a group is there', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace, rules: READ });
    const [review] = await outputOf({ credential, parameters: PARAMETERS });
    expect(review).toMatchObject({ namespace, allowed: true, missing: [] });
    expect(review?.granted).toEqual(
      expect.arrayContaining([
        `get pods in ${namespace}`,
        `get pods/log in ${namespace}`,
        `list deployments.apps in ${namespace}`,
      ]),
    );
    expect(review).not.toHaveProperty('roleToAdd');
  });

  // carvel kapp#71; k9s#268; lens#1898, #1961
  it('names what is missing with a Role that makes it work when it is applied', async () => {
    const { cluster, namespace } = test();
    const { token, name } = await cluster.serviceAccount({ namespace, rules: READ });
    const credential = {
      authentication: 'token',
      apiServer: cluster.server,
      ca: cluster.caPem,
      token,
      namespace,
    };
    const parameters = { ...PARAMETERS, groups: ['read', 'workloads', 'jobs'] };
    const [review] = await outputOf({ credential, parameters });
    expect(review).toMatchObject({
      allowed: false,
      missing: expect.arrayContaining([
        `patch deployments.apps in ${namespace}`,
        `patch deployments.apps/scale in ${namespace}`,
        `create jobs.batch in ${namespace}`,
      ]),
    });
    await cluster.apply(review?.roleToAdd as string);
    await cluster.kubectl([
      'create',
      'rolebinding',
      'added',
      '--role=navin',
      `--serviceaccount=${namespace}:${name}`,
      `--namespace=${namespace}`,
    ]);
    expect(await outputOf({ credential, parameters })).toMatchObject([{ allowed: true, missing: [] }]);
  });

  it('reviews single rights by kind, plural, short name, subresource and name', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['web'], verbs: ['get'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const rights = {
      right: [
        { verb: 'get', resource: 'Deployment', name: 'web' },
        { verb: ' GET ', resource: 'deploy', name: 'api' },
        { verb: 'get', resource: 'pods', subresource: 'log' },
        { verb: '*', resource: '*' },
        { verb: 'list', resource: 'nodes' },
      ],
    };
    const [review] = await outputOf({ credential, parameters: { ...PARAMETERS, review: 'rights', rights } });
    expect(review).toMatchObject({
      granted: [`get deployments.apps web in ${namespace}`],
      missing: [
        `get deployments.apps api in ${namespace}`,
        `get pods/log in ${namespace}`,
        `* *.* in ${namespace}`,
        'list nodes in all namespaces',
      ],
    });
  });

  it('reviews rights in all namespaces', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, namespace: named('*'), groups: ['read', 'cluster'] };
    const [review] = await outputOf({ credential, parameters });
    expect(review).toMatchObject({ allowed: true, namespace: '*' });
    expect(review?.granted).toContain('list pods in all namespaces');
  });

  it('says which resource the cluster does not have', async () => {
    const { credential } = test();
    const rights = { right: [{ verb: 'get', resource: 'deploymint' }] };
    await expect(
      execute({ credential, parameters: { ...PARAMETERS, review: 'rights', rights } }),
    ).rejects.toMatchObject({ context: { code: 'k8s_not_found', details: { missing: 'kind' } } });
  });
});
