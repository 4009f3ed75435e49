import { NavinError } from '../../../../core/errors';
import { isRecord } from '../../../../core/kube';
import { defined, textAt } from '../../../shared/json';
import { parseManifest } from '../../../shared/manifest';
import { parameterInvalid } from '../../../shared/parameters';

/** The longest name of a Job: it becomes a label of its pods. */
const MAX_NAME = 63;
/** What Kubernetes appends to a generated name. */
const SUFFIX = 5;

/** The fields a Job is made from. */
export interface JobFields {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly environment: { readonly variable: readonly { readonly name: string; readonly value: string }[] };
  readonly options: {
    readonly activeDeadlineSeconds?: number;
    readonly backoffLimit?: number;
    readonly generateName?: boolean;
    readonly labels?: { readonly label: readonly { readonly key: string; readonly value: string }[] };
    readonly restartPolicy?: string;
    readonly serviceAccountName?: string;
    readonly ttlSecondsAfterFinished?: number;
  };
}

/** A Job of one container from fields. */
export function jobFromFields(namespace: string, fields: JobFields): object {
  const { image, command, args, environment, options } = fields;
  const generate = options.generateName === true;
  const name = checkedName(fields.name.trim(), generate);
  const env = environment.variable.map((variable) => ({ name: variable.name, value: variable.value }));
  const container = defined({
    name: 'main',
    image: image.trim(),
    command: command.length === 0 ? undefined : command,
    args: args.length === 0 ? undefined : args,
    env: env.length === 0 ? undefined : env,
  });
  const labels = Object.fromEntries((options.labels?.label ?? []).map(({ key, value }) => [key, value]));
  const labelled = Object.keys(labels).length === 0 ? {} : { labels };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, ...(generate ? { generateName: name } : { name }), ...labelled },
    spec: defined({
      backoffLimit: options.backoffLimit,
      activeDeadlineSeconds: options.activeDeadlineSeconds,
      ttlSecondsAfterFinished: options.ttlSecondsAfterFinished,
      template: {
        metadata: labelled,
        spec: defined({
          restartPolicy: options.restartPolicy ?? 'Never',
          serviceAccountName: options.serviceAccountName === '' ? undefined : options.serviceAccountName,
          containers: [container],
        }),
      },
    }),
  };
}

function checkedName(name: string, generate: boolean): string {
  const longest = generate ? MAX_NAME - SUFFIX : MAX_NAME;
  if (name.length > longest) {
    throw parameterInvalid('name', 'Name', `is longer than ${String(longest)} characters`, NAME_HINT);
  }
  const pattern = generate ? /^[a-z0-9][a-z0-9.-]*$/ : /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
  if (!pattern.test(name)) {
    const end = generate ? 'begin' : 'begin and end';
    throw parameterInvalid(
      'name',
      'Name',
      `may hold lower case letters, digits, - and ., and must ${end} with a letter or digit`,
    );
  }
  return name;
}

const NAME_HINT = 'The name of a Job becomes a label of its pods, and labels end at 63 characters';
const LABEL = 'Manifest';

/**
 * A Job from YAML or JSON. Its namespace is the one of the node: one that is written in the manifest must be the same.
 * @throws NavinError `k8s_parameter_invalid` when it is not exactly one Job of batch/v1 with a name
 */
export function jobFromManifest(namespace: string, text: string): object {
  const manifest = parseManifest(text, 'manifest', LABEL);
  if (!isRecord(manifest)) throw refused('is not an object');
  if (manifest.kind !== 'Job') throw refused('must be of kind Job');
  if (manifest.apiVersion !== 'batch/v1') throw refused('must have apiVersion batch/v1');
  const metadata = manifest.metadata;
  if (!isRecord(metadata)) throw refused('has no metadata');
  if (!isRecord(manifest.spec)) throw refused('has no spec');
  checkNames(metadata);
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw new NavinError('k8s_parameter_invalid', "The namespace in 'Manifest' is not the one chosen in 'Namespace'", {
      hint: "Take the namespace out of the manifest, or choose it in 'Namespace'",
      details: { parameter: 'manifest' },
    });
  }
  return { ...manifest, metadata: { ...metadata, namespace } };
}

function checkNames(metadata: Readonly<Record<string, unknown>>): void {
  const name = textAt(metadata, 'name') ?? '';
  const prefix = textAt(metadata, 'generateName') ?? '';
  if (name === '' && prefix === '') throw refused('has neither metadata.name nor metadata.generateName');
  if (name.length > MAX_NAME)
    throw refused(`has a metadata.name longer than ${String(MAX_NAME)} characters`, NAME_HINT);
}

function refused(what: string, hint?: string): NavinError {
  return parameterInvalid('manifest', LABEL, what, hint);
}
