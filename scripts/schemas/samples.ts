import type { KubeObject } from '../../core/kube';

/** Of the sample workloads. */
const SELECTOR = { matchLabels: { app: 'web' } };
const TEMPLATE = {
  metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
};
const GITOPS = { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/web' };

const AMOUNTS = { cpu: '250m', memory: '128Mi' };
const AMOUNTS_OF_NODE = {
  cpu: '4',
  memory: '8Gi',
  'ephemeral-storage': '100Gi',
  pods: '110',
  'nvidia.com/gpu': '1',
  'amd.com/gpu': '1',
  'gpu.intel.com/xe': '1',
};
const RESOURCES_OF_POD = { requests: AMOUNTS, limits: AMOUNTS };
/** What a metrics server says beside the numbers. */
const MEASURED = { timestamp: '2026-01-01T00:00:00Z', window: '15s' };
const CONDITION = { type: 'Sample', status: 'True', reason: 'Sample', message: 'says why' };

/** Objects in which every field is set that an operation puts into its output, by plural. */
export const SAMPLES: Readonly<Record<string, KubeObject>> = {
  pods: {
    metadata: {
      ...metadata('web-6d4cf56db6-x2v7q'),
      // Its owner has the uid of the sample Job, so that it counts as a pod of that Job.
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6d4cf56db6', uid: 'a' }],
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'nginx:1.27', resources: RESOURCES_OF_POD }] },
    status: {
      phase: 'Running',
      podIP: '10.1.0.7',
      containerStatuses: [{ name: 'web', ready: true, restartCount: 1, state: { running: {} } }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  },
  deployments: {
    metadata: {
      ...metadata('web'),
      generation: 2,
      annotations: { 'deployment.kubernetes.io/revision': '2', ...GITOPS },
    },
    spec: { replicas: 2, selector: SELECTOR, template: TEMPLATE },
    status: {
      observedGeneration: 2,
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 1,
      availableReplicas: 2,
      conditions: [
        { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'has timed out' },
      ],
    },
  },
  statefulsets: {
    metadata: { ...metadata('web'), generation: 2, annotations: GITOPS },
    spec: {
      replicas: 2,
      serviceName: 'web',
      selector: SELECTOR,
      template: TEMPLATE,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
    status: { observedGeneration: 2, replicas: 2, readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
  },
  daemonsets: {
    metadata: { ...metadata('web'), generation: 2, annotations: GITOPS },
    spec: { selector: SELECTOR, template: TEMPLATE, updateStrategy: { type: 'RollingUpdate' } },
    status: {
      observedGeneration: 2,
      desiredNumberScheduled: 3,
      numberReady: 3,
      updatedNumberScheduled: 1,
      numberAvailable: 3,
    },
  },
  replicasets: {
    metadata: {
      ...metadata('web-6d4cf56db6'),
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'a', controller: true }],
      annotations: { 'deployment.kubernetes.io/revision': '2', 'kubernetes.io/change-cause': 'version 1.27' },
    },
    spec: { template: TEMPLATE },
    status: { replicas: 2 },
  },
  controllerrevisions: {
    metadata: {
      ...metadata('web-6d4cf56db6'),
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'a', controller: true }],
      annotations: { 'kubernetes.io/change-cause': 'version 1.27' },
    },
    revision: 2,
    data: { spec: { template: TEMPLATE } },
  },
  poddisruptionbudgets: {
    metadata: metadata('web'),
    spec: { selector: {} },
    status: { disruptionsAllowed: 0, expectedPods: 2, currentHealthy: 2, desiredHealthy: 2 },
  },
  services: {
    metadata: metadata('web'),
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.96.0.10',
      clusterIPs: ['10.96.0.10'],
      sessionAffinity: 'None',
      loadBalancerClass: 'example.com/balancer',
      externalName: 'web.example',
      externalIPs: ['203.0.113.7'],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30080 }],
      selector: { app: 'web' },
    },
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.8' }] } },
  },
  events: {
    metadata: metadata('web.17d2f3a1b2c3d4e5'),
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container',
    involvedObject: {
      kind: 'Pod',
      name: 'web-6d4cf56db6-x2v7q',
      namespace: 'shop',
      fieldPath: 'spec.containers{web}',
    },
    count: 3,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:05:00Z',
    source: { component: 'kubelet', host: 'node-1' },
    reportingComponent: 'kubelet',
  },
  jobs: {
    metadata: metadata('import'),
    spec: {},
    status: {
      active: 0,
      succeeded: 0,
      failed: 1,
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:01:00Z',
      conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'has failed' }],
    },
  },
  managedcomponents: {
    apiVersion: 'platform.navin.ai/v1alpha1',
    kind: 'ManagedComponent',
    metadata: { ...metadata('web'), generation: 2 },
    spec: {
      source: { chart: { path: 'web' } },
      version: '1.2.0',
      replicas: 2,
      pdb: { minAvailable: 1 },
      restartRequestedAt: '2026-01-01T00:00:00.000Z',
    },
    status: {
      observedGeneration: 2,
      state: 'started',
      health: 'warning',
      operationState: 'failed',
      securityState: 'non_compliant',
      converged: false,
      operation: {
        type: 'configure',
        key: 'a',
        reason: 'ForbiddenKind',
        message: 'says why',
        startedAt: '2026-01-01T00:00:00Z',
        finishedAt: '2026-01-01T00:01:00Z',
      },
      security: { reason: 'ForbiddenKind', message: 'says why', object: 'Role/web', path: 'kind' },
      chart: { name: 'web', version: '1.2.0', digest: 'sha256:a' },
      workloads: [
        {
          ...{ kind: 'Deployment', name: 'web', state: 'started', health: 'warning' },
          ...{ desired: 2, current: 2, updated: 2, ready: 1, available: 1, required: 1, complete: false },
          changedAt: '2026-01-01T00:00:00Z',
        },
      ],
      retainedClaims: ['data-db-*'],
    },
  },
  // The sample of any kind: what all kinds have.
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata('web'), annotations: {} } },
  secrets: {
    metadata: metadata('web'),
    type: 'Opaque',
    data: { password: 'c2FtcGxl' },
  },
  cronjobs: {
    metadata: metadata('report'),
    spec: {
      schedule: '0 3 * * *',
      timeZone: 'Europe/Berlin',
      suspend: false,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: {} },
    },
    status: {
      active: [{ name: 'report-29475180' }],
      lastScheduleTime: '2026-01-01T02:00:00Z',
      lastSuccessfulTime: '2026-01-01T02:01:00Z',
    },
  },
  nodes: {
    metadata: {
      ...ofCluster('node-1'),
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node.kubernetes.io/instance-type': 'g5.xlarge',
        'topology.kubernetes.io/region': 'eu-west-1',
        'topology.kubernetes.io/zone': 'eu-west-1a',
      },
    },
    spec: {
      providerID: 'aws:///eu-west-1a/i-0abc123def456789',
      taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
    },
    status: {
      addresses: [
        { type: 'InternalIP', address: '10.0.0.7' },
        { type: 'ExternalIP', address: '203.0.113.9' },
      ],
      capacity: AMOUNTS_OF_NODE,
      allocatable: AMOUNTS_OF_NODE,
      nodeInfo: {
        architecture: 'amd64',
        containerRuntimeVersion: 'containerd://2.1.4',
        kernelVersion: '6.12.48',
        kubeletVersion: 'v1.37.2',
        osImage: 'Debian GNU/Linux 13',
      },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  },
  storageclasses: { metadata: ofCluster('fast'), provisioner: 'ebs.csi.aws.com' },
  ingressclasses: { metadata: ofCluster('nginx'), spec: { controller: 'k8s.io/ingress-nginx' } },
  leases: {
    metadata: metadata('web'),
    spec: {
      holderIdentity: 'web-6d4cf56db6-x2v7q',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseDurationSeconds: 15,
    },
  },
  namespaces: {
    metadata: { ...metadata('mcp-0123456789ab'), labels: { 'eai.io/mcp-runtime': 'true' } },
    status: { phase: 'Active', conditions: [CONDITION] },
  },
  mcpservers: {
    metadata: {
      ...metadata('web'),
      namespace: 'mcp-0123456789ab',
      labels: {
        'app.kubernetes.io/managed-by': 'eai-mcp-runtime',
        'eai.io/tenant': 'acme',
        'eai.io/project': 'chat',
        'eai.io/template': 'fetch',
        'eai.io/owner': '0123456789abcdef',
      },
    },
    status: { phase: 'Ready', url: 'http://mcp-web-proxy.mcp-0123456789ab.svc.cluster.local:8080' },
  },
  horizontalpodautoscalers: {
    metadata: metadata('web'),
    spec: {
      minReplicas: 2,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 2,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 45 } } }],
      conditions: [CONDITION],
      lastScaleTime: '2026-01-01T00:00:00Z',
    },
  },
  ingresses: {
    metadata: metadata('web'),
    spec: {
      ingressClassName: 'nginx',
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      rules: [
        {
          host: 'shop.example',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
      tls: [{ hosts: ['shop.example'], secretName: 'web-tls' }],
    },
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.8' }] } },
  },
  persistentvolumeclaims: {
    metadata: metadata('data-web-0'),
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'standard',
      volumeMode: 'Filesystem',
      volumeName: 'pvc-1',
      resources: { requests: { storage: '20Gi' } },
    },
    status: {
      phase: 'Bound',
      capacity: { storage: '10Gi' },
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
      conditions: [CONDITION],
    },
  },
  serviceaccounts: {
    metadata: { ...metadata('web'), annotations: {} },
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: 'registry' }],
    secrets: [{ name: 'web-token' }],
  },
  'serviceaccounts.token': {
    metadata: metadata('web'),
    spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600 },
    status: { token: 'sample', expirationTimestamp: '2026-01-01T01:00:00Z' },
  },
  'pods.metrics.k8s.io': {
    metadata: metadata('web-6d4cf56db6-x2v7q'),
    ...MEASURED,
    containers: [{ name: 'web', usage: AMOUNTS }],
  },
  'nodes.metrics.k8s.io': {
    metadata: ofCluster('node-1'),
    ...MEASURED,
    usage: AMOUNTS,
  },
};

function metadata(name: string): KubeObject['metadata'] {
  return { name, namespace: 'shop', ...ofCluster(name) };
}

function ofCluster(name: string): KubeObject['metadata'] {
  return {
    name,
    uid: 'a',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web' },
  };
}
