import type { ApiResource, KubeObject } from '../../../core/kube';
import type { KindName } from '../kinds';
import { checkedObject, wholeObject } from '../wholeObject';
import { simplifyConfigmap } from './configmap';
import { simplifyCronjob } from './cronjob';
import { simplifyDaemonset } from './daemonset';
import { simplifyDeployment } from './deployment';
import { simplifyHorizontalpodautoscaler } from './horizontalpodautoscaler';
import { simplifyIngress } from './ingress';
import { simplifyJob } from './job';
import { simplifyNamespace } from './namespace';
import { simplifyNode } from './node';
import { simplifyPersistentvolumeclaim } from './persistentvolumeclaim';
import { simplifyPod } from './pod';
import { simplifySecret } from './secret';
import { simplifyService } from './service';
import { simplifyServiceaccount } from './serviceaccount';
import { simplifyStatefulset } from './statefulset';

/** The simplified form of each kind: about ten flat fields, no more than a workflow usually needs. */
export const SIMPLIFY: Readonly<Record<KindName, (object: KubeObject) => object>> = {
  pod: simplifyPod,
  deployment: simplifyDeployment,
  statefulset: simplifyStatefulset,
  daemonset: simplifyDaemonset,
  service: simplifyService,
  job: simplifyJob,
  namespace: simplifyNamespace,
  node: simplifyNode,
  cronjob: simplifyCronjob,
  configmap: simplifyConfigmap,
  secret: simplifySecret,
  ingress: simplifyIngress,
  persistentvolumeclaim: simplifyPersistentvolumeclaim,
  horizontalpodautoscaler: simplifyHorizontalpodautoscaler,
  serviceaccount: simplifyServiceaccount,
};

/**
 * An object as the workflow gets it: simplified, or whole but for `managedFields`, which only field managers read. A
 * whole object says its apiVersion and kind, which the API server leaves out in lists.
 * @throws NavinError `k8s_response_invalid` when the server sent something that is no object
 */
export function present(
  simplify: (object: KubeObject) => object,
  object: KubeObject,
  resource: ApiResource,
  options: { readonly simplify: boolean; readonly managedFields: boolean | undefined },
): object {
  return options.simplify ? simplify(checkedObject(object)) : wholeObject(object, resource, options);
}

export { simplifyComponent } from './component';
export { lastSeen, simplifyEvent } from './event';
export { simplifyJob } from './job';
export { simplifyCronjob } from './cronjob';
export { simplifyNode } from './node';
export { simplifyPod } from './pod';
