import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPONENT_GROUP, type ManagedComponent } from '../../../core/components';
import { resourceName, type PolicyRule } from '../../../core/kube';
import { eventually, type AuditEvent } from '../../../test/cluster';
import { useCluster } from '../../../test/cluster/jest';
import { eventLines, startTestOperator, type TestOperator } from '../testing/testOperator';
import { leaseRules, operatorRules } from './rights';
import { SCALED_OBJECTS, writeEveryKind } from './testing/everyKind';
import { Installation } from './testing/installation';

/** As on OpenShift: who blocks the deletion of an owner must have the right to set its finalizers. */
const cluster = useCluster({
  auditLog: true,
  apiServerFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
});
/** What the audit log of the whole life below does not show, and why it stands in the table all the same. */
const UNUSED = [
  // Objects are written by server-side apply and components by merge patches, which are `patch` and `create`.
  ...[
    ...['configmaps', 'persistentvolumeclaims', 'serviceaccounts', 'services', 'deployments.apps', 'statefulsets.apps'],
    ...['horizontalpodautoscalers.autoscaling', 'scaledobjects.keda.sh', 'poddisruptionbudgets.policy'],
    ...['ingresses.networking.k8s.io', 'networkpolicies.networking.k8s.io', 'managedcomponents.platform.navin.ai'],
  ].map((resource) => `update ${resource}`),
  // Kinds that tell nothing of how a component is doing are read one by one.
  ...[
    ...['configmaps', 'persistentvolumeclaims', 'serviceaccounts', 'services', 'scaledobjects.keda.sh'],
    ...['ingresses.networking.k8s.io', 'networkpolicies.networking.k8s.io'],
  ].flatMap((resource) => [`list ${resource}`, `watch ${resource}`]),
  // Asked for by admission, not by a request: see the last test.
  'update managedcomponents/finalizers.platform.navin.ai',
];
const lines: string[] = [];
let installation: Installation;
let operator: TestOperator;
let chartsDir: string;
let component: string;

beforeAll(async () => {
  installation = await Installation.begin(cluster());
  const { managed, own } = installation;
  await installation.apply('crd/platform.navin.ai_managedcomponents.yaml', 'namespace.yaml');
  await installation.apply('rbac/service_account.yaml', 'rbac/role.yaml', 'rbac/role_binding.yaml');
  await installation.apply('rbac/leader_election.yaml');
  await cluster().api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', SCALED_OBJECTS);
  const secrets = `/api/v1/namespaces/${managed}/secrets`;
  await cluster().api.create(secrets, { metadata: { name: 'database' }, stringData: { key: 'hush' } });
  chartsDir = mkdtempSync(join(tmpdir(), 'navin-charts-'));
  writeEveryKind(chartsDir);
  component = `/apis/platform.navin.ai/v1alpha1/namespaces/${managed}/managedcomponents/everything`;
  operator = await startTestOperator(cluster(), {
    ...{ namespaces: [managed], leaseNamespace: own, chartsDir, events: eventLines(lines) },
    kubeconfig: await installation.kubeconfig(),
  });
}, 600_000);

afterAll(async () => {
  await operator.stop();
  rmSync(chartsDir, { recursive: true, force: true });
});

async function until(what: string, holds: (component: ManagedComponent | undefined) => boolean): Promise<void> {
  let last: ManagedComponent | undefined;
  const look = async (): Promise<boolean> => {
    const { status, body } = await cluster().request('GET', component);
    last = status === 200 ? (body as ManagedComponent) : undefined;
    return holds(last);
  };
  await eventually(look, what, 120_000, () => `${JSON.stringify(last?.status, undefined, 1)}\n${lines.join('\n')}`);
}

/** Changes the spec, and waits for the end of what it asks for. */
async function ask(spec: object, operation: string, state: 'succeeded' | 'blocked' = 'succeeded'): Promise<void> {
  await cluster().api.patch(component, { spec });
  await until(`${operation} to be ${state}`, (found) => {
    const { observedGeneration, operation: newest, operationState, converged } = found?.status ?? {};
    return (
      observedGeneration === found?.metadata.generation &&
      newest?.type === operation &&
      operationState === state &&
      converged === (state === 'succeeded')
    );
  });
}

/** What the operator asked of the API server, as `verb resource.group`, by the audit log. */
function used(): ReadonlySet<string> {
  return new Set(
    requests().flatMap(({ verb, objectRef, responseStatus }) => {
      const { resource = '', subresource, apiGroup = '' } = objectRef ?? {};
      const what = named(apiGroup, resourceName({ resource, subresource }));
      // An apply of what is not there is a creation, and needs both rights.
      return verb === 'patch' && responseStatus?.code === 201
        ? [`patch ${what}`, `create ${what}`]
        : [`${verb} ${what}`];
    }),
  );
}

function requests(): readonly AuditEvent[] {
  return cluster()
    .auditEvents()
    .filter(({ user }) => user.username === installation.operator.user);
}

