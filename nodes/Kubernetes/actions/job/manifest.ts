import { NavinError } from '../../../../core/errors';
import { isRecord } from '../../../../core/kube';
import { textAt } from '../../../shared/json';
import { parseManifest } from '../../../shared/manifest';
import { parameterInvalid } from '../../../shared/parameters';

const LABEL = 'Manifest';

/** How long a name may be, and why. */
export interface NameLimit {
  readonly longest: number;
  readonly hint: string;
}

/** The names of Jobs. */
export const JOB_NAME: NameLimit = {
  longest: 63,
  hint: 'The name of a Job becomes a label of its pods, and labels end at 63 characters',
};

/**
 * An object of batch/v1 from YAML or JSON. Its namespace is the one of the node: one that is written in the manifest must
 * be the same.
 * @throws NavinError `k8s_parameter_invalid` when it is not exactly one object of the kind with a name
 */
export function objectFromManifest(
  namespace: string,
  text: string,
  kind: 'Job' | 'CronJob',
  names: NameLimit,
): Readonly<Record<string, unknown>> {
  const manifest = parseManifest(text, 'manifest', LABEL);
  if (!isRecord(manifest)) throw refused('is not an object');
  if (manifest.kind !== kind) throw refused(`must be of kind ${kind}`);
  if (manifest.apiVersion !== 'batch/v1') throw refused('must have apiVersion batch/v1');
  const metadata = manifest.metadata;
  if (!isRecord(metadata)) throw refused('has no metadata');
  if (!isRecord(manifest.spec)) throw refused('has no spec');
  checkNames(metadata, names);
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw new NavinError('k8s_parameter_invalid', "The namespace in 'Manifest' is not the one chosen in 'Namespace'", {
      hint: "Take the namespace out of the manifest, or choose it in 'Namespace'",
      details: { parameter: 'manifest' },
    });
  }
  return { ...manifest, metadata: { ...metadata, namespace } };
}

function checkNames(metadata: Readonly<Record<string, unknown>>, { longest, hint }: NameLimit): void {
  const name = textAt(metadata, 'name') ?? '';
  const prefix = textAt(metadata, 'generateName') ?? '';
  if (name === '' && prefix === '') throw refused('has neither metadata.name nor metadata.generateName');
  if (name.length > longest) throw refused(`has a metadata.name longer than ${String(longest)} characters`, hint);
}

function refused(what: string, hint?: string): NavinError {
  return parameterInvalid('manifest', LABEL, what, hint);
}
