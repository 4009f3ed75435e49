import { randomInt } from 'node:crypto';
import { NavinError } from '../../../../core/errors';
import { apiVersionOf, isRecord, type KubeObject, RESOURCES } from '../../../../core/kube';
import { textsAt } from '../../../shared/json';
import { parameterInvalid } from '../../../shared/parameters';

/** The longest name of a Job: it becomes a label of its pods. */
const MAX_NAME = 63;
/** Kubernetes' own letters for names: no vowels, so that no words come out. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
/** What kubectl writes, too: who looks at the Job sees that no schedule started it. */
const INSTANTIATE = 'cronjob.kubernetes.io/instantiate';

/**
 * The Job of a CronJob as `kubectl create job --from` makes it: the template as it is, the CronJob as its controller, so
 * that it counts and is cleaned up like those of the schedule.
 * @throws NavinError `k8s_response_invalid` when the CronJob has no template
 */
export function manualJob(cronjob: KubeObject, namespace: string, name: string): object {
  const { spec } = cronjob;
  const template = isRecord(spec) && isRecord(spec.jobTemplate) ? spec.jobTemplate : {};
  if (!isRecord(template.spec)) throw new NavinError('k8s_response_invalid', 'The CronJob has no template of a Job');
  const labels = textsAt(template, 'metadata', 'labels');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations: { ...textsAt(template, 'metadata', 'annotations'), [INSTANTIATE]: 'manual' },
      // Not blockOwnerDeletion: it needs the right to change the finalizers of the CronJob.
      ownerReferences: [
        {
          apiVersion: apiVersionOf(RESOURCES.cronjobs),
          kind: RESOURCES.cronjobs.kind,
          name: cronjob.metadata.name,
          uid: cronjob.metadata.uid,
          controller: true,
        },
      ],
    },
    spec: template.spec,
  };
}

/** `nightly-report-manual-x2v7q`, cut to what a name may have. */
export function manualName(cronjob: string, draw = (): number => randomInt(LETTERS.length)): string {
  const letters = Array.from({ length: SUFFIX }, () => LETTERS[draw()] ?? 'x').join('');
  const suffix = `-manual-${letters}`;
  return `${cronjob.slice(0, MAX_NAME - suffix.length).replace(/[-.]+$/, '')}${suffix}`;
}

/** @throws NavinError `k8s_parameter_invalid` */
export function checkedJobName(name: string): string {
  const isName = name.length <= MAX_NAME && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name);
  if (isName) return name;
  throw parameterInvalid(
    'jobName',
    'Job Name',
    `must have at most ${String(MAX_NAME)} lower case letters, digits, - and ., and begin and end with a letter or digit`,
  );
}
