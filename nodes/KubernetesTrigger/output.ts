import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { type ApiResource, holdsSecrets, type KubeObject } from '../../core/kube';
import type { TriggerEvent } from '../../core/trigger';
import { KINDS, type KindName } from '../shared/kinds';
import { SIMPLIFY, simplifyEvent } from '../shared/simplify';

/** What the output of a trigger depends on beside the event. */
export interface OutputOptions {
  /** Address of the API server. */
  readonly cluster: string;
  readonly resource: ApiResource;
  readonly simplify: boolean;
}

/**
 * The item a workflow is started with. Facts come first, the object last; what does not apply is left out, but for
 * `changed` and `incident`, each where it can be.
 */
export function toItem(event: TriggerEvent, options: OutputOptions): INodeExecutionData {
  const { cluster, resource } = options;
  const { identity, object, type, key, gap, namespace, name, uid, resourceVersion, observedAt, ...rest } = event;
  void identity;
  const json = {
    type,
    key,
    gap,
    cluster,
    resource: resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`,
    kind: resource.kind,
    ...(namespace === '' ? {} : { namespace }),
    name,
    uid,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    observedAt,
    ...rest,
    ...(object === undefined ? {} : { object: shown(object, event, options) }),
  };
  return { json: json as unknown as IDataObject };
}

/** The same for the editor: nothing happened, so the workflow can tell. */
export function toSample(event: TriggerEvent, options: OutputOptions): INodeExecutionData {
  const { json } = toItem(event, options);
  return { json: { ...json, sample: true } };
}

function shown(object: KubeObject, { partial }: TriggerEvent, { resource, simplify }: OutputOptions): object {
  const safe = holdsSecrets(resource) ? withoutData(object) : object;
  const simplified = simplify && partial !== true ? simplifierOf(resource) : undefined;
  return simplified === undefined ? safe : simplified(safe);
}

/** Executions are stored: the values of a Secret must not be among them, nor the copy `kubectl apply` makes of it. */
function withoutData({ data, stringData, metadata, ...rest }: KubeObject): KubeObject {
  void data;
  void stringData;
  const { annotations = {}, ...kept } = metadata;
  const shownAnnotations = Object.entries(annotations).filter(
    ([name]) => name !== 'kubectl.kubernetes.io/last-applied-configuration',
  );
  return { ...rest, metadata: { ...kept, annotations: Object.fromEntries(shownAnnotations) } };
}

/** The kinds whose events are simplified; events of others come as they are. */
const SIMPLIFIED: readonly KindName[] = ['pod', 'deployment', 'service', 'job', 'namespace'];

function simplifierOf({ group, plural }: ApiResource): ((object: KubeObject) => object) | undefined {
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return simplifyEvent;
  const found = SIMPLIFIED.find((kind) => KINDS[kind].plural === plural && KINDS[kind].group === group);
  return found === undefined ? undefined : SIMPLIFY[found];
}
