/** A spec, or a name, and what is said about it. */
export interface SpecCase {
  readonly what: string;
  readonly name?: string;
  readonly spec: unknown;
  /** Where and what is wrong; absent: nothing. */
  readonly path?: string;
  readonly message?: string;
  /** Only our own validation refuses it: the API server drops the field, or cannot see it. */
  readonly here?: true;
}

const DIGEST = 'a'.repeat(64);
/** A spec that is as short as it may be. */
export const MINIMAL = { source: { chart: { path: 'web-1.2.0.tgz' } } };
const having = (fields: object): object => ({ ...MINIMAL, ...fields });
const ref = (valuePath: string, more: object = {}): object => ({
  secretName: 'database',
  key: 'password',
  valuePath,
  ...more,
});
const chart = (path: string) => ({ source: { chart: { path } } });
const oci = (value: string) => ({ source: { oci: { ref: value } } });
const restart = (at: string): object => having({ restartRequestedAt: at });
const PATH = 'must be a path below the charts folder, such as web-1.2.0.tgz: no .., no leading /';
const OCI = 'must be oci://host/path@sha256:<64 hex digits>: a chart is pinned by its digest, a tag is not enough';
const COUNT = 'must be a number of Pods (0 to 1000) or a percentage such as 50%';
const TIME = 'must be a time such as 2026-01-31T08:00:00Z (RFC 3339)';
const ONE_BUDGET = 'must have exactly one of minAvailable and maxUnavailable';
const RESERVED = 'the names navin-operator* and navin-cluster-agent* are kept for the platform itself (ReservedName)';
const NAME = 'the name must be at most 53 characters: small letters, digits and -, a letter first';

const ACCEPTED: readonly SpecCase[] = [
  { what: 'the least', spec: MINIMAL },
  {
    what: 'everything at once',
    name: 'whole',
    spec: {
      service: 'whole',
      version: '1.2.0-rc.1+build5',
      source: { oci: { ref: `oci://registry.example:5000/team/web@sha256:${DIGEST}` } },
      values: { image: { tag: 'v1' }, list: [1, { any: ['thing'] }], nothing: null },
      secretRefs: [ref('auth.existingSecret'), ref('cache.auth.secretName')],
      desiredState: 'Stopped',
      autoscaling: { minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 70, engine: 'KEDA' },
      scaleTarget: { kind: 'StatefulSet', name: 'web.x' },
      pdb: { minAvailable: 2 },
      maintenance: true,
      restartRequestedAt: '2026-01-31T08:00:00.123+01:00',
    },
  },
  { what: 'no replicas at all', spec: having({ replicas: 0 }) },
  { what: 'a chart in a folder', spec: chart('team/web') },
  { what: 'a percentage', spec: having({ pdb: { maxUnavailable: '50%' }, replicas: 1 }) },
  {
    what: 'a percentage of more than there is in numbers',
    spec: having({ pdb: { minAvailable: '100%' }, replicas: 1 }),
  },
  { what: 'no disruption at all', spec: having({ pdb: { maxUnavailable: 0 } }) },
  { what: 'as many replicas as the budget', spec: having({ pdb: { minAvailable: 3 }, replicas: 3 }) },
  { what: 'a name of 53 characters', name: 'a'.repeat(53), spec: MINIMAL },
  { what: 'a restart in UTC', spec: restart('2026-01-31T08:00:00Z') },
];

