import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../../core/clock';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { chartOfArchive, ChartStore } from '../../../operator/src/charts';
import { Renderer } from '../../../operator/src/render';
import { describeSandbox, renderPrograms } from '../../../operator/src/testing/machine';
import { chartYaml, packed } from '../../../operator/src/testing/packedChart';
import {
  EXAMPLE_CHARTS,
  installComponents,
  startTestOperator,
  type TestOperator,
} from '../../../operator/src/testing/testOperator';
import { useCluster } from '../../cluster/jest';
import { installMcpServers, minimalDefinition } from '../../mcp/definitions';
import { credentialFor, useTestCluster } from '../testing/cluster';
import { executionContext, outputOf } from '../testing/context';
import { NavinMcpRuntime } from '../../../nodes/NavinMcpRuntime/NavinMcpRuntime.node';

// ToolHive has one namespace of a fixed name in a cluster, so this is one of its own.
const cluster = useCluster({ nodes: 1 });
const test = useTestCluster('install', cluster);

const INSTALL = { resource: 'mcpRuntime', operation: 'install' };
const STATUS = { resource: 'mcpRuntime', operation: 'getStatus' };
const COMPONENTS = '/apis/platform.navin.ai/v1alpha1/namespaces/toolhive-system/managedcomponents';

async function output(parameters: Readonly<Record<string, unknown>>): Promise<IDataObject[]> {
  return await outputOf({ credential: test().credential, parameters });
}

it('says that there is no platform where there is none', async () => {
  await expect(output(INSTALL)).rejects.toMatchObject({
    message: expect.stringContaining('the Navin Platform Operator is not installed'),
    context: { code: 'k8s_unsupported' },
  });
});

const names = (kind: string, version = 'rbac.authorization.k8s.io/v1'): string =>
  `apiVersion: ${version}\nkind: ${kind}\nmetadata: { name: toolhive-operator }\n`;
