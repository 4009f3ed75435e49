import { Type, type Static } from 'typebox';
import { OBJECT_NAME, matches, oneOf, text, type FieldOptions } from './strings';
import type { Rule } from './rule';

const CLOSED = { additionalProperties: false } as const;
/** The most replicas that can be asked for. */
const MAX_REPLICAS = 1_000;

/** Where the chart is. */
const source = Type.Object(
  {
    chart: Type.Optional(
      Type.Object(
        {
          path: text(253, {
            description: 'Folder or archive below the charts folder of the operator, such as web-1.2.0.tgz.',
            rules: [
              matches(
                '^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$',
                'must be a path below the charts folder, such as web-1.2.0.tgz: no .., no leading /',
              ),
            ],
          }),
        },
        { ...CLOSED, description: 'A chart that the administrator has mounted.' },
      ),
    ),
    oci: Type.Optional(
      Type.Object(
        {
          ref: text(512, {
            description: 'oci://host/path@sha256:digest. The host must be one of --oci-registries.',
            rules: [
              matches(
                '^oci://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+@sha256:[0-9a-f]{64}$',
                'must be oci://host/path@sha256:<64 hex digits>: a chart is pinned by its digest, a tag is not enough',
              ),
            ],
          }),
        },
        { ...CLOSED, description: 'A chart of an OCI registry.' },
      ),
    ),
  },
  {
    ...CLOSED,
    description: 'Where the chart is: exactly one of chart and oci.',
    rules: [
      {
        rule: 'has(self.chart) != has(self.oci)',
        message: 'must have exactly one of chart and oci',
        holds: (value) => 'chart' in value !== 'oci' in value,
      },
    ] satisfies Rule<object>[],
  },
);

/** A number of Pods or a percentage of them. */
function podCount(options: FieldOptions<number | string>) {
  return Type.Unsafe<number | string>({
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    maxLength: 4,
    rules: [
      {
        rule: `type(self) == string ? self.matches('^(100|[1-9]?[0-9])%$') : (int(self) >= 0 && int(self) <= ${MAX_REPLICAS})`,
        message: `must be a number of Pods (0 to ${MAX_REPLICAS}) or a percentage such as 50%`,
        holds: (value) =>
          typeof value === 'string' ? /^(100|[1-9]?[0-9])%$/.test(value) : value >= 0 && value <= MAX_REPLICAS,
      },
    ] satisfies Rule<number | string>[],
    ...options,
  });
}

/** How many Pods may be missing at a time. */
const pdb = Type.Object(
  {
    minAvailable: Type.Optional(podCount({ description: 'At least so many Pods stay available.' })),
    maxUnavailable: Type.Optional(podCount({ description: 'At most so many Pods are missing.' })),
  },
  {
    ...CLOSED,
    description: 'The disruption budget of each workload: one of minAvailable and maxUnavailable.',
    rules: [
      {
        rule: 'has(self.minAvailable) != has(self.maxUnavailable)',
        message: 'must have exactly one of minAvailable and maxUnavailable',
        holds: (value) => 'minAvailable' in value !== 'maxUnavailable' in value,
      },
    ] satisfies Rule<object>[],
  },
);

/** Who sets the replicas instead of the spec. */
const autoscaling = Type.Object(
  {
    minReplicas: Type.Integer({ minimum: 1, maximum: MAX_REPLICAS, format: 'int32' }),
    maxReplicas: Type.Integer({ minimum: 1, maximum: MAX_REPLICAS, format: 'int32' }),
    targetCPUUtilizationPercentage: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, format: 'int32', default: 80, description: 'Of the CPU request.' }),
    ),
    engine: Type.Optional(
      oneOf(['HPA', 'KEDA'], { default: 'HPA', description: 'HorizontalPodAutoscaler, or ScaledObject of KEDA.' }),
    ),
  },
  {
    ...CLOSED,
    description: 'Scales the workload by its CPU.',
    rules: [
      {
        rule: 'self.minReplicas <= self.maxReplicas',
        message: 'must have minReplicas not above maxReplicas',
        holds: (value) => value.minReplicas <= value.maxReplicas,
      },
    ] satisfies Rule<{ minReplicas: number; maxReplicas: number }>[],
  },
);

