import type { KubeObject } from '../../kube';
import type { ComponentSpec } from '../resource/spec';

/** Charts of the model: what they render is told by `values`. */

/** A workload of so many replicas. */
export function workload(kind: 'Deployment' | 'StatefulSet', name: string, more: WorkloadOptions = {}): KubeObject {
  const { replicas = 3, image = 'web:1', spec = {} } = more;
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  };
}

export interface WorkloadOptions {
  readonly replicas?: number;
  readonly image?: string;
  readonly spec?: object;
}

/** An object of a kind without anything to it. */
export function plain(apiVersion: string, kind: string, name: string, more: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name }, ...more };
}

/** A Deployment and a ConfigMap; `values.image` and `values.level` change them, `values.kind` makes it a StatefulSet. */
export function webChart({ values = {} }: ComponentSpec): readonly KubeObject[] {
  const { image = 'web:1', level = 'info', kind = 'Deployment', extra = false, spec = {} } = values as WebValues;
  return [
    workload(kind, 'web', { image, spec }),
    plain('v1', 'ConfigMap', 'web', { data: { level } }),
    ...(extra ? [plain('v1', 'ConfigMap', 'extra'), plain('v1', 'PersistentVolumeClaim', 'data')] : []),
  ];
}

interface WebValues {
  readonly image?: string;
  readonly level?: string;
  readonly kind?: 'Deployment' | 'StatefulSet';
  readonly extra?: boolean;
  readonly spec?: object;
}
