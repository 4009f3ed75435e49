/** A pod as a web application has it after its start: about 4 KiB of JSON with the owners of its fields. */
export function floodPod(index: number, version: number): object {
  const number = String(index).padStart(5, '0');
  const startedAt = '2026-01-01T00:00:05Z';
  const condition = (type: string): object => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: startedAt,
  });
  const ip = `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  const container = {
    name: 'web',
    image: 'registry.example/shop/web:1.27.3',
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
    volumeMounts: [
      { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `checkout-service-7d9c5b8f66-${number}`,
      generateName: 'checkout-service-7d9c5b8f66-',
      namespace: 'shop-production',
      uid: `00000000-0000-4000-8000-0000000${number}`,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'checkout-service', tier: 'front', 'pod-template-hash': '7d9c5b8f66' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9102' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'checkout-service-7d9c5b8f66', uid: 'r', controller: true },
      ],
      managedFields: ['kube-controller-manager', 'kubelet'].map((manager) => ({
        manager,
        operation: 'Update',
        apiVersion: 'v1',
        time: startedAt,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': Object.fromEntries(Object.keys(container).map((field) => [`f:${field}`, { '.': {} }])) },
      })),
    },
    spec: {
      containers: [container],
      nodeName: `node-${index % 7}`,
      restartPolicy: 'Always',
      serviceAccountName: 'default',
    },
    status: {
      phase: 'Running',
      startTime: '2026-01-01T00:00:00Z',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      containerStatuses: [
        {
          name: 'web',
          image: container.image,
          imageID: 'registry.example/shop/web@sha256:4c0d98bf9879488e0407f897d9dd4bf758555a78e39675e72b5124ccf12c2580',
          containerID: `containerd://${String(index).padStart(64, '0')}`,
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt } },
        },
      ],
    },
  };
}
