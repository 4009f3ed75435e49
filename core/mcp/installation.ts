import { isNavinError, NavinError } from '../errors';
import { ifFound, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { COMPONENT_GROUP } from '../components';
import { RUNTIME_COMPONENTS, runtimeComponents } from './charts';
import { alreadyInstalled } from './errors';
import { RUNTIME_NAMESPACE } from './names';

/** ManagedComponents; undefined where the cluster does not serve them. */
export async function managedComponents(client: KubeClient): Promise<ApiResource | undefined> {
  return ifFound(client.resource(`managedcomponents.${COMPONENT_GROUP}`));
}

/** The ManagedComponents of ToolHive that are there, in the order of their installation. */
export async function readRuntimeComponents(client: KubeClient, resource: ApiResource): Promise<readonly KubeObject[]> {
  const found = RUNTIME_COMPONENTS.map((name) =>
    ifFound(client.get(resource, { namespace: RUNTIME_NAMESPACE, name }, { looksForNamespace: false })),
  );
  return (await Promise.all(found)).filter((object) => object !== undefined);
}

/**
 * Writes the ManagedComponents of ToolHive, definitions first. All are tried without storing them before the first is
 * written, so that neither a refusal nor one that is there already leaves one of them alone.
 *
 * @returns what was stored; with `dryRun` what would be
 * @throws NavinError `mcp_runtime_installed` when one exists; `k8s_unsupported` when the cluster serves no ManagedComponents;
 * that of the request, which names what was written already
 */
export async function installRuntime(
  client: KubeClient,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<readonly KubeObject[]> {
  const resource = await managedComponents(client);
  if (resource === undefined) throw noPlatform();
  // Whoever may write them but not see how they do learns that before anything is written.
  await readRuntimeComponents(client, resource);
  const tried = await createAll(client, resource, { dryRun: true });
  return dryRun ? tried : createAll(client, resource, { dryRun: false });
}

async function createAll(
  client: KubeClient,
  resource: ApiResource,
  options: { readonly dryRun: boolean },
): Promise<readonly KubeObject[]> {
  const created: KubeObject[] = [];
  for (const body of runtimeComponents()) {
    try {
      created.push(
        await client.create(resource, { namespace: RUNTIME_NAMESPACE }, body, {
          ...options,
          fieldValidation: 'Strict',
        }),
      );
    } catch (error) {
      throw installationError(error, body.metadata.name ?? '', options.dryRun ? [] : created);
    }
  }
  return created;
}

/** One is there already, or the second was not written though the first was. */
function installationError(error: unknown, name: string, written: readonly KubeObject[]): unknown {
  if (!isNavinError(error)) return error;
  const names = written.map(({ metadata }) => metadata.name ?? '');
  if (error.code === 'k8s_already_exists' && names.length === 0) return alreadyInstalled(name);
  if (names.length === 0) return error;
  return new NavinError(error.code, `${names.join(' and ')} was written, ${name} was not: ${error.message}`, {
    hint: `Remove the ManagedComponent ${names.join(' and ')}, put right what is wrong, and install again.`,
    details: { ...error.details, written: names },
    cause: error,
  });
}

function noPlatform(): NavinError {
  return new NavinError(
    'k8s_unsupported',
    'The cluster serves no ManagedComponents: the Navin Platform Operator is not installed',
    {
      hint: 'The administrator of the cluster installs its definition and the operator (operator/README.md).',
      details: { resource: `managedcomponents.${COMPONENT_GROUP}` },
    },
  );
}
