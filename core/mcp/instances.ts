import { RESOURCES, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import {
  hasInstanceLabel,
  INSTANCE_SELECTOR,
  isInstanceNamespace,
  NAMESPACE_SELECTOR,
  PROJECT_LABEL,
  TENANT_LABEL,
} from './names';

/** Of which instances; an absent one means all of them. */
export interface InstanceFilter {
  readonly tenant?: string | undefined;
  readonly project?: string | undefined;
}

/** The names of the namespaces that instances may be in. */
export async function instanceNamespaces(client: KubeClient): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const options = { labelSelector: NAMESPACE_SELECTOR, metadataOnly: true };
  for await (const { items } of client.pages(RESOURCES.namespaces, options)) {
    for (const { metadata } of items) {
      if (metadata.name !== undefined && isInstanceNamespace(metadata.name)) names.add(metadata.name);
    }
  }
  return names;
}

/**
 * The managed instances of all namespaces, page by page. The API server selects by tenant and project.
 *
 * @throws NavinError of the requests
 */
export async function* managedInstances(
  client: KubeClient,
  resource: ApiResource,
  filter: InstanceFilter = {},
): AsyncGenerator<readonly KubeObject[], void, undefined> {
  const namespaces = await instanceNamespaces(client);
  const options = { labelSelector: selectorOf(filter), dropManagedFields: true };
  for await (const { items } of client.pages(resource, options)) {
    yield items.filter(({ metadata }) => hasInstanceLabel(metadata.labels) && namespaces.has(metadata.namespace ?? ''));
  }
}

/** Whether a text can be the value of a label; no other text may come into a selector. */
export function isLabelValue(text: string): boolean {
  return /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(text);
}

function selectorOf({ tenant, project }: InstanceFilter): string {
  const more = [
    ...(tenant === undefined ? [] : [`${TENANT_LABEL}=${tenant}`]),
    ...(project === undefined ? [] : [`${PROJECT_LABEL}=${project}`]),
  ];
  return [INSTANCE_SELECTOR, ...more].join(',');
}
