import { IMAGE, LABELS, MANAGED_NAMESPACE, OPERATOR, OPERATOR_NAMESPACE } from './names';
import type { Manifest } from './yaml';

/** The user of distroless images that have "nonroot" in their tag. By number: only then can a kubelet tell it from root. */
const USER = 65532;
const PORT = 8080;
const SELECTOR = { 'app.kubernetes.io/name': OPERATOR };
const METADATA = { name: OPERATOR, namespace: OPERATOR_NAMESPACE, labels: LABELS };

/** The operator's own namespace, which lets in no Pod with more rights than its own have. */
export const NAMESPACE: Manifest = {
  object: {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: OPERATOR_NAMESPACE, labels: { ...LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' } },
  },
};

const CONTAINER = {
  name: 'operator',
  image: IMAGE,
  imagePullPolicy: 'IfNotPresent',
  args: [`--namespaces=${MANAGED_NAMESPACE}`, '--charts-dir=/charts'],
  ports: [{ name: 'http', containerPort: PORT }],
  startupProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 2, failureThreshold: 30 },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 20, timeoutSeconds: 5 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 },
  resources: {
    requests: { cpu: '100m', memory: '384Mi', 'ephemeral-storage': '128Mi' },
    limits: { cpu: '2', memory: '2560Mi', 'ephemeral-storage': '1Gi' },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
  volumeMounts: [
    { name: 'charts', mountPath: '/charts', readOnly: true },
    { name: 'tmp', mountPath: '/tmp' },
  ],
};

const RESOURCES_REMARK = `
As many charts are rendered at once as there are cores, and as fit into the memory limit: helm may take 1 GiB for each,
whatever a chart makes it do, beside 512 MiB for the operator itself. For more at once, raise both limits.`;

const CHARTS_REMARK = `
EDIT, where components take charts from a folder: put the volume that has them in the place of emptyDir, for instance
  persistentVolumeClaim: { claimName: navin-charts, readOnly: true }
A ConfigMap will not do: what is in one is reached by symbolic links, and charts may have none.`;

const ARGS_REMARK = `
EDIT: the namespaces, comma separated. Each needs a RoleBinding (rbac/role_binding.yaml), and none is this one.
For charts of registries add --oci-registries. All flags: operator/README.md.`;

/** Two replicas, one of which acts. */
export const DEPLOYMENT: Manifest = {
  object: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: METADATA,
    spec: {
      replicas: 2,
      selector: { matchLabels: SELECTOR },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: OPERATOR,
          automountServiceAccountToken: true,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 30,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: SELECTOR },
            },
          ],
          containers: [CONTAINER],
          volumes: [
            { name: 'charts', emptyDir: {} },
            { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
          ],
        },
      },
    },
  },
  remarks: {
    [`image: ${IMAGE}`]:
      'EDIT: where your registry has the image, at best by digest. How to build it: operator/README.md.',
    'args:': ARGS_REMARK,
    'resources:': RESOURCES_REMARK,
    'volumes:': CHARTS_REMARK,
  },
};

/** A node is drained without leaving nobody to take over. */
export const BUDGET: Manifest = {
  object: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: METADATA,
    spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } },
  },
};
