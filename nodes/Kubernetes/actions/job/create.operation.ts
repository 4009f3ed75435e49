import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyJob } from '../../../shared/simplify';
import { jobFromFields } from './build';
import {
  ACTIVE_DEADLINE_OPTION,
  ARGUMENTS_FIELD,
  BACKOFF_LIMIT_OPTION,
  BY_FIELDS,
  BY_MANIFEST,
  COMMAND_FIELD,
  ENVIRONMENT_FIELD,
  IMAGE_FIELD,
  LABELS_OPTION,
  RESTART_POLICY_OPTION,
  SERVICE_ACCOUNT_OPTION,
  TTL_OPTION,
} from './fields';
import { JOB_NAME, objectFromManifest } from './manifest';

export const description = defineOperation({
  name: 'Create',
  value: 'create',
  action: 'Create job',
  description: 'Start a job from a few fields, or from YAML or JSON',
  rightsGroup: 'jobs',
  rights: [{ verb: 'create', group: 'batch', resource: 'jobs' }],
  properties: [
    namespaceLocator(),
    {
      displayName: 'Define By',
      name: 'definition',
      type: 'options',
      default: 'fields',
      description: 'How to say what the job is',
      options: [
        { name: 'Fields', value: 'fields', description: 'One container, by image and command' },
        { name: 'Manifest', value: 'manifest', description: 'A whole Job as YAML or JSON' },
      ],
    },
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. nightly-report',
      description: 'Name of the job, at most 63 characters',
      displayOptions: BY_FIELDS,
    },
    IMAGE_FIELD,
    COMMAND_FIELD,
    ARGUMENTS_FIELD,
    ENVIRONMENT_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: BY_FIELDS,
      options: [
        ACTIVE_DEADLINE_OPTION,
        BACKOFF_LIMIT_OPTION,
        {
          displayName: 'Generate Name',
          name: 'generateName',
          type: 'boolean',
          default: false,
          description: 'Whether Kubernetes appends five random characters to the name, so that it is always new',
        },
        LABELS_OPTION,
        RESTART_POLICY_OPTION,
        SERVICE_ACCOUNT_OPTION,
        TTL_OPTION,
      ],
    },
    {
      displayName: 'Manifest',
      name: 'manifest',
      type: 'string',
      required: true,
      typeOptions: { rows: 12 },
      default: '',
      placeholder: 'e.g. apiVersion: batch/v1 …',
      description: 'One Job of batch/v1 as YAML or JSON',
      displayOptions: BY_MANIFEST,
    },
  ],
});

/** Creates the Job; it is never created twice by itself, a broken connection ends in k8s_outcome_unknown. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { namespace, definition, manifest } = parameters;
  const job =
    definition === 'fields'
      ? jobFromFields(namespace, parameters)
      : objectFromManifest(namespace, manifest, 'Job', JOB_NAME);
  return simplifyJob(await client.create(RESOURCES.jobs, { namespace }, job, { fieldValidation: 'Strict' }));
}