const secretRef = Type.Object(
  {
    secretName: text(253, { description: 'A Secret of the namespace.', rules: [OBJECT_NAME] }),
    key: text(253, {
      description: 'A key that the Secret must have.',
      rules: [matches('^[-._a-zA-Z0-9]+$', 'must be the key of a Secret: letters, digits, -, _ and .')],
    }),
    valuePath: text(253, {
      description: 'The chart value that receives the name of the Secret, such as auth.existingSecret.',
      rules: [
        matches(
          '^[A-Za-z][A-Za-z0-9_-]*([.][A-Za-z][A-Za-z0-9_-]*)*$',
          'must be the path of a value, such as auth.existingSecret',
        ),
      ],
    }),
  },
  CLOSED,
);

const scaleTarget = Type.Object(
  { kind: oneOf(['Deployment', 'StatefulSet']), name: text(253, { rules: [OBJECT_NAME] }) },
  { ...CLOSED, description: 'The workload that replicas or autoscaling are meant for, where the chart has several.' },
);

/** The spec of a ManagedComponent: what is asked for. */
export const SPEC = Type.Object(
  {
    service: Type.Optional(text(53, { description: 'The name of the catalog component: the name of the resource.' })),
    version: Type.Optional(
      text(128, {
        description: 'The version of the chart. Another one is refused.',
        rules: [matches('^[0-9A-Za-z.+-]+$', 'must be a version, such as 1.2.0')],
      }),
    ),
    source,
    values: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        maxProperties: 1_000,
        description: 'Values of the chart. No secret may stand here: name Secrets in secretRefs.',
      }),
    ),
    secretRefs: Type.Optional(
      Type.Array(secretRef, {
        maxItems: 64,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['valuePath'],
        description: 'Secrets the chart uses. Only their names go into values; what they hold is never read.',
      }),
    ),
    desiredState: Type.Optional(
      oneOf(['Running', 'Stopped'], { default: 'Running', description: 'Stopped: every workload has no replicas.' }),
    ),
    replicas: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_REPLICAS, format: 'int32' })),
    autoscaling: Type.Optional(autoscaling),
    scaleTarget: Type.Optional(scaleTarget),
    pdb: Type.Optional(pdb),
    maintenance: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Refuses stop, restart, scale in, configuration and removal, whoever asks for them.',
      }),
    ),
    restartRequestedAt: Type.Optional(
      text(64, {
        description: 'A new time asks for a rolling restart.',
        rules: [
          matches(
            '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
            'must be a time such as 2026-01-31T08:00:00Z (RFC 3339)',
          ),
        ],
      }),
    ),
  },
  {
    ...CLOSED,
    rules: [
      {
        rule: '!(has(self.replicas) && has(self.autoscaling))',
        message: 'must have at most one of replicas and autoscaling',
        holds: (value) => !('replicas' in value && 'autoscaling' in value),
      },
      {
        rule: budgetRule('replicas'),
        message: 'must not be below pdb.minAvailable (ReplicasBelowBudget)',
        fieldPath: '.replicas',
        holds: ({ pdb: budget, replicas }) => !isBelow(replicas, budget?.minAvailable),
      },
      {
        rule: budgetRule('autoscaling.minReplicas', 'autoscaling'),
        message: 'must have minReplicas not below pdb.minAvailable (ReplicasBelowBudget)',
        fieldPath: '.autoscaling',
        holds: ({ pdb: budget, autoscaling: scaling }) => !isBelow(scaling?.minReplicas, budget?.minAvailable),
      },
    ] satisfies Rule<{
      replicas?: number;
      autoscaling?: { minReplicas: number };
      pdb?: { minAvailable?: number | string };
    }>[],
  },
);

/** What is asked for. */
export type ComponentSpec = Static<typeof SPEC>;

function budgetRule(field: string, given = field): string {
  return (
    `!has(self.${given}) || !has(self.pdb) || !has(self.pdb.minAvailable) || ` +
    `type(self.pdb.minAvailable) == string || int(self.pdb.minAvailable) <= self.${field}`
  );
}

function isBelow(replicas: number | undefined, minAvailable: number | string | undefined): boolean {
  return replicas !== undefined && typeof minAvailable === 'number' && replicas < minAvailable;
}
