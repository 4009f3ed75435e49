import { COMPONENT_API_VERSION, COMPONENT_KIND } from '../components';
import type { KubeObject } from '../kube';
import { RUNTIME_NAMESPACE, RUNTIME_OPERATOR } from './names';

/** The version of ToolHive that is installed, and its charts by the digests of their manifests. */
export const TOOLHIVE_VERSION = '0.59.0';
const CHARTS = 'oci://ghcr.io/stacklok/toolhive';
const CRDS_DIGEST = 'sha256:b7694eb741a04043818978c34b0136cf8cef30329a95ae16de518bd02daaf620';
const OPERATOR_DIGEST = 'sha256:0920e45a4d371a6a9096c0019afea688e3aecbd1167182f5dacfe86b37605449';

/** The ManagedComponents of ToolHive in the order they are written: definitions first, because Helm does not upgrade them. */
export const RUNTIME_COMPONENTS = [`${RUNTIME_OPERATOR}-crds`, RUNTIME_OPERATOR] as const;

/** What is written by an installation. */
export function runtimeComponents(): readonly KubeObject[] {
  const [crds, operator] = RUNTIME_COMPONENTS;
  return [
    component(crds, { source: { oci: { ref: `${CHARTS}/${crds}@${CRDS_DIGEST}` } } }),
    component(operator, {
      source: { oci: { ref: `${CHARTS}/${operator}@${OPERATOR_DIGEST}` } },
      values: OPERATOR_VALUES,
      // Leader election keeps one of them active.
      replicas: 2,
      pdb: { maxUnavailable: 1 },
    }),
  ];
}

/** What the chart would default to is written out, so that another default of it changes nothing. */
const OPERATOR_VALUES = {
  operator: {
    replicaCount: 2,
    rbac: { scope: 'cluster' },
    features: { experimental: false },
    autoscaling: { enabled: false },
    podSecurityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 1000,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  },
};

function component(name: string, spec: object): KubeObject {
  return {
    apiVersion: COMPONENT_API_VERSION,
    kind: COMPONENT_KIND,
    metadata: { name, namespace: RUNTIME_NAMESPACE },
    spec: { service: name, version: TOOLHIVE_VERSION, desiredState: 'Running', ...spec },
  };
}