function granted(rules: readonly PolicyRule[]): readonly string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${named(group, resource)}`)),
    ),
  );
}

function named(group: string, resource: string): string {
  return group === '' ? resource : `${resource}.${group}`;
}

describe('with the rights of operator/config and no others', () => {
  it('a component of every kind goes through its whole life', async () => {
    const { managed } = installation;
    await cluster().api.create(component.replace(/\/everything$/, ''), {
      apiVersion: 'platform.navin.ai/v1alpha1',
      kind: 'ManagedComponent',
      metadata: { name: 'everything' },
      spec: {
        source: { chart: { path: 'everything' } },
        scaleTarget: { kind: 'Deployment', name: 'everything' },
        secretRefs: [{ secretName: 'database', key: 'key', valuePath: 'existingSecret' }],
        pdb: { minAvailable: 1 },
      },
    });
    await ask({}, 'install');
    await ask({ replicas: 3 }, 'scale');
    await ask({ replicas: null, autoscaling: { minReplicas: 2, maxReplicas: 4 } }, 'scale');
    await ask({ restartRequestedAt: '2026-01-02T03:04:05Z' }, 'restart');
    await ask({ maintenance: true }, 'maintenance');
    await ask({ values: { greeting: 'Good day' } }, 'configure', 'blocked');
    await ask({ maintenance: false }, 'configure');
    await ask({ autoscaling: { engine: 'KEDA' } }, 'scale');
    await ask({ desiredState: 'Stopped' }, 'stop');
    await ask({ desiredState: 'Running' }, 'start');
    await cluster().api.delete(component);
    await until('its end', (found) => found === undefined);
    const left = await cluster().kubectl(['get', 'deploy,sts,svc,ing,netpol,pdb,hpa,scaledobjects', '-n', managed]);
    expect(left).toBe('');
    await operator.stop();
  }, 600_000);

  it('nothing that the operator asked for was denied', () => {
    const denied = requests().filter(({ responseStatus }) => [401, 403].includes(responseStatus?.code ?? 0));
    expect(denied.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    expect(requests().length).toBeGreaterThan(100);
  });

  it('none is granted in vain, but for those that the published table has and this operator does not use', () => {
    const rights = [...granted(operatorRules()), ...granted(leaseRules('navin-operator'))];
    const seen = used();
    expect(rights.filter((right) => !seen.has(right)).sort()).toEqual([...UNUSED].sort());
  });
});

describe('a right that no request names', () => {
  it.each([
    { has: 'only what the request names', verbs: ['patch'], finalizers: [], status: 403 },
    { has: 'no right to finalizers of the owner', verbs: ['patch', 'create'], finalizers: [], status: 403 },
    { has: 'all of them', verbs: ['patch', 'create'], finalizers: ['update'], status: 201 },
  ])('is asked for when an owned object is made by who has $has: $status', async ({ verbs, finalizers, status }) => {
    const namespace = installation.managed;
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs },
      { apiGroups: [COMPONENT_GROUP], resources: ['managedcomponents/finalizers'], verbs: finalizers },
    ].filter((rule) => rule.verbs.length > 0);
    const { token } = await cluster().serviceAccount({ namespace, rules });
    const owner = { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', name: 'some', uid: 'u-1' };
    const answer = await cluster().request(
      'PATCH',
      `/api/v1/namespaces/${namespace}/configmaps/owned?fieldManager=test`,
      {
        token,
        contentType: 'application/apply-patch+yaml',
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'owned', ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
        },
      },
    );
    expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
  });
});

it('a namespace without its RoleBinding is named, and its components are installed once it is there', async () => {
  const other = await Installation.begin(cluster());
  await other.apply('namespace.yaml', 'rbac/service_account.yaml', 'rbac/leader_election.yaml');
  const told: string[] = [];
  const second = await startTestOperator(cluster(), {
    ...{ namespaces: [other.managed], leaseNamespace: other.own, events: eventLines(told) },
    kubeconfig: await other.kubeconfig(),
  });
  try {
    const components = `/apis/platform.navin.ai/v1alpha1/namespaces/${other.managed}/managedcomponents`;
    await cluster().api.create(components, {
      apiVersion: 'platform.navin.ai/v1alpha1',
      kind: 'ManagedComponent',
      metadata: { name: 'web' },
      spec: { source: { chart: { path: 'web' } } },
    });
    const denied = new RegExp(`^watch of managedcomponents in ${other.managed}: .* may not list managedcomponents`);
    const isTold = (): boolean => told.some((line) => denied.test(line));
    await eventually(isTold, 'the missing right', 60_000, () => told.join('\n'));
    await other.apply('rbac/role_binding.yaml');
    await cluster().api.until<ManagedComponent>(`${components}/web`, (found) => found?.status?.converged === true);
  } finally {
    await second.stop();
  }
}, 300_000);
