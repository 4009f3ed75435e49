import { defined } from '../../../shared/json';
import { parameterInvalid } from '../../../shared/parameters';
import { JOB_NAME, type NameLimit } from './manifest';

/** What Kubernetes appends to a generated name. */
const SUFFIX = 5;

/** What a Job runs, and the Jobs of a CronJob. */
export interface TemplateFields {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly environment: { readonly variable: readonly { readonly name: string; readonly value: string }[] };
  readonly options: {
    readonly activeDeadlineSeconds?: number;
    readonly backoffLimit?: number;
    readonly labels?: { readonly label: readonly { readonly key: string; readonly value: string }[] };
    readonly restartPolicy?: string;
    readonly serviceAccountName?: string;
    readonly ttlSecondsAfterFinished?: number;
  };
}

/** The fields a Job is made from. */
export interface JobFields extends TemplateFields {
  readonly name: string;
  readonly options: TemplateFields['options'] & { readonly generateName?: boolean };
}

/** A Job of one container from fields. */
export function jobFromFields(namespace: string, fields: JobFields): object {
  const generate = fields.options.generateName === true;
  const name = generate ? checkedPrefix(fields.name.trim()) : checkedName(fields.name.trim(), JOB_NAME);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, ...(generate ? { generateName: name } : { name }), ...labelled(fields) },
    spec: jobSpec(fields),
  };
}

/** The spec of a Job of one container. */
export function jobSpec(fields: TemplateFields): object {
  const { image, command, args, environment, options } = fields;
  const env = environment.variable.map((variable) => ({ name: variable.name, value: variable.value }));
  const container = defined({
    name: 'main',
    image: image.trim(),
    command: command.length === 0 ? undefined : command,
    args: args.length === 0 ? undefined : args,
    env: env.length === 0 ? undefined : env,
  });
  return defined({
    backoffLimit: options.backoffLimit,
    activeDeadlineSeconds: options.activeDeadlineSeconds,
    ttlSecondsAfterFinished: options.ttlSecondsAfterFinished,
    template: {
      metadata: labelled(fields),
      spec: defined({
        restartPolicy: options.restartPolicy ?? 'Never',
        serviceAccountName: options.serviceAccountName === '' ? undefined : options.serviceAccountName,
        containers: [container],
      }),
    },
  });
}

/** The labels of all that is made, as metadata. */
export function labelled({ options }: TemplateFields): { readonly labels?: Readonly<Record<string, string>> } {
  const labels = Object.fromEntries((options.labels?.label ?? []).map(({ key, value }) => [key, value]));
  return Object.keys(labels).length === 0 ? {} : { labels };
}

/** @throws NavinError `k8s_parameter_invalid` */
export function checkedName(name: string, { longest, hint }: NameLimit): string {
  checkLength(name, longest, hint);
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) return name;
  throw misspelt('begin and end');
}

/** What a generated name begins with. @throws as {@link checkedName} */
function checkedPrefix(prefix: string): string {
  checkLength(prefix, JOB_NAME.longest - SUFFIX, JOB_NAME.hint);
  if (/^[a-z0-9][a-z0-9.-]*$/.test(prefix)) return prefix;
  throw misspelt('begin');
}

function checkLength(name: string, longest: number, hint: string): void {
  if (name.length > longest) {
    throw parameterInvalid('name', 'Name', `is longer than ${String(longest)} characters`, hint);
  }
}

function misspelt(end: string): Error {
  const what = `may hold lower case letters, digits, - and ., and must ${end} with a letter or digit`;
  return parameterInvalid('name', 'Name', what);
}
