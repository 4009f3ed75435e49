import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import type { ICredentialDataDecryptedObject, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NODES, OPERATIONS } from '../../nodes/catalog';
import { accessText, RIGHTS_GROUPS, type RightsGroup, rightIn, WATCH_RIGHTS } from '../../nodes/shared/rights';
import { credentialFor, daemonSetManifest, deploymentManifest, podManifest, useTestCluster } from './testing/cluster';
import { execute, named, testConnection } from './testing/context';
import { installMcpServers, minimalDefinition, removeMcpServers } from '../mcp/definitions';
import { instanceNamespace, makeInstance } from '../mcp/instances';
import { fileHelpers } from './testing/files';
import { cronJobManifest, jobManifest } from './testing/jobs';
import { measureNode, measurePod, serveMetrics } from './testing/metrics';
import { useOwnNodes } from './testing/nodes';

/** The YAML blocks of docs/permissions.md, by the name of their marker, exactly as they stand there. */
const PAGE = readFileSync(join(__dirname, '../../docs/permissions.md'), 'utf8');
const block = (name: string): string => {
  const [, yaml] = new RegExp(`<!-- generated:${name} -->\\s+\`\`\`yaml\\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  if (yaml === undefined) throw new Error(`docs/permissions.md has no block ${name}`);
  return yaml;
};

/** What components are. */
const DEFINITION = join(__dirname, '../../operator/config/crd/platform.navin.ai_managedcomponents.yaml');
const NAMESPACE = 'production';
const COMPONENTS_PATH = `/apis/platform.navin.ai/v1alpha1/namespaces/${NAMESPACE}/managedcomponents`;
const test = useTestCluster('permissions');
const ownNode = useOwnNodes(() => test().cluster);
/** What the operations on nodes act on. */
let node = '';
/** Where the managed MCP instance is. */
let mcpNamespace = '';

interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
}

beforeAll(async () => {
  const { cluster } = test();
  await cluster.namespace(NAMESPACE);
  await cluster.apply(block('role'));
  await cluster.apply(block('nodes'));
  await cluster.apply(block('secrets'));
  await cluster.apply(block('tokens'));
  await cluster.apply(block('inventory'));
  await serveMetrics(cluster);
  await cluster.namespace('toolhive-system');
  await cluster.apply(block('mcp-runtime'));
  await cluster.apply(block('mcp-runtime-changes'));
  await installMcpServers(cluster, minimalDefinition(['v1alpha1', 'v1beta1']));
  mcpNamespace = await instanceNamespace(cluster);
  await makeInstance(cluster, mcpNamespace, 'web');
  await cluster.apply(readFileSync(DEFINITION, 'utf8'));
  await cluster.api.until(COMPONENTS_PATH, (list) => list !== undefined);
  node = await ownNode({ cpu: '1', memory: '1Gi', pods: '10' });
  await measurePod(cluster, { namespace: NAMESPACE, name: 'web' }, {});
  await measureNode(cluster, { name: node }, {});
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: OBJECTS });
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { stdin });
  await cluster.api.until(`/api/v1/namespaces/${NAMESPACE}/pods/web`, (pod) =>
    JSON.stringify(pod ?? {}).includes('"Running"'),
  );
});

afterAll(async () => {
  const { cluster } = test();
  await cluster.api.delete(`/apis/metrics.k8s.io/v1beta1/nodes/${node}`);
  await removeMcpServers(cluster);
  for (const name of ['cluster', 'inventory', 'mcp-runtime', 'mcp-runtime-changes', 'nodes']) {
    await cluster.kubectl(['delete', '--ignore-not-found', '-f', '-'], { stdin: block(name) });
  }
});

/** What the operations find. */
const OBJECTS = [
  deploymentManifest('web', 1),
  { ...deploymentManifest('web', 1), kind: 'StatefulSet' },
  daemonSetManifest('web'),
  podManifest('web'),
  jobManifest('web', 'busybox:fast'),
  { apiVersion: 'v1', kind: 'ConfigMap', data: { color: 'blue' } },
  { apiVersion: 'v1', kind: 'Secret', data: { color: 'Ymx1ZQ==' } },
  cronJobManifest('web', 'busybox:fast'),
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
  {
    apiVersion: 'platform.navin.ai/v1alpha1',
    kind: 'ManagedComponent',
    spec: { source: { chart: { path: 'web' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    // What it would scale is not there: the other operations have the replicas for themselves.
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nothing' } },
  },
]
  .map((object) => ({ ...object, metadata: { name: 'web', namespace: NAMESPACE } }))
  .concat([{ ...deploymentManifest('held', 0), metadata: { name: 'held', namespace: NAMESPACE } }]);

const CONFIG_MAP = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'web', namespace: NAMESPACE, labels: { app: 'web' } },
  data: { color: 'blue' },
});

/** Keys that are always new, so that there is something to change. */
let keys = 0;
const SET_KEYS: IDataObject = {
  name: 'web',
  get keys() {
    return { entry: [{ key: `key-${String((keys += 1))}`, value: 'x' }] };
  },
};

const VARIABLES = { variable: [{ name: 'LOG_LEVEL', value: 'debug' }] };

/** What each operation is run with; objects that an operation uses up are made for it. */
const PARAMETERS: Readonly<Record<string, IDataObject>> = {
  'access review': {},
  'access whoAmI': {},
  'agent getStatus': { namespace: named(NAMESPACE) as IDataObject },
  'any getEvents': { kind: named('pods') as IDataObject, name: 'web' },
  'cluster getApiResources': {},
  'cluster getHealth': {},
  'cluster getVersion': {},
  ...workload('daemonset', ['get', 'getAll', 'getRolloutHistory', 'getRolloutStatus', 'restart']),
  'component configure': { name: 'web', version: '1.2.0' },
  ...workload('component', ['get', 'getAll', 'restart', 'rollingRestart', 'start', 'stop']),
  'component install': { name: 'fresh', chartPath: 'web', options: { dryRun: true } },
  'component remove': { name: 'web', options: { dryRun: true } },
  'component scale': { name: 'web', replicas: 2 },
  'component setMaintenance': { name: 'web', enabled: false },
  'component wait': { name: 'web', timeoutSeconds: 1, onFailure: 'output' },
  'daemonset setEnvironment': { name: 'web', variables: VARIABLES },
  'daemonset setImage': { name: 'web', image: 'nginx:2' },
  'daemonset undo': { name: 'web' },
  ...workload('deployment', ['get', 'getAll', 'getRolloutHistory', 'restart']),
  'deployment pause': { name: 'held' },
  'deployment resume': { name: 'held' },
  'deployment getRolloutStatus': { name: 'web', wait: true, timeoutSeconds: 60 },
  'deployment scale': { name: 'web', replicas: 1 },
  'deployment setEnvironment': { name: 'web', variables: VARIABLES },
  'deployment setImage': { name: 'web', image: 'nginx:2' },
  'deployment undo': { name: 'web' },
  'event getAll': {},
  ...reading('horizontalpodautoscaler'),
  ...reading('ingress'),
  'inventory compare': { before: '{"distribution":"k3s"}', after: '{"distribution":"k3s"}' },
  'inventory discover': {},
  'job create': { name: 'made-', image: 'busybox:fast', options: { generateName: true } },
  'job get': { name: 'web' },
  'job getAll': {},
  'job wait': { name: 'web' },
  'namespace get': { name: NAMESPACE },
  'cronjob create': { name: 'made', schedule: '0 0 29 2 *', image: 'busybox:fast' },
  'cronjob get': { name: 'web' },
  'cronjob getAll': {},
  'cronjob resume': { name: 'web' },
  'cronjob runNow': { name: 'web', wait: true },
  'cronjob suspend': { name: 'web' },
  'configmap get': { name: 'web' },
  'configmap getAll': {},
  'configmap removeKeys': { name: 'web', keys: ['color'] },
  'configmap setKeys': SET_KEYS,
  'secret get': { name: 'web' },
  'secret getAll': {},
  'secret removeKeys': { name: 'web', keys: ['color'] },
  'secret setKeys': SET_KEYS,
  'namespace getAll': {},
  'node cordon': {},
  'node drain': { timeoutSeconds: 10 },
  'node get': {},
  'node getAll': {},
  'node getAllocatedResources': {},
  'node getPods': {},
  'node getUsage': {},
  'operator getStatus': { namespace: named(NAMESPACE) as IDataObject },
  'rights getImportRbac': { namespace: named(NAMESPACE) as IDataObject },
  'rights review': {},
  ...reading('persistentvolumeclaim'),
  'node taint': { key: 'dedicated' },
  'node uncordon': {},
  'node untaint': { key: 'dedicated' },
  'mcpInstance delete': { name: 'web', options: { dryRun: true } },
  'mcpInstance getAll': {},
  'mcpInstance restart': { name: 'web', options: { dryRun: true } },
  'mcpRuntime getRequiredRights': {},
  'mcpRuntime getStatus': {},
  'mcpRuntime install': { options: { dryRun: true } },
  'pod delete': { name: 'victim' },
  'pod evict': { name: 'web', options: { dryRun: true } },
  'pod wait': { name: 'web' },
  'pod downloadFile': { name: 'web', path: '/etc/hostname' },
  'pod execute': { name: 'web', script: 'true' },
  'pod get': { name: 'web' },
  'pod getAll': {},
  'pod getLogs': { name: 'web' },
  'pod getUsage': { name: 'web' },
  'pod uploadFile': { name: 'web', path: '/tmp/uploaded' },
  ...reading('service'),
  ...reading('serviceaccount'),
  'serviceaccount createToken': { name: 'web' },
  ...workload('statefulset', ['get', 'getAll', 'getRolloutHistory', 'getRolloutStatus', 'restart']),
  'statefulset scale': { name: 'web', replicas: 1 },
  'statefulset setEnvironment': { name: 'web', variables: VARIABLES },
  'statefulset setImage': { name: 'web', image: 'nginx:2' },
  'statefulset undo': { name: 'web' },
};

/** Get and Get Many. */
function reading(kind: string): Readonly<Record<string, IDataObject>> {
  return workload(kind, ['get', 'getAll']);
}

/** Operations that need nothing but the name. */
function workload(kind: string, operations: readonly string[]): Readonly<Record<string, IDataObject>> {
  return Object.fromEntries(
    operations.map((operation) => [`${kind} ${operation}`, operation === 'getAll' ? {} : { name: 'web' }]),
  );
}

/** What each operation on any kind is run with, on ConfigMaps as the page has it; `when` a verb is needed, with what. */
const ANY: Readonly<
  Record<string, { readonly given: IDataObject; readonly when?: Readonly<Record<string, IDataObject>> }>
> = {
  get: { given: { name: named('web') as IDataObject } },
  getAll: { given: {} },
  create: { given: { manifest: CONFIG_MAP.replace('"name"', '"generateName"') } },
  apply: {
    given: { manifest: CONFIG_MAP },
    when: {
      'for new objects': { manifest: CONFIG_MAP.replace('web', 'fresh') },
      'with Report Outcome': { options: { reportOutcome: true } },
    },
  },
  delete: {
    given: { name: named('web') as IDataObject },
    when: {
      'by selector': { select: 'selector', labelSelector: 'app=web' },
      'with Wait Until Gone': { wait: true },
    },
  },
  patch: { given: { name: named('web') as IDataObject, patch: '{"data":{"a":"1"}}' } },
  replace: {
    given: { manifestFrom: 'item' },
    when: { 'where no metadata.resourceVersion is given': { manifestFrom: 'text', manifest: CONFIG_MAP } },
  },
  diff: {
    given: { manifest: CONFIG_MAP },
    when: { 'for new objects': { manifest: CONFIG_MAP.replace('web', 'fresh') } },
  },
  wait: {
    given: { until: 'present', timeoutSeconds: 1 },
    when: {
      'by name': { name: named('web') as IDataObject },
      'by selector': { select: 'selector', labelSelector: 'app=web' },
    },
  },
  label: {
    given: { name: named('web') as IDataObject, set: { entry: [{ key: 'a', value: 'b' }] } },
    when: { 'by selector': { select: 'selector', labelSelector: 'app=web' } },
  },
  annotate: {
    given: { name: named('web') as IDataObject, set: { entry: [{ key: 'a', value: 'b' }] } },
    when: { 'by selector': { select: 'selector', labelSelector: 'app=web' } },
  },
};

const ALL_RESOURCES = NODES.flatMap(({ resources }) => resources);

const ANY_CASES = ALL_RESOURCES.flatMap(({ operations }) =>
  operations.filter(({ rightsGroup }) => rightsGroup === 'kind'),
).map(({ value, verbs = [] }) => ({ operation: value, verbs }));

const CASES = ALL_RESOURCES.flatMap(({ value, operations }) =>
  operations.flatMap((operation) => {
    const { rightsGroup } = operation;
    return rightsGroup === 'kind' ? [] : [{ key: `${value} ${operation.value}`, rightsGroup, operation }];
  }),
);

async function run(key: string, credential: ICredentialDataDecryptedObject) {
  const [resource = '', operation = ''] = key.split(' ');
  const where = resource === 'mcpInstance' ? { namespace: named(mcpNamespace) as IDataObject } : {};
  const given: IDataObject = { ...(resource === 'node' ? { name: node } : {}), ...where, ...PARAMETERS[key] };
  // Who creates something types its name; all others choose it.
  const name =
    typeof given.name === 'string' && !['create', 'install'].includes(operation) ? { name: named(given.name) } : {};
  const { helpers } = fileHelpers({ name: 'uploaded', data: Buffer.from('uploaded') });
  const parameters = { resource, operation, ...given, ...name };
  return await execute({ credential, helpers, parameters }).catch(commandNotRun);
}

/** Containers of the shared cluster run nothing: a command that came as far as that had all rights. */
function commandNotRun(error: { readonly context?: { readonly code?: string } }): INodeExecutionData[] {
  // A container that is given input and runs nothing may close before anybody hears why.
  const codes = ['k8s_command_failed', 'k8s_outcome_unknown'];
  if (!codes.includes(error.context?.code ?? '')) throw error as Error;
  return [];
}

async function makeVictim(): Promise<void> {
  const { cluster } = test();
  const path = `/api/v1/namespaces/${NAMESPACE}/pods`;
  await cluster.api.until(
    `${path}/victim`,
    (pod) => (pod?.metadata as IDataObject | undefined)?.deletionTimestamp === undefined,
  );
  if ((await cluster.request('GET', `${path}/victim`)).status === 404)
    await cluster.api.create(path, podManifest('victim'));
}

/** The credential of the ServiceAccount the page makes. */
async function credentialOfPage(): Promise<ICredentialDataDecryptedObject> {
  const { cluster } = test();
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/navin/token`;
  const answer = await cluster.api.create<{ status: { token: string } }>(path, { spec: { expirationSeconds: 3_600 } });
  return {
    authentication: 'token',
    apiServer: cluster.server,
    ca: cluster.caPem,
    token: answer.status.token,
    namespace: NAMESPACE,
  };
}

/** The groups that the Role of the page does not grant. */
const CLUSTER_WIDE: ReadonlySet<RightsGroup> = new Set([
  'cluster',
  'inventory',
  'nodes',
  'maintenance',
  'mcpRuntime',
  'mcpRuntimeChanges',
  'secrets',
  'tokens',
]);

/** The rules of the page's Role without those under the comment of a group. */
function rulesWithout(group: RightsGroup): Rule[] {
  const [, role = ''] = block('role').split(/^---\n/m);
  const chunks = role.split(/^ {2}# /m);
  const kept = chunks.filter((chunk) => !chunk.startsWith(`${RIGHTS_GROUPS[group].title}:`));
  const removed = CLUSTER_WIDE.has(group) ? 0 : 1;
  if (kept.length !== chunks.length - removed) throw new Error(`the page has no rules for ${group}`);
  return (load(kept.join('  # ')) as { rules: Rule[] }).rules;
}

describe('the YAML of docs/permissions.md', () => {
  it('is tried with every operation', () => {
    expect(CASES.map(({ key }) => key).sort()).toEqual(Object.keys(PARAMETERS).sort());
  });

  it.each(CASES.filter(({ rightsGroup }) => rightsGroup !== 'cluster').map(({ key }) => key))(
    'is enough for %s',
    async (key) => {
      if (key === 'pod delete') await makeVictim();
      const items = await run(key, await credentialOfPage());
      expect(items.filter(({ json }) => 'notRead' in json || 'logsNotRead' in json)).toEqual([]);
    },
  );

  it.each(
    CASES.filter(({ operation }) => operation.rights.length > 0 && operation.partial !== true).map(
      ({ key, rightsGroup }) => [key, rightsGroup] as const,
    ),
  )('%s fails without the rules of its group, %s', async (key, group) => {
    if (key === 'pod delete') await makeVictim();
    const { cluster } = test();
    const credential = await credentialFor(cluster, { namespace: NAMESPACE, rules: rulesWithout(group) });
    await expect(run(key, credential)).rejects.toMatchObject({
      httpCode: '403',
      context: { code: expect.stringMatching(/^(k8s|mcp_runtime)_forbidden$/) },
    });
  });

  it.each(
    CASES.filter(({ rightsGroup }) => ['surroundings', 'tokens'].includes(rightsGroup)).map(
      ({ key, operation }) => [key, operation.rights] as const,
    ),
  )('%s names the right it uses, and no other', async (key, rights) => {
    const { cluster } = test();
    const rules = rights.map(({ verb, group, resource, ...more }) => ({
      apiGroups: [group],
      resources: ['subresource' in more ? `${resource}/${String(more.subresource)}` : resource],
      verbs: [verb],
    }));
    expect(rules).toHaveLength(1);
    expect(await run(key, await credentialFor(cluster, { namespace: NAMESPACE, rules }))).not.toEqual([]);
  });

  it.each(
    CASES.filter(({ operation }) => operation.partial === true).map(({ key, operation }) => [key, operation] as const),
  )('%s says of each right that it is missing', async (key, { rights }) => {
    const { cluster } = test();
    const [item] = await run(key, await credentialFor(cluster, { namespace: NAMESPACE }));
    const missing = (item?.json.notRead as readonly { readonly right: string }[]).map(({ right }) => right);
    expect([...missing].sort()).toEqual(rights.map((right) => accessText(rightIn(right, NAMESPACE))).sort());
  });

  it.each(CASES.filter(({ operation }) => operation.rights.length === 0).map(({ key }) => key))(
    '%s needs no right at all',
    async (key) => {
      const { cluster } = test();
      const credential = await credentialFor(cluster, { namespace: NAMESPACE });
      expect(await run(key, credential)).not.toEqual([]);
    },
  );

  it('passes the connection test for all groups of the Role', async () => {
    const data = {
      ...(await credentialOfPage()),
      rightsToCheck: ['read', 'surroundings', 'usage', 'workloads', 'jobs', 'delete', 'watch'],
    };
    expect(await testConnection(data)).toMatchObject({
      status: 'OK',
    });
  });

  it('passes the connection test for the groups that have roles of their own', async () => {
    const data = {
      ...(await credentialOfPage()),
      rightsToCheck: [
        ...['nodes', 'maintenance', 'inventory', 'configMaps', 'components', 'secrets', 'tokens'],
        ...['mcpRuntime', 'mcpRuntimeChanges'],
      ],
    };
    expect(await testConnection(data)).toMatchObject({ status: 'OK' });
  });

  it('is read only where it says so', async () => {
    const documents = loadAll(block('read-only')) as { kind: string; rules?: Rule[] }[];
    const { rules = [] } = documents.find(({ kind }) => kind === 'Role') ?? {};
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
    const { cluster } = test();
    const credential = await credentialFor(cluster, { namespace: NAMESPACE, rules });
    for (const { key, rightsGroup } of CASES) {
      if (['read', 'surroundings', 'usage'].includes(rightsGroup))
        expect(await run(key, credential)).toBeInstanceOf(Array);
    }
  });

  it('is tried with every operation on any kind', () => {
    expect(ANY_CASES.map(({ operation }) => operation).sort()).toEqual(Object.keys(ANY).sort());
    const conditions = ANY_CASES.map(({ operation, verbs }) => [
      operation,
      verbs.flatMap(({ when = [] }) => when).sort(),
    ]);
    expect(conditions).toEqual(
      ANY_CASES.map(({ operation }) => [operation, Object.keys(ANY[operation]?.when ?? {}).sort()]),
    );
  });

  it.each(
    ANY_CASES.flatMap(({ operation, verbs }) =>
      [
        ...(verbs.some(({ when }) => when === undefined) ? [undefined] : []),
        ...Object.keys(ANY[operation]?.when ?? {}),
      ].map((when) => ({
        operation,
        when,
        needed: verbs.filter((each) => each.when === undefined || each.when === when).map(({ verb }) => verb),
      })),
    ),
  )('any $operation ($when) needs exactly $needed', async ({ operation, when, needed }) => {
    const { cluster } = test();
    const { given = {}, when: conditions = {} } = ANY[operation] ?? {};
    const parameters = { resource: 'any', operation, kind: named('configmaps'), ...given, ...conditions[when ?? ''] };
    const perform = async (verbs: readonly string[]) => {
      const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
      const apply = { body: CONFIG_MAP, contentType: 'application/apply-patch+yaml' };
      await cluster.request('PATCH', `${path}/web?fieldManager=test&force=true`, apply);
      await cluster.api.delete(`${path}/fresh`);
      const rules = verbs.length === 0 ? [] : [{ apiGroups: [''], resources: ['configmaps'], verbs: [...verbs] }];
      const credential = await credentialFor(cluster, { namespace: NAMESPACE, rules });
      const item = await cluster.api.get<IDataObject>(`${path}/web`);
      return await execute({ credential, parameters, items: [item] });
    };
    expect(await perform(needed)).toBeInstanceOf(Array);
    for (const verb of needed) {
      const missing = perform(needed.filter((other) => other !== verb));
      await expect(missing).rejects.toMatchObject({ context: { code: 'k8s_forbidden', details: { verb } } });
    }
  });

  it('grants to any kind what the operations on any kind use', () => {
    const [role] = loadAll(block('kind')) as { rules: Rule[] }[];
    const used = ANY_CASES.flatMap(({ verbs }) => verbs.map(({ verb }) => verb));
    expect(role?.rules).toEqual([{ apiGroups: [''], resources: ['configmaps'], verbs: expect.any(Array) }]);
    expect(new Set(role?.rules[0]?.verbs)).toEqual(new Set(used));
  });

  it('lets an autoscaler be seen with the optional Role', async () => {
    const { cluster } = test();
    await cluster.apply(block('optional'));
    const credential = await credentialOfPage();
    const items = await execute({
      credential,
      parameters: {
        resource: 'access',
        operation: 'review',
        review: 'rights',
        rights: { right: [{ verb: 'list', resource: 'hpa' }] },
      },
    });
    expect(items[0]?.json).toMatchObject({ allowed: true });
    await cluster.kubectl(['delete', '-f', '-'], { stdin: block('optional') });
  });

  it('reads all namespaces with the ClusterRole', async () => {
    const { cluster } = test();
    await cluster.apply(block('cluster'));
    const credential = await credentialOfPage();
    for (const key of ['namespace get', 'namespace getAll']) expect(await run(key, credential)).not.toEqual([]);
    for (const resource of ['pod', 'deployment', 'service', 'event', 'ingress', 'persistentvolumeclaim']) {
      const parameters = { resource, operation: 'getAll', namespace: named('*'), limit: 1 };
      expect(await execute({ credential, parameters })).toBeInstanceOf(Array);
    }
    expect(await testConnection({ ...credential, rightsToCheck: ['cluster'] })).toMatchObject({ status: 'OK' });
  });

  it('grants nothing that neither an operation nor the trigger uses', () => {
    const used = new Set(
      [...OPERATIONS.flatMap(({ rights }) => rights), ...WATCH_RIGHTS].map(
        ({ verb, group, resource, subresource }) =>
          `${verb} ${group}/${resource}${subresource ? `/${subresource}` : ''}`,
      ),
    );
    const [, role = ''] = block('role').split(/^---\n/m);
    const granted = (load(role) as { rules: Rule[] }).rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    );
    expect(granted.filter((right) => !used.has(right))).toEqual([]);
  });
});
