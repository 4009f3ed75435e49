import type { KubeObject } from '../kube';
import { fields, items, textAt } from './fields';
import { COMPONENT_GROUP, COMPONENT_LABEL, KEDA_PAUSE_ANNOTATION, RESTART_ANNOTATION } from './names';
import { fieldsSeen } from './decide/ownership';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What decisions look at of a live object, and nothing else: pod templates, data, selectors and the fields of other
 * managers are left out, so that thousands of objects fit into memory. `decide` says the same for both.
 */
export function visible(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, generation, deletionTimestamp, ownerReferences } = metadata;
  const [annotations, labels] = [fields(metadata, 'annotations'), fields(metadata, 'labels')];
  const seen = {
    ...{ name, namespace, uid, resourceVersion, generation, deletionTimestamp, ownerReferences },
    annotations: picked(
      annotations,
      (key) => key.startsWith(`${COMPONENT_GROUP}/`) || key === KEDA_PAUSE_ANNOTATION,
    ) as Record<string, string>,
    labels: picked(labels, (key) => key === COMPONENT_LABEL) as Record<string, string>,
    managedFields: fieldsSeen(object),
  };
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: picked(seen, (_, value) => value !== undefined) as KubeObject['metadata'],
    ...(VISIBLE[kind ?? '']?.(object) ?? {}),
  };
}

const VISIBLE: Readonly<Record<string, (object: KubeObject) => Fields>> = {
  Deployment: workload,
  StatefulSet: workload,
  PodDisruptionBudget: (object) => ({
    spec: picked(fields(object, 'spec'), (key) => key !== 'selector'),
    status: picked(fields(object, 'status'), (key) => key !== 'conditions'),
  }),
  HorizontalPodAutoscaler: autoscaler,
  ScaledObject: autoscaler,
  PersistentVolumeClaim: ({ status }) => ({ status: { phase: fields(status).phase } }),
};

function workload({ spec, status }: KubeObject): Fields {
  const restartedAt = textAt(spec, 'template', 'metadata', 'annotations', RESTART_ANNOTATION);
  const annotations = restartedAt === undefined ? {} : { [RESTART_ANNOTATION]: restartedAt };
  const claims = items(spec, 'volumeClaimTemplates').map((claim) => ({
    metadata: { name: textAt(claim, 'metadata', 'name') },
  }));
  return {
    spec: {
      ...picked(fields(spec), (key) => !['template', 'selector', 'volumeClaimTemplates'].includes(key)),
      template: { metadata: { annotations } },
      ...(claims.length === 0 ? {} : { volumeClaimTemplates: claims }),
    },
    status: { ...fields(status), conditions: conditions(status) },
  };
}

function autoscaler({ spec, status }: KubeObject): Fields {
  return { spec: picked(fields(spec), (key) => key === 'scaleTargetRef'), status: { conditions: conditions(status) } };
}

function conditions(status: unknown): readonly Fields[] {
  return items(status, 'conditions').map(({ type, status: state, reason }) => ({ type, status: state, reason }));
}

function picked(value: Fields, wants: (key: string, value: unknown) => boolean): Fields {
  return Object.fromEntries(Object.entries(value).filter(([key, entry]) => wants(key, entry)));
}
