import { describe, expect, it } from '@jest/globals';
import { judge, type PolicyContext } from './policy';

const CONTEXT: PolicyContext = {
  namespace: 'apps',
  secrets: ['database'],
  pullSecrets: ['registry'],
  setsBudget: false,
  setsReplicas: () => false,
};

type Fields = Record<string, unknown>;

function object(apiVersion: string, kind: string, rest: Fields = {}, metadata: Fields = {}): Fields {
  return { apiVersion, kind, metadata: { name: 'web', ...metadata }, ...rest };
}

function deployment(pod: Fields = {}, container: Fields = {}): Fields {
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx', ...container }], ...pod },
  };
  return object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { app: 'web' } }, template } });
}

const pdb = (selector: unknown, name = 'web'): Fields =>
  object('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1, selector } }, { name });
const hpa = (target: Fields, name = 'web'): Fields =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: { scaleTargetRef: target, maxReplicas: 3 } }, { name });
const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const scaled = (spec: Fields): Fields => object('keda.sh/v1alpha1', 'ScaledObject', { spec });
const POD = 'spec.template.spec';
const BOX = `${POD}.containers[0]`;

describe('a chart may render', () => {
  it.each<[string, Fields[], Partial<PolicyContext>]>([
    [
      'every kind that is allowed',
      [
        object('v1', 'ConfigMap', { data: { 'app.ini': 'level=info', existingSecret: 'database' } }),
        object('v1', 'Service', {
          spec: {
            ports: [
              { port: 53, protocol: 'UDP' },
              { port: 53, protocol: 'TCP' },
            ],
          },
        }),
        object('v1', 'ServiceAccount', { imagePullSecrets: [{ name: 'registry' }], secrets: [{ name: 'database' }] }),
        object('v1', 'PersistentVolumeClaim'),
        deployment({ serviceAccountName: 'web' }),
        object('apps/v1', 'StatefulSet', { spec: {} }),
        object('networking.k8s.io/v1', 'NetworkPolicy'),
        object('networking.k8s.io/v1', 'Ingress', { spec: { tls: [{ secretName: 'tls' }] } }),
        pdb({ matchLabels: { app: 'web' } }),
        hpa(WEB),
        object(
          'autoscaling/v1',
          'HorizontalPodAutoscaler',
          { spec: { scaleTargetRef: { ...WEB, kind: 'StatefulSet' } } },
          { name: 'set' },
        ),
      ],
      {},
    ],
    [
      'a ScaledObject for a Deployment it does not name the kind of',
      [deployment(), scaled({ scaleTargetRef: { name: 'web' } })],
      {},
    ],
    [
      'objects in the namespace of the component',
      [{ ...deployment(), metadata: { name: 'web', namespace: 'apps' } }],
      {},
    ],
    [
      'Secrets that secretRefs names',
      [
        deployment(
          {
            serviceAccountName: 'default',
            imagePullSecrets: [{ name: 'registry' }, { name: 'database' }],
            volumes: [
              { name: 'a', secret: { secretName: 'database' } },
              { name: 'b', projected: { sources: [{ secret: { name: 'database' } }, { configMap: { name: 'web' } }] } },
              { name: 'c', csi: { driver: 'store', nodePublishSecretRef: { name: 'database' } } },
              { name: 'd', emptyDir: {} },
            ],
          },
          {
            env: [
              { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
              { name: 'URL', value: 'postgres://app:$(DB_PASSWORD)@db/app' },
              { name: 'EMPTY_TOKEN', value: '' },
            ],
            envFrom: [{ secretRef: { name: 'database' } }, { configMapRef: { name: 'web' } }],
          },
        ),
      ],
      {},
    ],
    [
      'Pods with fewer rights',
      [
        deployment(
          { hostNetwork: false, hostPID: null, securityContext: { runAsNonRoot: true } },
          {
            securityContext: { privileged: false, capabilities: { drop: ['ALL'], add: [] }, procMount: 'Default' },
            ports: [{ containerPort: 80, hostPort: 0 }],
          },
        ),
      ],
      {},
    ],
    [
      'a budget for other Pods than those of the spec',
      [deployment(), pdb({ matchLabels: { app: 'db' } })],
      { setsBudget: true },
    ],
    ['an autoscaler where the spec sets nothing', [deployment(), hpa(WEB)], { setsBudget: true }],
  ])('%s', (_what, documents, more) => {
    const verdict = judge(documents, { ...CONTEXT, ...more });
    expect(verdict.compliant ? undefined : verdict.violation).toBeUndefined();
  });

  it('its tests, which are none of the component', () => {
    const test = object('v1', 'Pod', {}, { annotations: { 'helm.sh/hook': 'test, test-success' } });
    expect(judge([test, object('v1', 'ConfigMap')], CONTEXT)).toEqual({
      compliant: true,
      objects: [object('v1', 'ConfigMap')],
    });
  });

  it('null, which is left out before anybody looks', () => {
    const map = object(
      'v1',
      'ConfigMap',
      { data: null, binaryData: { a: 'b' } },
      { namespace: null, labels: { a: null } },
    );
    expect(judge([map], CONTEXT)).toEqual({
      compliant: true,
      objects: [object('v1', 'ConfigMap', { binaryData: { a: 'b' } }, { labels: {} })],
    });
  });
});

const hidden = { name: 'x', value: 'hunter2' };

describe('a chart is refused that renders', () => {
  it.each<[string, unknown[], string, string | undefined, string | undefined, Partial<PolicyContext>?]>([
    ['text', ['hello'], 'InvalidObject', undefined, undefined],
    [
      'an object without a kind',
      [{ apiVersion: 'v1', metadata: { name: 'web' } }],
      'InvalidObject',
      '?/web',
      undefined,
    ],
    [
      'no name',
      [object('v1', 'ConfigMap', {}, { name: undefined, generateName: 'a-' })],
      'InvalidObject',
      'ConfigMap/?',
      'metadata.name',
    ],
    [
      'a bad name',
      [object('v1', 'ConfigMap', {}, { name: '../x' })],
      'InvalidObject',
      'ConfigMap/../x',
      'metadata.name',
    ],
    ['a Secret', [object('v1', 'Secret')], 'ForbiddenKind', 'Secret/web', 'kind'],
    ['a Pod', [object('v1', 'Pod')], 'ForbiddenKind', 'Pod/web', 'kind'],
    ['a DaemonSet', [object('apps/v1', 'DaemonSet')], 'ForbiddenKind', 'DaemonSet/web', 'kind'],
    ['a Job', [object('batch/v1', 'Job')], 'ForbiddenKind', 'Job/web', 'kind'],
    [
      'a ClusterRole',
      [object('rbac.authorization.k8s.io/v1', 'ClusterRole')],
      'ForbiddenKind',
      'ClusterRole/web',
      'kind',
    ],
    [
      'a RoleBinding',
      [object('rbac.authorization.k8s.io/v1', 'RoleBinding')],
      'ForbiddenKind',
      'RoleBinding/web',
      'kind',
    ],
    [
      'a CRD',
      [object('apiextensions.k8s.io/v1', 'CustomResourceDefinition')],
      'ForbiddenKind',
      'CustomResourceDefinition/web',
      'kind',
    ],
    ['a Namespace', [object('v1', 'Namespace')], 'ForbiddenKind', 'Namespace/web', 'kind'],
    ['a Deployment of another group', [object('evil.io/v1', 'Deployment')], 'ForbiddenKind', 'Deployment/web', 'kind'],
    [
      'a Deployment of an old version',
      [object('apps/v1beta1', 'Deployment')],
      'ForbiddenKind',
      'Deployment/web',
      'kind',
    ],
    ['a List', [object('v1', 'List', { items: [object('v1', 'Secret')] })], 'ForbiddenKind', 'List/web', undefined],
    ['a ConfigMapList', [object('v1', 'ConfigMapList')], 'ForbiddenKind', 'ConfigMapList/web', undefined],
    [
      'a kind named like a field of every object',
      [object('v1', 'constructor')],
      'ForbiddenKind',
      'constructor/web',
      'kind',
    ],
    [
      'another namespace',
      [object('v1', 'ConfigMap', {}, { namespace: 'kube-system' })],
      'ForbiddenNamespace',
      'ConfigMap/web',
      'metadata.namespace',
    ],
    [
      'a name of the platform',
      [object('v1', 'ConfigMap', {}, { name: 'navin-operator-x' })],
      'ReservedName',
      'ConfigMap/navin-operator-x',
      'metadata.name',
    ],
    [
      'a hook',
      [object('v1', 'ConfigMap', {}, { annotations: { 'helm.sh/hook': 'pre-install' } })],
      'ForbiddenHook',
      'ConfigMap/web',
      'metadata.annotations',
    ],
    [
      'a hook that is also a test',
      [object('v1', 'ConfigMap', {}, { annotations: { 'helm.sh/hook': 'test,post-delete' } })],
      'ForbiddenHook',
      'ConfigMap/web',
      'metadata.annotations',
    ],
    [
      'a finalizer',
      [object('v1', 'ConfigMap', {}, { finalizers: ['a/b'] })],
      'InvalidObject',
      'ConfigMap/web',
      'metadata.finalizers',
    ],
    [
      'an owner',
      [object('v1', 'ConfigMap', {}, { ownerReferences: [] })],
      'InvalidObject',
      'ConfigMap/web',
      'metadata.ownerReferences',
    ],
    [
      'an object twice',
      [object('v1', 'ConfigMap'), object('v1', 'ConfigMap')],
      'DuplicateObject',
      'ConfigMap/web',
      undefined,
    ],
    [
      'an autoscaler twice, in two versions',
      [deployment(), hpa(WEB), object('autoscaling/v1', 'HorizontalPodAutoscaler')],
      'DuplicateObject',
      'HorizontalPodAutoscaler/web',
      undefined,
    ],
    ['hostNetwork', [deployment({ hostNetwork: true })], 'ForbiddenPod', 'Deployment/web', `${POD}.hostNetwork`],
    ['hostPID', [deployment({ hostPID: true })], 'ForbiddenPod', 'Deployment/web', `${POD}.hostPID`],
    ['hostIPC', [deployment({ hostIPC: true })], 'ForbiddenPod', 'Deployment/web', `${POD}.hostIPC`],
    [
      'hostPath',
      [deployment({ volumes: [{ name: 'a', hostPath: { path: '/' } }] })],
      'ForbiddenPod',
      'Deployment/web',
      `${POD}.volumes[0].hostPath`,
    ],
    [
      'nfs',
      [deployment({ volumes: [{ name: 'a', nfs: {} }] })],
      'ForbiddenPod',
      'Deployment/web',
      `${POD}.volumes[0].nfs`,
    ],
    [
      'a privileged container',
      [deployment({}, { securityContext: { privileged: true } })],
      'ForbiddenPod',
      'Deployment/web',
      `${BOX}.securityContext.privileged`,
    ],
    [
      'a capability',
      [deployment({}, { securityContext: { capabilities: { add: ['NET_ADMIN'] } } })],
      'ForbiddenPod',
      'Deployment/web',
      `${BOX}.securityContext.capabilities.add`,
    ],
    [
      'a port of the host',
      [deployment({}, { ports: [{ containerPort: 80, hostPort: 80 }] })],
      'ForbiddenPod',
      'Deployment/web',
      `${BOX}.ports[0].hostPort`,
    ],
    [
      'all of /proc',
      [deployment({}, { securityContext: { procMount: 'Unmasked' } })],
      'ForbiddenPod',
      'Deployment/web',
      `${BOX}.securityContext.procMount`,
    ],
    [
      'a privileged init container',
      [deployment({ initContainers: [{ name: 'i', securityContext: { privileged: true } }] })],
      'ForbiddenPod',
      'Deployment/web',
      `${POD}.initContainers[0].securityContext.privileged`,
    ],
    [
      'a foreign ServiceAccount',
      [deployment({ serviceAccountName: 'admin' })],
      'ForbiddenServiceAccount',
      'Deployment/web',
      `${POD}.serviceAccountName`,
    ],
    [
      'a foreign ServiceAccount by its old field',
      [deployment({ serviceAccount: 'admin' })],
      'ForbiddenServiceAccount',
      'Deployment/web',
      `${POD}.serviceAccount`,
    ],
    [
      'a foreign Secret as volume',
      [deployment({ volumes: [{ name: 'a', secret: { secretName: 'other' } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${POD}.volumes[0].secret.secretName`,
    ],
    [
      'a foreign Secret in a projection',
      [deployment({ volumes: [{ name: 'a', projected: { sources: [{ secret: { name: 'other' } }] } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${POD}.volumes[0].projected.sources[0].secret.name`,
    ],
    [
      'a foreign Secret of a driver',
      [deployment({ volumes: [{ name: 'a', csi: { nodePublishSecretRef: { name: 'other' } } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${POD}.volumes[0].csi.nodePublishSecretRef.name`,
    ],
    [
      'a foreign Secret in a variable',
      [deployment({}, { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'other' } } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${BOX}.env[0].valueFrom.secretKeyRef.name`,
    ],
    [
      'a foreign Secret as variables',
      [deployment({}, { envFrom: [{ secretRef: { name: 'other' } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${BOX}.envFrom[0].secretRef.name`,
    ],
    [
      'a foreign pull secret',
      [deployment({ imagePullSecrets: [{ name: 'other' }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${POD}.imagePullSecrets[0].name`,
    ],
    [
      'a ServiceAccount with a foreign pull secret',
      [object('v1', 'ServiceAccount', { imagePullSecrets: [{ name: 'other' }] })],
      'ForbiddenSecret',
      'ServiceAccount/web',
      'imagePullSecrets[0].name',
    ],
    [
      'a pull secret as volume',
      [deployment({ volumes: [{ name: 'a', secret: { secretName: 'registry' } }] })],
      'ForbiddenSecret',
      'Deployment/web',
      `${POD}.volumes[0].secret.secretName`,
    ],
    [
      'a secret as variable',
      [deployment({}, { env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] })],
      'InlineSecret',
      'Deployment/web',
      `${BOX}.env[0].value`,
    ],
    [
      'a URL with a password as variable',
      [deployment({}, { env: [{ name: 'DB', value: 'postgres://a:hunter2@db' }] })],
      'InlineSecret',
      'Deployment/web',
      `${BOX}.env[0].value`,
    ],
    [
      'a secret in a ConfigMap',
      [object('v1', 'ConfigMap', { data: { API_TOKEN: 'hunter2' } })],
      'InlineSecret',
      'ConfigMap/web',
      'data.API_TOKEN',
    ],
    [
      'a secret in a trigger',
      [deployment(), scaled({ scaleTargetRef: { name: 'web' }, triggers: [{ metadata: { password: 'hunter2' } }] })],
      'InlineSecret',
      'ScaledObject/web',
      'spec.triggers[0].metadata.password',
    ],
    [
      'a variable twice',
      [deployment({}, { env: [hidden, { name: 'y', value: '' }, hidden] })],
      'DuplicateObject',
      'Deployment/web',
      `${BOX}.env[2]`,
    ],
    [
      'a container twice',
      [deployment({ containers: [{ name: 'a' }, { name: 'a' }] })],
      'DuplicateObject',
      'Deployment/web',
      `${POD}.containers[1]`,
    ],
    [
      'an autoscaler for the workload of another',
      [hpa(WEB)],
      'ForbiddenTarget',
      'HorizontalPodAutoscaler/web',
      'spec.scaleTargetRef',
    ],
    ['a budget for every Pod', [deployment(), pdb({})], 'ForbiddenTarget', 'PodDisruptionBudget/web', 'spec.selector'],
    [
      'a budget beside that of the spec',
      [deployment(), pdb({ matchLabels: { app: 'web' } })],
      'DuplicateBudget',
      'PodDisruptionBudget/web',
      'spec.selector',
      { setsBudget: true },
    ],
    [
      'two budgets for one Pod',
      [
        deployment(),
        pdb({ matchLabels: { app: 'web' } }),
        pdb({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'db'] }] }, 'two'),
      ],
      'DuplicateBudget',
      'PodDisruptionBudget/web',
      'spec.selector',
    ],
    [
      'an autoscaler beside the spec',
      [deployment(), hpa(WEB)],
      'DuplicateAutoscaler',
      'HorizontalPodAutoscaler/web',
      'spec.scaleTargetRef',
      { setsReplicas: () => true },
    ],
    [
      'two autoscalers for one workload',
      [deployment(), hpa(WEB), hpa(WEB, 'two')],
      'DuplicateAutoscaler',
      'HorizontalPodAutoscaler/web',
      'spec.scaleTargetRef',
    ],
    [
      '401 objects',
      Array.from({ length: 401 }, (_, index) => object('v1', 'ConfigMap', {}, { name: `a${String(index)}` })),
      'TooManyObjects',
      undefined,
      undefined,
    ],
  ])('%s', (_what, documents, reason, name, path, more = {}) => {
    const verdict = judge(documents, { ...CONTEXT, ...more });
    const violation = verdict.compliant ? undefined : verdict.violation;
    expect([violation?.reason, violation?.object, violation?.path]).toEqual([reason, name, path]);
    expect(JSON.stringify(violation)).not.toContain('hunter2');
  });
});
