import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../core/kube';
import { readManifest } from '../../../core/manifest';
import type { ApiRequestOptions } from '../../../test/cluster';
import { sharedCluster } from '../../../test/cluster/jest';
import { manifestFiles } from '.';
import { Installation, type Subject } from './testing/installation';

const cluster = sharedCluster();
const MANAGER: Subject = { user: 'navin-manager', groups: ['system:authenticated'] };
const AS_MANAGER = { headers: { 'impersonate-user': 'navin-manager', 'impersonate-group': 'system:authenticated' } };
const OBJECTS = 'create delete get list patch update watch';
let installation: Installation;
let elsewhere: string;
let asOperator: { readonly token: string };
let stranger: string;

beforeAll(async () => {
  installation = await Installation.begin(cluster());
  elsewhere = await cluster().freshNamespace('elsewhere');
  await installation.apply('crd/platform.navin.ai_managedcomponents.yaml', 'namespace.yaml');
  await installation.apply('rbac/service_account.yaml', 'rbac/role.yaml', 'rbac/role_binding.yaml');
  await installation.apply('rbac/leader_election.yaml', 'rbac/manager_access.yaml', 'manager/manager.yaml');
  asOperator = { token: await installation.token() };
  stranger = (await cluster().serviceAccount({ namespace: elsewhere })).token;
}, 120_000);

afterAll(async () => {
  await installation.remove();
  await cluster().api.delete(`/api/v1/namespaces/${elsewhere}`);
});

interface Rules {
  readonly status: {
    readonly incomplete: boolean;
    readonly resourceRules: readonly {
      readonly verbs: readonly string[];
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly resourceNames?: readonly string[];
    }[];
  };
}

/** What somebody may do with resources in a namespace that a ServiceAccount without any rights may not. */
async function rightsIn(namespace: string, who: ApiRequestOptions): Promise<Readonly<Record<string, string>>> {
  const [all, usual] = [await everythingIn(namespace, who), await everythingIn(namespace, { token: stranger })];
  return Object.fromEntries(Object.entries(all).filter(([what, verbs]) => usual[what] !== verbs));
}

/** As the API server itself lists it. */
async function everythingIn(namespace: string, who: ApiRequestOptions): Promise<Readonly<Record<string, string>>> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { status } = await cluster().api.expect<Rules>('POST', path, { ...who, body: { spec: { namespace } } });
  const { incomplete, resourceRules } = status;
  expect(incomplete).toBe(false);
  const verbs = new Map<string, Set<string>>();
  for (const rule of resourceRules) {
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const names = rule.resourceNames === undefined ? '' : ` ${rule.resourceNames.join(' or ')}`;
        const key = `${resource}${group === '' ? '' : `.${group}`}${names}`;
        verbs.set(key, new Set([...(verbs.get(key) ?? []), ...rule.verbs]));
      }
    }
  }
  return Object.fromEntries([...verbs].map(([key, set]) => [key, [...set].sort().join(' ')]));
}

async function allows({ user, groups }: Subject, verb: string, what: string, namespace?: string): Promise<boolean> {
  const [resource = '', ...group] = (what.split('/')[0] ?? '').split('.');
  const [, subresource = ''] = what.split('/');
  const resourceAttributes = { verb, resource, subresource, group: group.join('.'), namespace };
  const { status } = await cluster().api.create<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    { spec: { user, groups, resourceAttributes } },
  );
  return status.allowed;
}

describe('the operator', () => {
  it('may do in a managed namespace what its table says, and nothing else', async () => {
    expect(await rightsIn(installation.managed, asOperator)).toEqual({
      'managedcomponents.platform.navin.ai': 'get list patch update watch',
      'managedcomponents/status.platform.navin.ai': 'update',
      'managedcomponents/finalizers.platform.navin.ai': 'update',
      'deployments.apps': OBJECTS,
      'statefulsets.apps': OBJECTS,
      configmaps: OBJECTS,
      services: OBJECTS,
      serviceaccounts: OBJECTS,
      persistentvolumeclaims: OBJECTS,
      'networkpolicies.networking.k8s.io': OBJECTS,
      'ingresses.networking.k8s.io': OBJECTS,
      'poddisruptionbudgets.policy': OBJECTS,
      'horizontalpodautoscalers.autoscaling': OBJECTS,
      'scaledobjects.keda.sh': OBJECTS,
      secrets: 'get',
    });
  });

  it('may use one Lease in its own namespace, and do nothing anywhere else', async () => {
    expect(await rightsIn(installation.own, asOperator)).toEqual({
      'leases.coordination.k8s.io': 'create',
      'leases.coordination.k8s.io navin-operator': 'get update',
    });
    for (const namespace of [elsewhere, 'default', 'kube-system']) {
      expect(await rightsIn(namespace, asOperator)).toEqual({});
    }
  });

  it('may neither run anything by hand, nor read more, nor give itself rights', async () => {
    const { operator, managed } = installation;
    const refused = [
      ...['list', 'watch', 'create', 'update', 'patch', 'delete'].map((verb) => `${verb} secrets`),
      ...['get', 'list', 'create', 'delete'].map((verb) => `${verb} pods`),
      ...['create pods/exec', 'create pods/attach', 'create pods/portforward', 'get pods/log', 'create pods/eviction'],
      ...['get', 'update', 'patch'].map((verb) => `${verb} deployments.apps/scale`),
      ...['create jobs.batch', 'create daemonsets.apps', 'list replicasets.apps', 'create events', 'list events'],
      ...['create serviceaccounts/token', 'impersonate serviceaccounts', 'deletecollection deployments.apps'],
      ...['create managedcomponents.platform.navin.ai', 'delete managedcomponents.platform.navin.ai'],
      ...['patch managedcomponents.platform.navin.ai/status', 'get leases.coordination.k8s.io'],
      ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].flatMap((kind) =>
        ['get', 'create', 'update', 'bind', 'escalate'].map((verb) => `${verb} ${kind}.rbac.authorization.k8s.io`),
      ),
    ];
    for (const text of refused) {
      const [verb = '', what = ''] = text.split(' ');
      expect([text, await allows(operator, verb, what, managed)]).toEqual([text, false]);
    }
    const everywhere = [
      ...['get namespaces', 'list namespaces', 'delete namespaces', 'list nodes', 'list persistentvolumes'],
      ...['get secrets', 'list deployments.apps', 'watch deployments.apps', 'list managedcomponents.platform.navin.ai'],
      ...[
        'get customresourcedefinitions.apiextensions.k8s.io',
        'create customresourcedefinitions.apiextensions.k8s.io',
      ],
      ...['list storageclasses.storage.k8s.io', 'create validatingwebhookconfigurations.admissionregistration.k8s.io'],
    ];
    for (const text of everywhere) {
      const [verb = '', what = ''] = text.split(' ');
      expect([text, await allows(operator, verb, what)]).toEqual([text, false]);
    }
  });
});

