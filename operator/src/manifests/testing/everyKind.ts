import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of every kind that a chart may render one, but for what the spec of a component makes. */
const OBJECTS = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: everything }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: everything }
data: { greeting: {{ .Values.greeting | quote }}, existingSecret: {{ .Values.existingSecret | quote }} }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: everything }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: everything }
spec: { podSelector: { matchLabels: { app: everything } }, policyTypes: [Ingress] }
---
apiVersion: v1
kind: Service
metadata: { name: everything }
spec: { selector: { app: everything }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: everything }
spec: { defaultBackend: { service: { name: everything, port: { number: 80 } } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: everything }
spec:
  replicas: 2
  selector: { matchLabels: { app: everything } }
  template:
    metadata: { labels: { app: everything }, annotations: { greeting: {{ .Values.greeting | quote }} } }
    spec: { serviceAccountName: everything, containers: [{ name: main, image: nginx:1.29 }] }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: beside }
spec:
  replicas: 2
  serviceName: everything
  selector: { matchLabels: { app: beside } }
  template:
    metadata: { labels: { app: beside } }
    spec: { containers: [{ name: main, image: nginx:1.29 }] }
`;

/** Writes a chart `everything` below a folder. */
export function writeEveryKind(chartsDir: string): void {
  const chart = join(chartsDir, 'everything');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: everything\nversion: 1.0.0\n');
  writeFileSync(join(chart, 'values.yaml'), "greeting: Hello\nexistingSecret: ''\n");
  writeFileSync(join(chart, 'templates', 'all.yaml'), OBJECTS);
}

/** KEDA's kind, as much of it as the operator sees. */
export const SCALED_OBJECTS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'scaledobjects.keda.sh' },
  spec: {
    group: 'keda.sh',
    scope: 'Namespaced',
    names: { kind: 'ScaledObject', plural: 'scaledobjects', singular: 'scaledobject', listKind: 'ScaledObjectList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
