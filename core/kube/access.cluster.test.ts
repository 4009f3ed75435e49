import { beforeAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { sharedCluster } from '../../test/cluster/jest';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { rolesYaml } from './rbac';
import { clusterClient } from './testing/clusterClient';
import { all, errorOf } from './testing/faultClient';

const cluster = sharedCluster();
let namespace: string;
let account: string;
let restricted: KubeClient;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('access');
  const access = await cluster().serviceAccount({
    namespace,
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  });
  account = `system:serviceaccount:${namespace}:${access.name}`;
  restricted = clusterClient(cluster(), { kubeconfig: access.kubeconfig, namespace });
});

describe('a ServiceAccount with few rights', () => {
  it('is known by its name, and reads the version', async () => {
    expect((await restricted.whoAmI()).username).toBe(account);
    expect(await restricted.version()).toMatchObject({ major: 1, gitVersion: expect.stringMatching(/^v1\./) });
  });

  it.each([
    ['get', 'pods', '', undefined, true],
    ['list', 'pods', '', undefined, true],
    ['delete', 'pods', '', undefined, false],
    ['get', 'pods', '', 'log', false],
    ['patch', 'deployments', 'apps', 'scale', false],
  ])('may it %s %s (%s, %s)?', async (verb, resource, group, subresource, allowed) => {
    expect(await restricted.reviewAccess({ verb, resource, group, subresource, namespace })).toMatchObject({ allowed });
  });

  it('may nothing in another namespace', async () => {
    expect(
      await restricted.reviewAccess({ verb: 'get', resource: 'pods', group: '', namespace: 'default' }),
    ).toMatchObject({ allowed: false });
    expect(await restricted.reviewAccess({ verb: 'list', resource: 'pods', group: '' })).toMatchObject({
      allowed: false,
    });
  });

  it('does what it may', async () => {
    expect(await all(restricted.pages(RESOURCES.pods, { namespace }))).toHaveLength(1);
  });

  it('is told exactly the right that is missing', async () => {
    const attempts = [
      [
        () => restricted.delete(RESOURCES.pods, { name: 'a' }),
        { verb: 'delete', group: '', resource: 'pods', subresource: null },
      ],
      [
        () => restricted.list(RESOURCES.deployments, { namespace }),
        { verb: 'list', group: 'apps', resource: 'deployments', subresource: null },
      ],
      [
        () => restricted.logs({ namespace, name: 'a' }),
        { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
      ],
      [
        () => restricted.patch(RESOURCES.deployments, { name: 'a', subresource: 'scale' }, { type: 'merge', body: {} }),
        { verb: 'patch', group: 'apps', resource: 'deployments', subresource: 'scale' },
      ],
      [
        () => restricted.create(RESOURCES.jobs, {}, { metadata: { name: 'a' } }),
        { verb: 'create', group: 'batch', resource: 'jobs', subresource: null },
      ],
      [
        () => all(restricted.watch(RESOURCES.pods, { namespace, resourceVersion: '1', timeoutSeconds: 1 })),
        { verb: 'watch', group: '', resource: 'pods', subresource: null },
      ],
    ] as const;
    for (const [attempt, right] of attempts) {
      const error = await errorOf(attempt());
      expect(error.code).toBe('k8s_forbidden');
      expect(error.details).toMatchObject({ ...right, namespace, user: account, httpStatus: 403 });
      expect(error.hint).toContain(`Grant it to "${account}" by a Role and a RoleBinding:`);
    }
  });

  it('needs a ClusterRole for the whole cluster', async () => {
    const error = await errorOf(restricted.list(RESOURCES.pods, { namespace: '*' }));
    expect(error.details).toMatchObject({ verb: 'list', resource: 'pods', namespace: null });
    expect(error.hint).toContain('kind: ClusterRole\n');
    expect((await errorOf(restricted.list(RESOURCES.nodes))).hint).toContain('resources: [nodes]\n    verbs: [list]');
  });

  // carvel kapp#71; k9s#268; lens#1898, #1961
  it('can do it once the rule of the error was applied', async () => {
    const access = await cluster().serviceAccount({ namespace, rules: [] });
    const client = clusterClient(cluster(), { kubeconfig: access.kubeconfig, namespace });
    const error = await errorOf(client.list(RESOURCES.configmaps, { namespace }));
    const role = (error.hint ?? '').slice((error.hint ?? '').indexOf('apiVersion'));
    await cluster().apply(role);
    await cluster().apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: from-the-error, namespace: ${namespace} }
subjects: [{ kind: ServiceAccount, name: ${access.name}, namespace: ${namespace} }]
roleRef: { kind: Role, name: navin, apiGroup: rbac.authorization.k8s.io }
`);
    for (let left = 50; ; left -= 1) {
      const { allowed } = await client.reviewAccess({ verb: 'list', group: '', resource: 'configmaps', namespace });
      if (allowed || left === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await client.list(RESOURCES.configmaps, { namespace })).items.length).toBeGreaterThan(0);
    expect((await errorOf(client.get(RESOURCES.configmaps, { name: 'kube-root-ca.crt' }))).code).toBe('k8s_forbidden');
  });

  it('is refused by a quota in other words than by a missing right', async () => {
    const admin = clusterClient(cluster(), { namespace });
    await admin.create(
      RESOURCES.resourcequotas,
      {},
      { metadata: { name: 'none' }, spec: { hard: { 'count/secrets': '0' } } },
    );
    for (let left = 50; left > 0; left -= 1) {
      const quota = await admin.get(RESOURCES.resourcequotas, { name: 'none' });
      if (JSON.stringify(quota.status ?? {}).includes('count/secrets')) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const error = await errorOf(admin.create(RESOURCES.secrets, {}, { metadata: { name: 'a' } }));
    expect([error.code, error.details.refusedBy]).toEqual(['k8s_forbidden', 'admission']);
    expect(error.hint).not.toContain('kind:');
  });
});

describe('credentials that are not accepted', () => {
  it('a wrong token', async () => {
    const access = await cluster().serviceAccount({ namespace, rules: [] });
    const wrong = access.kubeconfig.replace(/(token: *"?)[^"\s]+/, '$1not.a.token');
    const error = await errorOf(
      clusterClient(cluster(), { kubeconfig: wrong, namespace }).list(RESOURCES.pods, { namespace }),
    );
    expect(error).toMatchObject({ code: 'k8s_unauthorized', httpStatus: 401 });
  });
});

it('rolesYaml is what the API server takes', async () => {
  const yaml = rolesYaml(
    [
      { verb: 'get', group: '', resource: 'pods', namespace },
      { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace },
      { verb: 'patch', group: 'apps', resource: 'deployments', subresource: 'scale', namespace },
    ],
    { name: 'made-here' },
  );
  await cluster().apply(yaml);
  const role = await clusterClient(cluster(), { namespace }).get(RESOURCES.roles, { name: 'made-here' });
  expect(role.rules).toEqual((load(yaml) as { rules: unknown }).rules);
});
