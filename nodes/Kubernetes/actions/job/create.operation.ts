import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyJob } from '../../../shared/simplify';
import { jobFromFields, jobFromManifest } from './build';

const BY_FIELDS = { show: { definition: ['fields'] } } as const;
const BY_MANIFEST = { show: { definition: ['manifest'] } } as const;

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
    {
      displayName: 'Image',
      name: 'image',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. registry.example.com/report:1.2.3',
      description: 'Image of the container',
      displayOptions: BY_FIELDS,
    },
    {
      displayName: 'Command',
      name: 'command',
      type: 'string',
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Word' },
      default: [],
      placeholder: 'e.g. sh',
      description: "The command, one word an entry; the image's own when empty",
      displayOptions: BY_FIELDS,
    },
    {
      displayName: 'Arguments',
      name: 'args',
      type: 'string',
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
      default: [],
      placeholder: 'e.g. --month=2026-01',
      description: "The arguments, one an entry; the image's own when empty",
      displayOptions: BY_FIELDS,
    },
    {
      displayName: 'Environment Variables',
      name: 'environment',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add Variable',
      default: {},
      description: 'Environment of the container; anybody who may read the job can read it',
      displayOptions: BY_FIELDS,
      options: [
        {
          displayName: 'Variable',
          name: 'variable',
          values: [
            {
              displayName: 'Name',
              name: 'name',
              type: 'string',
              required: true,
              default: '',
              placeholder: 'e.g. LOG_LEVEL',
              description: 'The name of the variable',
            },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              default: '',
              description: 'The value of the variable; it may be empty',
            },
          ],
        },
      ],
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: BY_FIELDS,
      options: [
        {
          displayName: 'Active Deadline',
          name: 'activeDeadlineSeconds',
          type: 'number',
          default: 3600,
          typeOptions: { minValue: 1, numberPrecision: 0 },
          description: 'Seconds after which the job is stopped and counts as failed',
        },
        {
          displayName: 'Backoff Limit',
          name: 'backoffLimit',
          type: 'number',
          default: 6,
          typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 0 },
          description: 'How often a failing pod is tried again',
        },
        {
          displayName: 'Generate Name',
          name: 'generateName',
          type: 'boolean',
          default: false,
          description: 'Whether Kubernetes appends five random characters to the name, so that it is always new',
        },
        {
          displayName: 'Labels',
          name: 'labels',
          type: 'fixedCollection',
          typeOptions: { multipleValues: true },
          placeholder: 'Add Label',
          default: {},
          description: 'Labels of the job and its pods',
          options: [
            {
              displayName: 'Label',
              name: 'label',
              values: [
                {
                  displayName: 'Key',
                  name: 'key',
                  type: 'string',
                  required: true,
                  default: '',
                  placeholder: 'e.g. team',
                  description: 'The key of the label, with its prefix where it has one',
                },
                {
                  displayName: 'Value',
                  name: 'value',
                  type: 'string',
                  default: '',
                  description: 'The value of the label; it may be empty',
                },
              ],
            },
          ],
        },
        {
          displayName: 'Restart Policy',
          name: 'restartPolicy',
          type: 'options',
          default: 'Never',
          description: 'What happens when the container fails',
          options: [
            { name: 'Never', value: 'Never', description: 'A new pod is tried' },
            { name: 'On Failure', value: 'OnFailure', description: 'The same pod starts it again' },
          ],
        },
        {
          displayName: 'Service Account',
          name: 'serviceAccountName',
          type: 'string',
          default: '',
          description: "Service account of the pods; the namespace's default when empty",
        },
        {
          displayName: 'TTL After Finished',
          name: 'ttlSecondsAfterFinished',
          type: 'number',
          default: 86400,
          typeOptions: { minValue: 0, numberPrecision: 0 },
          description: 'Seconds after which a finished job is deleted; it stays when not set',
        },
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
  const job = definition === 'fields' ? jobFromFields(namespace, parameters) : jobFromManifest(namespace, manifest);
  return simplifyJob(await client.create(RESOURCES.jobs, { namespace }, job, { fieldValidation: 'Strict' }));
}