const DEPLOYMENT = `${names('Deployment', 'apps/v1')}spec:
  replicas: {{ .Values.operator.replicaCount }}
  selector: { matchLabels: { app: toolhive } }
  template:
    metadata: { labels: { app: toolhive } }
    spec:
      securityContext: {{- toYaml .Values.operator.podSecurityContext | nindent 8 }}
      containers:
        - name: manager
          image: ghcr.io/stacklok/toolhive/operator:v0.59.0
          securityContext: {{- toYaml .Values.operator.containerSecurityContext | nindent 12 }}
`;
const DEFINITION = `${names('CustomResourceDefinition', 'apiextensions.k8s.io/v1').replace('toolhive-operator', 'mcpservers.toolhive.stacklok.dev')}spec:
  group: toolhive.stacklok.dev
  scope: Namespaced
  names: { kind: MCPServer, plural: mcpservers, singular: mcpserver, listKind: MCPServerList }
  versions: [{ name: v1beta1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

/** Charts of the shape of ToolHive's, which are on a registry that cannot be reached from here. */
const CHARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'toolhive-operator-crds': { 'templates/mcpservers.yaml': DEFINITION },
  'toolhive-operator': {
    'templates/deployment.yaml': DEPLOYMENT,
    'templates/serviceaccount.yaml': names('ServiceAccount', 'v1'),
    'templates/role.yaml': `${names('ClusterRole')}rules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]\n`,
  },
};

/** In place of the registry: what is pinned is answered by a chart of the same shape. */
const REGISTRY = {
  fetch: async (ref: string) => {
    const [, name = ''] = /^oci:\/\/ghcr\.io\/stacklok\/toolhive\/([a-z-]+)@sha256:[0-9a-f]{64}$/.exec(ref) ?? [];
    const files = { 'Chart.yaml': chartYaml({ name, version: '0.59.0' }), ...CHARTS[name] };
    return await chartOfArchive(packed(files, name));
  },
};

describeSandbox('Install on a cluster with the real operator', () => {
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    await cluster().namespace('toolhive-system');
    const client = clusterClient(cluster());
    await installComponents(client);
    client.close();
    const renderer = new Renderer({
      charts: new ChartStore({ chartsDir: EXAMPLE_CHARTS, registry: REGISTRY }),
      programs: await renderPrograms(),
      clock: systemClock,
    });
    operator = await startTestOperator(cluster(), { namespaces: ['toolhive-system'], renderer });
  }, 120_000);

  afterAll(async () => {
    await operator?.stop();
  }, 60_000);

  it('a dry run checks both components and stores none', async () => {
    expect(await output({ ...INSTALL, options: { dryRun: true } })).toMatchObject([
      {
        dryRun: true,
        written: false,
        converged: false,
        components: [{ name: 'toolhive-operator-crds' }, { name: 'toolhive-operator' }],
      },
    ]);
    expect(await cluster().api.items(COMPONENTS)).toEqual([]);
  });

  it('needs get and create of ManagedComponents in toolhive-system, and names what is missing', async () => {
    const run = async (verbs: readonly string[]) => {
      const rules = [{ apiGroups: ['platform.navin.ai'], resources: ['managedcomponents'], verbs }];
      const credential = await credentialFor(cluster(), { namespace: 'toolhive-system', rules });
      return await outputOf({ credential, parameters: { ...INSTALL, options: { dryRun: true } } });
    };
    for (const [given, missing] of [
      ['get', 'create'],
      ['create', 'get'],
    ] as const) {
      await expect(run([given])).rejects.toMatchObject({
        context: { code: 'mcp_runtime_forbidden', details: { verb: missing, resource: 'managedcomponents' } },
      });
    }
    expect(await run(['get', 'create'])).toHaveLength(1);
  });

  it('writes both, and reports that the operator refuses definitions and cluster roles', async () => {
    const parameters = { ...INSTALL, timeoutSeconds: 90, options: { intervalSeconds: 1 } };
    const context = executionContext({ credential: test().credential, parameters });
    const [items] = await new NavinMcpRuntime().execute.call(context);
    const refused = {
      converged: false,
      securityState: 'non_compliant',
      operationState: 'failed',
      reason: 'ForbiddenKind',
    };
    expect(items?.map(({ json }) => json)).toEqual([
      {
        namespace: 'toolhive-system',
        version: '0.59.0',
        written: true,
        converged: false,
        refused: true,
        limit: expect.stringContaining('the deployment of the platform installs them'),
        components: [
          expect.objectContaining({ name: 'toolhive-operator-crds', ...refused }),
          expect.objectContaining({ name: 'toolhive-operator', ...refused }),
        ],
        waitedSeconds: expect.any(Number),
        timedOut: false,
      },
    ]);
    expect(context.notes).toEqual([expect.stringContaining('non_compliant, ForbiddenKind')]);
    expect(context.logged).toEqual([
      'mcp_runtime.install outcome=done namespace=toolhive-system name=toolhive-operator',
    ]);
  });

  it('nothing of ToolHive was applied, and the status says the same', async () => {
    const [status] = await output(STATUS);
    expect(status).toMatchObject({
      operator: { found: false },
      definition: { served: false },
      components: [{ securityState: 'non_compliant' }, { securityState: 'non_compliant' }],
    });
    const { status: answered } = await cluster().request(
      'GET',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/toolhive-operator',
    );
    expect(answered).toBe(404);
  });

  it('the status needs exactly its four rights, and names the one that is missing', async () => {
    await installMcpServers(cluster(), minimalDefinition(['v1beta1']));
    const rule = (apiGroup: string, resource: string, verb: string) => ({
      apiGroups: [apiGroup],
      resources: [resource],
      verbs: [verb],
    });
    const everywhere = [rule('', 'namespaces', 'list'), rule('toolhive.stacklok.dev', 'mcpservers', 'list')];
    const inToolHive = [rule('apps', 'deployments', 'get'), rule('platform.navin.ai', 'managedcomponents', 'get')];
    const run = async (left?: object) => {
      const [clusterRules, rules] = [everywhere, inToolHive].map((all) => all.filter((each) => each !== left));
      const account = { namespace: 'toolhive-system', rules: rules ?? [], clusterRules: clusterRules ?? [] };
      return await outputOf({ credential: await credentialFor(cluster(), account), parameters: STATUS });
    };
    for (const left of [...everywhere, ...inToolHive]) {
      const details = { verb: left.verbs[0], resource: left.resources[0] };
      await expect(run(left)).rejects.toMatchObject({ context: { code: 'mcp_runtime_forbidden', details } });
    }
    expect(await run()).toMatchObject([{ definition: { served: true }, components: [{}, {}], total: 0 }]);
  });

  it('is refused while one of them is there', async () => {
    const again = { message: expect.stringContaining('toolhive-operator'), context: { code: 'mcp_runtime_installed' } };
    await expect(output(INSTALL)).rejects.toMatchObject(again);
    await cluster().api.delete(`${COMPONENTS}/toolhive-operator-crds`);
    await cluster().api.until(`${COMPONENTS}/toolhive-operator-crds`, (component) => component === undefined);
    await expect(output(INSTALL)).rejects.toMatchObject(again);
    expect((await cluster().api.items(COMPONENTS)).map(({ metadata }) => metadata.name)).toEqual(['toolhive-operator']);
  });
});
