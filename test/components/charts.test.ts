import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../core/clock';
import {
  chartValues,
  COMPONENT_FINALIZER,
  configurationOf,
  decide,
  keyOf,
  type ComponentSpec,
  type Desired,
  type ManagedComponent,
} from '../../core/components';
import { ChartError, ChartStore } from '../../operator/src/charts';
import { Renderer } from '../../operator/src/render';
import { runSandboxed } from '../../operator/src/render/sandbox';
import { describeSandbox, renderPrograms } from '../../operator/src/testing/machine';

const CHARTS = join(__dirname, 'charts');
const CAPABILITIES = {
  kubeVersion: 'v1.37.2',
  apiVersions: ['apps/v1', 'apps/v1/Deployment', 'autoscaling/v2', 'autoscaling/v2/HorizontalPodAutoscaler'],
};

type Values = Readonly<Record<string, unknown>>;
let renderer: Renderer;

beforeAll(async () => {
  const registry = { fetch: () => Promise.reject(new Error('none')) };
  const charts = new ChartStore({ chartsDir: CHARTS, registry });
  renderer = new Renderer({ charts, programs: await renderPrograms(), clock: systemClock });
});

/** What the operator says to a chart with some values: the objects it would apply, or why it applies none of them. */
async function judged(chart: string, values: Values, more: Partial<ComponentSpec> = {}): Promise<readonly string[]> {
  const spec: ComponentSpec = { source: { chart: { path: chart } }, values, ...more };
  const metadata = { name: chart, namespace: 'apps', uid: 'u', generation: 1, finalizers: [COMPONENT_FINALIZER] };
  const component: ManagedComponent = { metadata, spec };
  const desired = await rendered(component);
  const live = new Map<string, 'absent'>();
  const secrets = new Map((spec.secretRefs ?? []).map(({ secretName, key }) => [`${secretName}/${key}`, true]));
  for (;;) {
    const observed = {
      component,
      live,
      answers: new Map(),
      secrets,
      servesScaledObjects: false,
      pullSecrets: ['pull'],
    };
    const { status, actions } = decide(observed, desired, 0);
    const refs = actions.flatMap((action) => (action.type === 'observe' ? action.refs : []));
    for (const ref of refs) live.set(keyOf(ref), 'absent');
    if (refs.length > 0) continue;
    const { security, operation, inventory = [] } = status;
    if (security !== undefined) return [security.reason, security.object ?? '', security.path ?? ''];
    if (operation?.reason !== undefined) return [operation.reason, operation.message ?? ''];
    return inventory.map(({ kind, name }) => `${kind}/${name}`).sort();
  }
}

async function rendered({ metadata, spec }: ManagedComponent): Promise<Desired> {
  const { name = '', namespace = '' } = metadata;
  const configuration = configurationOf(spec);
  const chosen = chartValues(spec);
  const values = 'values' in chosen ? chosen.values : {};
  try {
    const { source } = spec;
    const { chart, documents } = await renderer.render({ source, values, name, namespace, capabilities: CAPABILITIES });
    return { rendering: 'done', configuration, chart, documents };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { rendering: 'failed', configuration, because: error.because, at: 0 };
  }
}

const secretRef = (valuePath: string, ...keys: readonly string[]) => {
  const [key = ''] = keys;
  return { secretRefs: [{ secretName: 'access', key, valuePath }] };
};