describe('the manager', () => {
  it('may write components of the registered namespace, and do nothing else in it', async () => {
    const seen = {
      nodes: 'get list',
      'storageclasses.storage.k8s.io': 'get list',
      'ingressclasses.networking.k8s.io': 'get list',
    };
    expect(await rightsIn(installation.managed, AS_MANAGER)).toEqual({
      ...seen,
      'managedcomponents.platform.navin.ai': 'create delete get list patch watch',
    });
    expect(await rightsIn(elsewhere, AS_MANAGER)).toEqual(seen);
    expect(await rightsIn('kube-system', AS_MANAGER)).toEqual({
      ...seen,
      'deployments.apps coredns or rke2-coredns-rke2-coredns': 'get',
    });
  });

  it('may write neither status nor what belongs to the administrator', async () => {
    const refused = [
      ...['update', 'patch'].map((verb) => `${verb} managedcomponents.platform.navin.ai/status`),
      ...['get secrets', 'list secrets', 'create secrets', 'create pods/exec', 'create pods/eviction', 'list pods'],
      ...['create deployments.apps', 'patch deployments.apps', 'create rolebindings.rbac.authorization.k8s.io'],
      ...['create namespaces', 'delete namespaces', 'patch nodes', 'delete nodes'],
      ...['create customresourcedefinitions.apiextensions.k8s.io', 'create clusterroles.rbac.authorization.k8s.io'],
    ];
    for (const text of refused) {
      const [verb = '', what = ''] = text.split(' ');
      expect([text, await allows(MANAGER, verb, what, installation.managed)]).toEqual([text, false]);
    }
  });
});

describe("the operator's own namespace", () => {
  it('takes its Pods, and none with more rights', async () => {
    const { own } = installation;
    const deployment = await cluster().api.until<{ status: { availableReplicas?: number } }>(
      `/apis/apps/v1/namespaces/${own}/deployments/navin-operator`,
      (found) => found?.status.availableReplicas === 2,
    );
    expect(deployment?.status.availableReplicas).toBe(2);
    const pod = { metadata: { name: 'plain' }, spec: { containers: [{ name: 'plain', image: 'nginx' }] } };
    const answer = await cluster().request('POST', `/api/v1/namespaces/${own}/pods?dryRun=All`, { body: pod });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('violates PodSecurity')]);
  });

  it('keeps one replica while a node is drained', async () => {
    const { own } = installation;
    const budget = await cluster().api.until<{ status: { disruptionsAllowed: number } }>(
      `/apis/policy/v1/namespaces/${own}/poddisruptionbudgets/navin-operator`,
      (found) => found?.status.disruptionsAllowed === 1,
    );
    expect(budget?.status.disruptionsAllowed).toBe(1);
  });
});

it('`kubectl apply -k` is the same as the files, without what only a manager needs', async () => {
  const folder = join(__dirname, '../../config');
  const applied = documents(await cluster().kubectl(['kustomize', folder]));
  const files = Object.keys(manifestFiles())
    .filter((path) => !['kustomization.yaml', 'rbac/manager_access.yaml'].includes(path))
    .concat('crd/platform.navin.ai_managedcomponents.yaml')
    .map((path) => documents(readFileSync(join(folder, path), 'utf8')));
  expect(applied).toEqual(Object.assign({}, ...files));
});

function documents(yaml: string): Readonly<Record<string, KubeObject>> {
  const objects = readManifest(yaml) as readonly KubeObject[];
  return Object.fromEntries(objects.map((object) => [`${object.kind ?? ''}/${object.metadata.name ?? ''}`, object]));
}
