import { COMPONENTS } from '../../core/components';
import {
  type ApiResource,
  type CreateRef,
  findBuiltIn,
  type CommandOptions,
  type KubeClient,
  type KubeObject,
  type ListPage,
  RESOURCES,
} from '../../core/kube';
import { tarOf } from '../../core/tar';
import { SAMPLES } from './samples';

const MCP_SERVERS: ApiResource = {
  group: 'toolhive.stacklok.dev',
  version: 'v1beta1',
  plural: 'mcpservers',
  singular: 'mcpserver',
  kind: 'MCPServer',
  namespaced: true,
  verbs: ['get', 'list', 'patch', 'delete'],
  shortNames: [],
  subresources: ['status'],
};

/** Custom resources that operations look for by name. */
const CUSTOM: Readonly<Record<string, ApiResource>> = {
  'mcpservers.toolhive.stacklok.dev': MCP_SERVERS,
  'managedcomponents.platform.navin.ai': COMPONENTS,
};

/** A client that answers with the samples: what an operation makes of them is the shape of its output. */
export function sampleClient(): KubeClient {
  const one = ({ plural, group }: ApiResource): Promise<KubeObject> => {
    // What a metrics server serves has the plurals of other kinds.
    const sample = SAMPLES[`${plural}.${group}`] ?? SAMPLES[plural];
    return sample === undefined ? Promise.reject(new Error(`no sample of ${plural}`)) : Promise.resolve(sample);
  };
  const log = { text: 'listening on :8080\n', truncated: false };
  const client: Partial<Record<keyof KubeClient, unknown>> = {
    target: { namespace: 'shop', server: 'https://api.example:6443' },
    resource: (name: string) => Promise.resolve(findBuiltIn(name) ?? CUSTOM[name] ?? RESOURCES.configmaps),
    resourceFor: () => Promise.resolve(RESOURCES.configmaps),
    get: one,
    create: (resource: ApiResource, { subresource }: CreateRef) =>
      subresource === undefined ? one(resource) : one({ ...resource, group: subresource }),
    patch: one,
    replace: one,
    delete: async (resource: ApiResource) => {
      const object = await one(resource);
      return { ...object, metadata: { ...object.metadata, deletionGracePeriodSeconds: 30 } };
    },
    pages: async function* (resource: ApiResource): AsyncGenerator<ListPage> {
      yield { items: [await one(resource)], resourceVersion: '1', inconsistent: false };
    },
    logs: () => Promise.resolve(log),
    version: () =>
      Promise.resolve({
        gitVersion: 'v1.37.2+k3s1',
        major: 1,
        minor: 37,
        platform: 'linux/amd64',
        gitCommit: 'c',
        buildDate: '2026-01-01T00:00:00Z',
        goVersion: 'go1.26.8',
      }),
    run: (_pod: unknown, { stdout }: CommandOptions) => {
      stdout(tarOf({ name: 'config.json', data: Buffer.from('{}'), mode: 0o644, modified: 0 }));
      return Promise.resolve({ exitCode: 0 });
    },
    whoAmI: () =>
      Promise.resolve({ username: 'system:serviceaccount:shop:navin', uid: 'a', groups: ['system:authenticated'] }),
    health: () => Promise.resolve({ ok: true, checks: [{ name: 'etcd', ok: true }] }),
    resources: () => Promise.resolve([RESOURCES.deployments]),
    discoveryFailures: () => Promise.resolve([]),
    reviewAccess: () => Promise.resolve({ allowed: false }),
  };
  return client as unknown as KubeClient;
}
