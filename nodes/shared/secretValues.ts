import { type ApiResource, holdsSecrets, isRecord, type KubeObject } from '../../core/kube';

/** What stands for a value of a Secret. It is no base64, so that it can never be stored as one. */
export const MASK = '(masked)';

/** kubectl apply writes the whole object into this annotation, values included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Where a Secret has its values. */
const VALUES = ['data', 'stringData'] as const;

/** An object as it may leave the node: the values of a Secret are masked, its keys are not. Other kinds stay as they are. */
export function withoutSecretValues(object: KubeObject, resource: ApiResource): KubeObject {
  if (!holdsSecrets(resource)) return object;
  const masked: Record<string, unknown> = { ...object };
  for (const field of VALUES) if (object[field] !== undefined) masked[field] = maskedValues(object[field]);
  const { annotations, ...metadata } = object.metadata;
  return { ...masked, metadata: annotations ? { ...metadata, annotations: maskedNote(annotations) } : metadata };
}

/** Whether an object holds what {@link withoutSecretValues} put in: written back, it would destroy the values. */
export function holdsMask(object: Readonly<Record<string, unknown>>): boolean {
  const { metadata } = object;
  const annotations = isRecord(metadata) ? metadata.annotations : undefined;
  return [...VALUES.map((field) => object[field]), annotations].some(
    (values) => isRecord(values) && Object.values(values).some(isMask),
  );
}

/** Whether a value is what stands for one. */
export function isMask(value: unknown): boolean {
  return value === MASK;
}

function maskedValues(values: unknown): unknown {
  return isRecord(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, MASK])) : MASK;
}

function maskedNote(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.hasOwn(annotations, LAST_APPLIED) ? { ...annotations, [LAST_APPLIED]: MASK } : annotations;
}
