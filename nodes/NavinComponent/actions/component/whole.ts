import { withoutInlineSecrets } from '../../../../core/components';
import { isRecord, type KubeObject } from '../../../../core/kube';
import { MASK } from '../../../shared/secretValues';

/** A component as it may leave the node: whoever wrote secrets among its values did so against the rules, but it happens. */
export function withoutSecrets<T extends KubeObject>(component: T): T {
  const { spec, metadata } = component;
  const { annotations } = metadata;
  const note = 'kubectl.kubernetes.io/last-applied-configuration';
  const noted =
    annotations?.[note] === undefined ? metadata : { ...metadata, annotations: { ...annotations, [note]: MASK } };
  if (!isRecord(spec) || spec.values === undefined) return { ...component, metadata: noted };
  return { ...component, metadata: noted, spec: { ...spec, values: withoutInlineSecrets(spec.values, MASK) } };
}
