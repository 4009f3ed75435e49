import type { AnyRun, ResourceDescription } from '../../shared/operation';
import * as access from './access';
import * as any from './any';
import * as cluster from './cluster';
import * as configmap from './configmap';
import * as cronjob from './cronjob';
import * as daemonset from './daemonset';
import * as deployment from './deployment';
import * as event from './event';
import * as horizontalpodautoscaler from './horizontalpodautoscaler';
import * as ingress from './ingress';
import * as job from './job';
import * as namespace from './namespace';
import * as node from './node';
import * as persistentvolumeclaim from './persistentvolumeclaim';
import * as pod from './pod';
import * as secret from './secret';
import * as service from './service';
import * as serviceaccount from './serviceaccount';
import * as statefulset from './statefulset';

/** The resources of the node, in the order of the dropdown. Data only: the editor's half. */
export const RESOURCE_DESCRIPTIONS: readonly ResourceDescription[] = [
  access.description,
  any.description,
  cluster.description,
  configmap.description,
  cronjob.description,
  daemonset.description,
  deployment.description,
  event.description,
  horizontalpodautoscaler.description,
  ingress.description,
  job.description,
  namespace.description,
  node.description,
  persistentvolumeclaim.description,
  pod.description,
  secret.description,
  service.description,
  serviceaccount.description,
  statefulset.description,
];

/** The functions of the operations, by resource and operation: the other half, which only `run.ts` takes. */
export const RUNS: Readonly<Record<string, Readonly<Record<string, AnyRun>>>> = {
  access: access.runs,
  any: any.runs,
  cluster: cluster.runs,
  configmap: configmap.runs,
  cronjob: cronjob.runs,
  daemonset: daemonset.runs,
  deployment: deployment.runs,
  event: event.runs,
  horizontalpodautoscaler: horizontalpodautoscaler.runs,
  ingress: ingress.runs,
  job: job.runs,
  namespace: namespace.runs,
  node: node.runs,
  persistentvolumeclaim: persistentvolumeclaim.runs,
  pod: pod.runs,
  secret: secret.runs,
  service: service.runs,
  serviceaccount: serviceaccount.runs,
  statefulset: statefulset.runs,
};
