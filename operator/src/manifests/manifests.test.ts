import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../core/manifest';
import { parseOptions } from '../program';
import { manifestFiles } from '.';
import { yamlOf } from './yaml';

const CONFIG = join(__dirname, '../../config');

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

interface Manifested {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
}

/** The documents as an administrator gets them. */
function documents(path: string): readonly Manifested[] {
  return readManifest(readFileSync(join(CONFIG, path), 'utf8')) as unknown as readonly Manifested[];
}

function rights(role: Manifested | undefined): Readonly<Record<string, string>> {
  const rules = role?.rules ?? [];
  const entries = rules.flatMap(({ apiGroups = [], resources = [], resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.map((resource) => {
        const name = resourceNames === undefined ? '' : ` ${resourceNames.join(' or ')}`;
        return [`${resource}${group === '' ? '' : `.${group}`}${name}`, verbs.join(' ')] as const;
      }),
    ),
  );
  expect(new Set(entries.map(([resource]) => resource)).size).toBe(entries.length);
  return Object.fromEntries(entries);
}

const OBJECTS = 'get list watch create update patch delete';

describe("the operator's rights", () => {
  it('are the published table and nothing more', () => {
    const [role, ...others] = documents('rbac/role.yaml');
    expect([role?.kind, others]).toEqual(['ClusterRole', []]);
    expect(rights(role)).toEqual({
      'managedcomponents.platform.navin.ai': 'get list watch update patch',
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

  it('hold in one namespace by a RoleBinding each, and Leases in its own namespace only', () => {
    expect(documents('rbac/role_binding.yaml')).toEqual([
      expect.objectContaining({
        kind: 'RoleBinding',
        metadata: expect.objectContaining({ name: 'navin-operator', namespace: 'navin-platform' }) as unknown,
        subjects: [{ kind: 'ServiceAccount', name: 'navin-operator', namespace: 'navin-system' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'navin-operator' },
      }),
    ]);
    const [role, binding, ...others] = documents('rbac/leader_election.yaml');
    expect(others).toEqual([]);
    expect([role?.kind, role?.metadata.namespace]).toEqual(['Role', 'navin-system']);
    expect([binding?.kind, binding?.metadata.namespace]).toEqual(['RoleBinding', 'navin-system']);
    expect(rights(role)).toEqual({
      'leases.coordination.k8s.io': 'create',
      'leases.coordination.k8s.io navin-operator': 'get update',
    });
  });

  it('never hold in the whole cluster', () => {
    const bound = Object.keys(manifestFiles())
      .flatMap(documents)
      .filter(({ kind }) => kind === 'ClusterRoleBinding');
    expect(bound).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ name: 'navin-manager-discovery' }) as unknown,
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'navin-manager' }],
      }),
    ]);
  });
});

describe("the manager's rights", () => {
  it('are to see what the cluster is like, and components in one namespace', () => {
    const roles = documents('rbac/manager_access.yaml').filter(({ rules }) => rules !== undefined);
    const found = roles.map((role) => [role.kind, role.metadata.namespace, rights(role)]);
    expect(found).toEqual([
      [
        'ClusterRole',
        undefined,
        {
          nodes: 'get list',
          'storageclasses.storage.k8s.io': 'get list',
          'ingressclasses.networking.k8s.io': 'get list',
        },
      ],
      ['Role', 'kube-system', { 'deployments.apps coredns or rke2-coredns-rke2-coredns': 'get' }],
      ['Role', 'navin-platform', { 'managedcomponents.platform.navin.ai': 'get list watch create patch delete' }],
    ]);
    expect(roles.flatMap(({ rules = [] }) => rules.flatMap(({ nonResourceURLs = [] }) => nonResourceURLs))).toEqual([
      '/version',
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
    ]);
  });
});

it('no right is given by a wildcard, and none could be widened', () => {
  const rules = Object.keys(manifestFiles())
    .flatMap(documents)
    .flatMap(({ rules = [] }) => rules);
  const words = new Set(
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) => [...apiGroups, ...resources, ...verbs]),
  );
  for (const word of ['*', 'escalate', 'bind', 'impersonate', 'deletecollection', 'rbac.authorization.k8s.io']) {
    expect([word, words.has(word)]).toEqual([word, false]);
  }
});

it('the operator takes the flags it is started with, and has a namespace of its own', () => {
  const [deployment] = documents('manager/manager.yaml') as unknown as readonly {
    readonly spec: {
      readonly template: { readonly spec: { readonly containers: readonly { args: readonly string[] }[] } };
    };
  }[];
  const { args = [] } = deployment?.spec.template.spec.containers[0] ?? {};
  expect(parseOptions(args, { inCluster: true, namespace: 'navin-system' })).toMatchObject({
    run: {
      namespaces: ['navin-platform'],
      chartsDir: '/charts',
      lease: { namespace: 'navin-system', name: 'navin-operator' },
    },
  });
});

describe('a remark', () => {
  it('stands above its line, as far in', () => {
    expect(yamlOf('About.', [{ object: { a: { b: 1, c: 2 } }, remarks: { 'c: 2': 'Why.\nAnd how.' } }])).toBe(
      '# About.\n---\na:\n  b: 1\n  # Why.\n  # And how.\n  c: 2',
    );
  });

  it.each([
    ['missing', { a: 1 }],
    ['ambiguous', { x: { b: 1 }, y: { b: 1 } }],
  ])('about a line that is %s is not lost silently', (_, object) => {
    expect(() => yamlOf('', [{ object, remarks: { 'b: 1': 'Why.' } }])).toThrow(
      'not exactly one line to remark upon: b: 1',
    );
  });
});
