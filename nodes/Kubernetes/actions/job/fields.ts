/** For parameters that say it field by field. */
export const BY_FIELDS = { show: { definition: ['fields'] } } as const;
/** For the one that says all of it. */
export const BY_MANIFEST = { show: { definition: ['manifest'] } } as const;

// The container of a Job, and of the Jobs of a CronJob.

export const IMAGE_FIELD = {
  displayName: 'Image',
  name: 'image',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. registry.example.com/report:1.2.3',
  description: 'Image of the container',
  displayOptions: BY_FIELDS,
} as const;

export const COMMAND_FIELD = {
  displayName: 'Command',
  name: 'command',
  type: 'string',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Word' },
  default: [],
  placeholder: 'e.g. sh',
  description: "The command, one word an entry; the image's own when empty",
  displayOptions: BY_FIELDS,
} as const;

export const ARGUMENTS_FIELD = {
  displayName: 'Arguments',
  name: 'args',
  type: 'string',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
  default: [],
  placeholder: 'e.g. --month=2026-01',
  description: "The arguments, one an entry; the image's own when empty",
  displayOptions: BY_FIELDS,
} as const;

export const ENVIRONMENT_FIELD = {
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
} as const;

// Options of both.

export const ACTIVE_DEADLINE_OPTION = {
  displayName: 'Active Deadline',
  name: 'activeDeadlineSeconds',
  type: 'number',
  default: 3600,
  typeOptions: { minValue: 1, numberPrecision: 0 },
  description: 'Seconds after which the job is stopped and counts as failed',
} as const;

export const BACKOFF_LIMIT_OPTION = {
  displayName: 'Backoff Limit',
  name: 'backoffLimit',
  type: 'number',
  default: 6,
  typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 0 },
  description: 'How often a failing pod is tried again',
} as const;

export const LABELS_OPTION = {
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
} as const;

export const RESTART_POLICY_OPTION = {
  displayName: 'Restart Policy',
  name: 'restartPolicy',
  type: 'options',
  default: 'Never',
  description: 'What happens when the container fails',
  options: [
    { name: 'Never', value: 'Never', description: 'A new pod is tried' },
    { name: 'On Failure', value: 'OnFailure', description: 'The same pod starts it again' },
  ],
} as const;

export const SERVICE_ACCOUNT_OPTION = {
  displayName: 'Service Account',
  name: 'serviceAccountName',
  type: 'string',
  default: '',
  description: "Service account of the pods; the namespace's default when empty",
} as const;

export const TTL_OPTION = {
  displayName: 'TTL After Finished',
  name: 'ttlSecondsAfterFinished',
  type: 'number',
  default: 86400,
  typeOptions: { minValue: 0, numberPrecision: 0 },
  description: 'Seconds after which a finished job is deleted; it stays when not set',
} as const;
