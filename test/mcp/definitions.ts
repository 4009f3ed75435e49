import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Cluster } from '../cluster';

/** A CustomResourceDefinition, as far as tests look at it. */
interface Definition {
  readonly metadata: object;
  readonly spec: { readonly versions: readonly { readonly name: string }[] };
}

/** ToolHive's own definition, which is no part of this repository: tests that want it say so where it is not there. */
const REAL = join(__dirname, '../../../shared/vectors/crds/toolhive.stacklok.dev_mcpservers.yaml');

const NAMES = { kind: 'MCPServer', listKind: 'MCPServerList', plural: 'mcpservers', singular: 'mcpserver' };
const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The least that is a definition of MCPServer; the last version is the one that is stored. */
export function minimalDefinition(versions: readonly string[]): Definition {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  };
  return {
    metadata: {},
    spec: {
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === versions.at(-1),
        subresources: { status: {} },
        schema,
      })),
    },
  };
}

/** ToolHive's own definition with both versions, and as it was with the first alone; undefined where it is not there. */
export function realDefinition(versions: readonly string[]): Definition | undefined {
  if (!existsSync(REAL)) return undefined;
  const { spec } = load(readFileSync(REAL, 'utf8')) as Definition;
  const kept = spec.versions.filter(({ name }) => versions.includes(name));
  return {
    metadata: {},
    spec: { versions: kept.map((version) => ({ ...version, storage: version.name === versions.at(-1) })) },
  };
}

/** Installs a definition of MCPServer in place of the one that is there, with all its objects, and waits until it is served. */
export async function installMcpServers({ api }: Cluster, { spec }: Definition): Promise<void> {
  await removeMcpServers({ api });
  await api.create(PATH, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'mcpservers.toolhive.stacklok.dev' },
    spec: { group: 'toolhive.stacklok.dev', scope: 'Namespaced', names: NAMES, ...spec },
  });
  for (const { name } of spec.versions) {
    await api.until(`/apis/toolhive.stacklok.dev/${name}/mcpservers`, (list) => list !== undefined);
  }
  const isListed = ({ groups }: { groups: { name: string; versions: unknown[] }[] }): boolean =>
    groups.some(({ name, versions }) => name === 'toolhive.stacklok.dev' && versions.length === spec.versions.length);
  await api.until<Parameters<typeof isListed>[0]>('/apis', (groups) => groups !== undefined && isListed(groups));
}

/** Removes the definition, where there is one, and waits until the API server has forgotten it. */
export async function removeMcpServers({ api }: Pick<Cluster, 'api'>): Promise<void> {
  const name = `${PATH}/mcpservers.toolhive.stacklok.dev`;
  await api.delete(name);
  await api.until(name, (definition) => definition === undefined);
  await api.until<{ groups: { name: string }[] }>(
    '/apis',
    (list) => list?.groups.every((group) => group.name !== 'toolhive.stacklok.dev') === true,
  );
}