describeSandbox('charts as people really use them', () => {
  it('are clean by helm lint', async () => {
    const { helm, prlimit } = await renderPrograms();
    const { exitCode, stdout } = await runSandboxed({
      ...{ prlimit, program: helm, cwd: CHARTS, env: {}, timeoutMs: 20_000, maxOutputBytes: 100_000 },
      args: ['lint', '--strict', '--with-subcharts', ...readdirSync(CHARTS), '--set', 'existingSecret=access'],
    });
    expect([exitCode, stdout.toString().split('\n').at(-2)]).toEqual([0, '6 chart(s) linted, 0 chart(s) failed']);
  });

  describe('a web application', () => {
    it('is accepted as it comes, and its test is left out', async () => {
      expect(await judged('webapp', {})).toEqual([
        ...['ConfigMap/webapp', 'Deployment/webapp', 'Service/webapp', 'ServiceAccount/webapp'],
      ]);
    });

    it('is accepted with everything that it can switch on', async () => {
      const values: Values = {
        ingress: { enabled: true, className: 'nginx', tls: [{ hosts: ['webapp.example'], secretName: 'webapp-tls' }] },
        ...{ autoscaling: { enabled: true }, pdb: { create: true }, networkPolicy: { enabled: true } },
        persistence: { enabled: true },
        image: { pullSecrets: ['pull'] },
        extraEnv: [{ name: 'RELEASE', value: '{{ .Release.Name }}' }],
        sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1' }],
        startupProbe: { enabled: true },
      };
      expect(await judged('webapp', values, secretRef('existingSecret', 'database-url'))).toEqual([
        ...['ConfigMap/webapp', 'Deployment/webapp', 'HorizontalPodAutoscaler/webapp', 'Ingress/webapp'],
        ...['NetworkPolicy/webapp', 'PersistentVolumeClaim/webapp', 'PodDisruptionBudget/webapp'],
        ...['Service/webapp', 'ServiceAccount/webapp'],
      ]);
    });

    it.each<[string, Values, Partial<ComponentSpec>, readonly string[]]>([
      [
        'for a Secret that its values hold',
        { auth: { sessionKey: 'abc' } },
        {},
        ['ForbiddenKind', 'Secret/webapp', 'kind'],
      ],
      [
        'for a database with a password in its address',
        { auth: { databaseUrl: 'postgres://app:hunter2@db/app' } },
        {},
        ['InlineSecret', '', 'spec.values.auth.databaseUrl'],
      ],
      [
        'for a Secret that the spec does not name',
        { existingSecret: 'access' },
        {},
        ['ForbiddenSecret', 'Deployment/webapp', 'spec.template.spec.containers[0].env[1].valueFrom.secretKeyRef.name'],
      ],
      ['for rights it wants', { rbac: { create: true } }, {}, ['ForbiddenKind', 'Role/webapp', 'kind']],
      [
        'for a second budget',
        { pdb: { create: true } },
        { pdb: { minAvailable: 1 } },
        ['DuplicateBudget', 'PodDisruptionBudget/webapp', 'spec.selector'],
      ],
      [
        'for a second autoscaler',
        { autoscaling: { enabled: true } },
        { replicas: 3 },
        ['DuplicateAutoscaler', 'HorizontalPodAutoscaler/webapp', 'spec.scaleTargetRef'],
      ],
      [
        'for a ServiceAccount of somebody else',
        { serviceAccount: { create: false, name: 'admin' } },
        {},
        ['ForbiddenServiceAccount', 'Deployment/webapp', 'spec.template.spec.serviceAccountName'],
      ],
      [
        'for a job that is deployed along',
        { extraDeploy: [{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate' } }] },
        {},
        ['ForbiddenKind', 'Job/migrate', 'kind'],
      ],
      [
        'for a disk of the node',
        { extraVolumes: [{ name: 'host', hostPath: { path: '/' } }] },
        {},
        ['ForbiddenPod', 'Deployment/webapp', 'spec.template.spec.volumes[2].hostPath'],
      ],
      [
        'for a Secret to pull images with',
        { image: { pullSecrets: ['other'] } },
        {},
        ['ForbiddenSecret', 'Deployment/webapp', 'spec.template.spec.imagePullSecrets[0].name'],
      ],
      [
        'for values that its schema does not know',
        { service: { type: 'Magic' } },
        {},
        ['RenderFailed', 'The values do not fit the schema of the chart: see /service/type.'],
      ],
    ])('is refused %s', async (_what, values, more, verdict) => {
      expect(await judged('webapp', values, more)).toEqual(verdict);
    });
  });

  describe('a database', () => {
    const access = secretRef('auth.existingSecret', 'password');

    it('is accepted with a Secret that exists', async () => {
      expect(await judged('database', {}, access)).toEqual([
        ...['ConfigMap/database-configuration', 'NetworkPolicy/database', 'Service/database'],
        ...['Service/database-headless', 'Service/database-metrics', 'ServiceAccount/database', 'StatefulSet/database'],
      ]);
    });

    it.each<[string, Values, readonly string[]]>([
      [
        'a ServiceMonitor',
        { metrics: { serviceMonitor: { enabled: true } } },
        ['ForbiddenKind', 'ServiceMonitor/database', 'kind'],
      ],
      ['backups', { backup: { enabled: true } }, ['ForbiddenKind', 'CronJob/database-backup', 'kind']],
      [
        'rights over files of the volume',
        { volumePermissions: { enabled: true } },
        [
          'ForbiddenPod',
          'StatefulSet/database',
          'spec.template.spec.initContainers[0].securityContext.capabilities.add',
        ],
      ],
      [
        'replicas without storage',
        { persistence: { enabled: false } },
        ['RenderFailed', 'The chart fails to render at database/templates/statefulset.yaml, line 1.'],
      ],
    ])('is refused with %s', async (_what, values, verdict) => {
      expect(await judged('database', values, access)).toEqual(verdict);
    });

    it('is refused when it makes up its password', async () => {
      expect(await judged('database', {})).toEqual([
        'NondeterministicChart',
        expect.stringMatching(/^The chart renders something else each time at data\..* of Secret\/database:/),
      ]);
    });

    it('is refused when its password stands in the values', async () => {
      expect(await judged('database', { auth: { password: 'hunter2' } })).toEqual([
        ...['InlineSecret', '', 'spec.values.auth.password'],
      ]);
    });
  });

  describe('a queue', () => {
    const access = secretRef('existingSecret', 'password');

    it('is accepted as it comes, with its own budget', async () => {
      expect(await judged('queue', {}, access)).toEqual([
        ...['ConfigMap/queue', 'PodDisruptionBudget/queue', 'Service/queue', 'Service/queue-members'],
        ...['ServiceAccount/queue', 'StatefulSet/queue'],
      ]);
    });

    it('is accepted with the budget of the component instead', async () => {
      const objects = await judged('queue', { pdb: { create: false } }, { ...access, pdb: { maxUnavailable: 1 } });
      expect(objects.filter((object) => object.startsWith('PodDisruptionBudget'))).toEqual([
        'PodDisruptionBudget/queue-statefulset',
      ]);
    });

    it.each<[string, Values, Partial<ComponentSpec>, readonly string[]]>([
      [
        'when its members ask the API server for each other',
        { discovery: 'kubernetes' },
        access,
        ['ForbiddenKind', 'Role/queue-endpoint-reader', 'kind'],
      ],
      [
        'when it mounts a Secret that nobody named',
        { loadDefinition: { existingSecret: 'definitions' } },
        access,
        ['ForbiddenSecret', 'StatefulSet/queue', 'spec.template.spec.volumes[2].secret.secretName'],
      ],
      [
        'without a Secret, by its own schema',
        {},
        {},
        ['RenderFailed', 'The values do not fit the schema of the chart: see /existingSecret.'],
      ],
    ])('is refused %s', async (_what, values, more, verdict) => {
      expect(await judged('queue', values, more)).toEqual(verdict);
    });
  });

  describe('a monitoring agent', () => {
    it.each<[string, Values, Partial<ComponentSpec>, readonly string[]]>([
      ['as a gateway', {}, {}, ['ConfigMap/agent', 'Deployment/agent', 'Service/agent', 'ServiceAccount/agent']],
      [
        'as a gateway that scales and has a token',
        { autoscaling: { enabled: true }, ports: { jaeger: { enabled: true } } },
        secretRef('existingSecret', 'token'),
        [
          ...['ConfigMap/agent', 'Deployment/agent', 'HorizontalPodAutoscaler/agent', 'Service/agent'],
          'ServiceAccount/agent',
        ],
      ],
    ])('is accepted %s', async (_what, values, more, objects) => {
      expect(await judged('agent', values, more)).toEqual(objects);
    });

    it.each<[string, Values, readonly string[]]>([
      ['one Pod on each node', { mode: 'node' }, ['ForbiddenKind', 'DaemonSet/agent-node', 'kind']],
      [
        'names of all Pods',
        { mode: 'node', presets: { kubernetesAttributes: true } },
        ['ForbiddenKind', 'ClusterRole/agent', 'kind'],
      ],
      [
        'logs from the disk of the node',
        { presets: { logs: true } },
        ['ForbiddenPod', 'Deployment/agent', 'spec.template.spec.volumes[1].hostPath'],
      ],
      [
        'the whole disk of the node',
        { presets: { hostMetrics: true } },
        ['ForbiddenPod', 'Deployment/agent', 'spec.template.spec.volumes[1].hostPath'],
      ],
      [
        'a port of the node',
        { ports: { otlp: { hostPort: 4317 } } },
        ['ForbiddenPod', 'Deployment/agent', 'spec.template.spec.containers[0].ports[0].hostPort'],
      ],
      [
        'the network of the node',
        { hostNetwork: true },
        ['ForbiddenPod', 'Deployment/agent', 'spec.template.spec.hostNetwork'],
      ],
    ])('is refused when it wants %s', async (_what, values, verdict) => {
      expect(await judged('agent', values)).toEqual(verdict);
    });
  });

  // Each step gives way to what the last one was refused for: only what is left then could be run.
  describe('an ingress controller', () => {
    const steps: readonly (readonly [string, Values, readonly string[]])[] = [
      ['rights over the whole cluster', {}, ['ForbiddenKind', 'ClusterRole/ingress-controller', 'kind']],
      ['rights over its namespace', { rbac: { scope: true } }, ['ForbiddenKind', 'Role/ingress-controller', 'kind']],
      ['an IngressClass', { rbac: { create: false } }, ['ForbiddenKind', 'IngressClass/nginx', 'kind']],
      [
        'an admission webhook',
        { controller: { ingressClassResource: { enabled: false } } },
        ['ForbiddenKind', 'ValidatingWebhookConfiguration/ingress-admission', 'kind'],
      ],
      [
        'a capability',
        { controller: { admissionWebhooks: { enabled: false } } },
        [
          'ForbiddenPod',
          'Deployment/ingress-controller',
          'spec.template.spec.containers[0].securityContext.capabilities.add',
        ],
      ],
      [
        'ports of the node',
        { controller: { capabilities: [], hostPort: { enabled: true } } },
        ['ForbiddenPod', 'Deployment/ingress-controller', 'spec.template.spec.containers[0].ports[0].hostPort'],
      ],
      [
        'nothing of all this: then it could run, and see nothing',
        { controller: { hostPort: { enabled: false } } },
        [
          ...['ConfigMap/ingress-controller', 'Deployment/ingress-controller'],
          ...[
            'PodDisruptionBudget/ingress-controller',
            'Service/ingress-controller',
            'ServiceAccount/ingress-controller',
          ],
        ],
      ],
    ];
    it.each(steps.map((step, index) => [...step, index] as const))(
      'wants %s',
      async (_what, _values, verdict, index) => {
        const given = steps.slice(0, index + 1).map(([, values]) => values);
        expect(await judged('ingress', merged(given))).toEqual(verdict);
      },
    );

    it('wants hooks that run before it', async () => {
      const values = merged(steps.slice(0, 4).map(([, each]) => each));
      const { documents } = await renderer.render({
        ...{
          source: { chart: { path: 'ingress' } },
          values,
          name: 'ingress',
          namespace: 'apps',
          capabilities: CAPABILITIES,
        },
      });
      const kinds = documents.map((document) => (document as { kind: string }).kind);
      expect(kinds.slice(-2)).toEqual(['ServiceAccount', 'Job']);
    });
  });
});

function merged(values: readonly Values[]): Values {
  const isValues = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return values.reduce<Values>((all, more) => {
    const entries = Object.entries(more).map(([key, value]) => {
      const before = all[key];
      return [key, isValues(before) && isValues(value) ? merged([before, value]) : value] as const;
    });
    return { ...all, ...Object.fromEntries(entries) };
  }, {});
}