const REFUSED: readonly SpecCase[] = [
  { what: 'nothing', spec: {}, path: 'spec.source', message: 'must be given' },
  { what: 'no chart', spec: { source: {} }, path: 'spec.source', message: 'must have exactly one of chart and oci' },
  {
    what: 'two charts',
    spec: { source: { ...chart('web').source, ...oci(`oci://r.example/web@sha256:${DIGEST}`).source } },
    path: 'spec.source',
    message: 'must have exactly one of chart and oci',
  },
  ...['/etc/passwd', '../web', 'a/../b', 'web/', '.hidden', 'a//b', 'C:\\web'].map((path) => ({
    what: `the path ${path}`,
    spec: chart(path),
    path: 'spec.source.chart.path',
    message: PATH,
  })),
  ...[
    'oci://r.example/web:1.2.0',
    `https://r.example/web@sha256:${DIGEST}`,
    `oci://r.example/web:1.2.0@sha256:${DIGEST}`,
    `oci://user:pw@r.example/web@sha256:${DIGEST}`,
    `oci://r.example@sha256:${DIGEST}`,
    `oci://r.example/Web@sha256:${DIGEST}`,
    `oci://r.example/web@sha256:${DIGEST.slice(1)}`,
    `oci://r.example/../web@sha256:${DIGEST}`,
  ].map((value) => ({ what: value.slice(0, 60), spec: oci(value), path: 'spec.source.oci.ref', message: OCI })),
  {
    what: 'another service than its name',
    name: 'web',
    spec: having({ service: 'database' }),
    path: '',
    message: 'spec.service must be the name of the resource',
  },
  ...['navin-operator', 'navin-operator-2', 'navin-cluster-agent'].map((name) => ({
    what: `the name ${name}`,
    name,
    spec: MINIMAL,
    path: '',
    message: RESERVED,
  })),
  ...['a'.repeat(54), '1web', 'we.b'].map((name) => ({
    what: `the name ${name.slice(0, 8)}`,
    name,
    spec: MINIMAL,
    path: '',
    message: NAME,
  })),
  {
    what: 'replicas and an autoscaler',
    spec: having({ replicas: 3, autoscaling: { minReplicas: 2, maxReplicas: 5 } }),
    path: 'spec',
    message: 'must have at most one of replicas and autoscaling',
  },
  {
    what: 'an autoscaler upside down',
    spec: having({ autoscaling: { minReplicas: 5, maxReplicas: 2 } }),
    path: 'spec.autoscaling',
    message: 'must have minReplicas not above maxReplicas',
  },
  {
    what: 'an autoscaler to zero',
    spec: having({ autoscaling: { minReplicas: 0, maxReplicas: 2 } }),
    path: 'spec.autoscaling.minReplicas',
    message: 'must be at least 1',
  },
  {
    what: 'both budgets',
    spec: having({ pdb: { minAvailable: 1, maxUnavailable: 1 } }),
    path: 'spec.pdb',
    message: ONE_BUDGET,
  },
  { what: 'an empty budget', spec: having({ pdb: {} }), path: 'spec.pdb', message: ONE_BUDGET },
  ...[-1, 1_001, '101%', '-1%', '1', '050%', 'all'].map((value) => ({
    what: `a budget of ${value}`,
    spec: having({ pdb: { minAvailable: value } }),
    path: 'spec.pdb.minAvailable',
    message: COUNT,
  })),
  {
    what: 'fewer replicas than the budget',
    spec: having({ pdb: { minAvailable: 3 }, replicas: 2 }),
    path: 'spec.replicas',
    message: 'must not be below pdb.minAvailable (ReplicasBelowBudget)',
  },
  {
    what: 'an autoscaler that goes below the budget',
    spec: having({ pdb: { minAvailable: 3 }, autoscaling: { minReplicas: 2, maxReplicas: 5 } }),
    path: 'spec.autoscaling',
    message: 'must have minReplicas not below pdb.minAvailable (ReplicasBelowBudget)',
  },
  { what: 'negative replicas', spec: having({ replicas: -1 }), path: 'spec.replicas', message: 'must be at least 0' },
  {
    what: 'too many replicas',
    spec: having({ replicas: 1_001 }),
    path: 'spec.replicas',
    message: 'must be at most 1000',
  },
  { what: 'half a replica', spec: having({ replicas: 1.5 }), path: 'spec.replicas', message: 'must be an integer' },
  {
    what: 'a state that is not known',
    spec: having({ desiredState: 'Paused' }),
    path: 'spec.desiredState',
    message: 'must be one of Running, Stopped',
  },
  {
    what: 'a workload that cannot be scaled',
    spec: having({ scaleTarget: { kind: 'DaemonSet', name: 'agent' } }),
    path: 'spec.scaleTarget.kind',
    message: 'must be one of Deployment, StatefulSet',
  },
  ...[
    'tomorrow',
    '2026-01-31',
    '2026-13-31T08:00:00Z',
    '2026-01-31T08:00:00',
    '2026-01-31T08:00:00Z[Europe/Paris]',
  ].map((at) => ({ what: `a restart ${at}`, spec: restart(at), path: 'spec.restartRequestedAt', message: TIME })),
  {
    what: 'a version with spaces',
    spec: having({ version: '1.2 beta' }),
    path: 'spec.version',
    message: 'must be a version, such as 1.2.0',
  },
  ...['__proto__.polluted', 'a..b', 'a[0]', '.a'].map((valuePath) => ({
    what: `the value path ${valuePath}`,
    spec: having({ secretRefs: [ref(valuePath)] }),
    path: 'spec.secretRefs[0].valuePath',
    message: 'must be the path of a value, such as auth.existingSecret',
  })),
  {
    what: 'the name of no Secret',
    spec: having({ secretRefs: [ref('a', { secretName: 'Database' })] }),
    path: 'spec.secretRefs[0].secretName',
    message: 'must be the name of an object: small letters, digits, - and .',
  },
  {
    what: 'no key of a Secret',
    spec: having({ secretRefs: [ref('a', { key: 'pass word' })] }),
    path: 'spec.secretRefs[0].key',
    message: 'must be the key of a Secret: letters, digits, -, _ and .',
  },
  {
    what: 'one value path twice',
    spec: having({ secretRefs: [ref('a'), ref('b'), ref('a', { key: 'other' })] }),
    path: 'spec.secretRefs[2]',
    message: 'must not repeat a valuePath',
  },
  {
    what: '65 Secrets',
    spec: having({ secretRefs: Array.from({ length: 65 }, (_, index) => ref(`path${String(index)}`)) }),
    path: 'spec.secretRefs',
    message: 'must have at most 64 items',
  },
  { what: 'values that are a list', spec: having({ values: [] }), path: 'spec.values', message: 'must be an object' },
  { what: 'an empty version', spec: having({ version: '' }), path: 'spec.version', message: 'must not be empty' },
  {
    what: 'a field nobody knows',
    spec: having({ replica: 3 }),
    path: 'spec.replica',
    message: 'is not a field',
    here: true,
  },
  {
    what: 'values of more than 256 KiB',
    spec: having({ values: { text: 'x'.repeat(256 * 1024) } }),
    path: 'spec.values',
    message: 'must have at most 256 KiB',
    here: true,
  },
  {
    what: 'values nested very deeply',
    spec: having({ values: nested(41) }),
    path: 'spec.values',
    message: 'must not be nested deeper than 40',
    here: true,
  },
];

function nested(levels: number): object {
  return Array.from({ length: levels - 1 }).reduce<object>((inner) => ({ deeper: inner }), {});
}

/** Specs that are accepted and refused, here and by the API server alike. */
export const SPEC_CASES: readonly SpecCase[] = [...ACCEPTED, ...REFUSED];
