import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { type ApiResource, holdsSecrets, type KubeObject, parseFieldPath, readField } from '../../core/kube';
import { COMPONENT_FIELDS, COMPONENT_RESOURCE, type TriggerEvent } from '../../core/trigger';
import { KINDS, type KindName } from '../shared/kinds';
import { SIMPLIFY, simplifyComponent, simplifyEvent } from '../shared/simplify';

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
  const { identity, object, type, key, gap, namespace, name, uid, resourceVersion, observedAt, before, ...rest } =
    event;
  void identity;
  const json = {
    type,
    key,
    gap,
    cluster,
    resource: nameOf(resource),
    kind: resource.kind,
    ...(namespace === '' ? {} : { namespace }),
    name,
    uid,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    observedAt,
    ...rest,
    ...(nameOf(resource) === COMPONENT_RESOURCE ? dimensionsOf(before, object) : {}),
    ...(object === undefined ? {} : { object: shown(object, event, options) }),
  };
  return { json: json as unknown as IDataObject };
}

/** `deployments.apps` */
function nameOf({ group, plural }: ApiResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/**
 * All dimensions of a component before and after, whichever of them has changed. What is not known, or not there, is left
 * out.
 */
function dimensionsOf(before: TriggerEvent['before'], object: KubeObject | undefined): object {
  const paths = Object.values(COMPONENT_FIELDS);
  const read = (valueOf: (path: string) => unknown): object =>
    Object.fromEntries(
      paths.flatMap((path) => {
        const value = valueOf(path);
        return value === undefined ? [] : [[path.slice('status.'.length), value]];
      }),
    );
  return {
    ...(before === undefined ? {} : { before: read((path) => before[path]) }),
    ...(object === undefined ? {} : { after: read((path) => readField(object, parseFieldPath(path))) }),
  };
}

/** The same for the editor: nothing happened, so the workflow can tell. */
export function toSample(event: TriggerEvent, options: OutputOptions): INodeExecutionData {
  const { json } = toItem(event, options);
  const before = json.after === undefined ? {} : { before: json.after };
  return { json: { ...json, ...before, sample: true } };
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

function simplifierOf(resource: ApiResource): ((object: KubeObject) => object) | undefined {
  const { group, plural } = resource;
  if (nameOf(resource) === COMPONENT_RESOURCE) return simplifyComponent;
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return simplifyEvent;
  const found = SIMPLIFIED.find((kind) => KINDS[kind].plural === plural && KINDS[kind].group === group);
  return found === undefined ? undefined : SIMPLIFY[found];
}
