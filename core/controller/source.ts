import {
  apiVersionOf,
  type ApiResource,
  type KubeClient,
  type KubeObject,
  type ListPage,
  type WatchEvent,
} from '../kube';

/**
 * Where an informer gets its objects. A scope is a namespace; '' is all namespaces, or a resource that has none. Every
 * call ends soon after its signal aborts.
 */
export interface Source {
  /** A consistent list, page by page. Its first page has the version to watch from. */
  pages(scope: string, signal: AbortSignal): AsyncIterable<ListPage>;
  /** One window of a watch: what happened after a version. */
  watch(scope: string, version: string, seconds: number, signal: AbortSignal): AsyncIterable<WatchEvent>;
}

/** Which objects of a resource. */
export interface SourceFilter {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Whether `managedFields` stay: they are a third of an object. Default false. */
  readonly managedFields?: boolean | undefined;
}

/** Objects of the API server, all with `apiVersion` and `kind`, which lists leave out. */
export function kubeSource(client: KubeClient, resource: ApiResource, filter: SourceFilter = {}): Source {
  const identity = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const { managedFields = false, ...selection } = filter;
  const placed = (scope: string) => ({ ...selection, namespace: scope === '' ? undefined : scope });
  return {
    async *pages(scope, signal) {
      for await (const page of client.pages(resource, {
        ...placed(scope),
        dropManagedFields: !managedFields,
        signal,
      })) {
        yield { ...page, items: page.items.map((item) => ({ ...identity, ...item })) };
      }
    },
    async *watch(scope, resourceVersion, timeoutSeconds, signal) {
      const window = { ...placed(scope), resourceVersion, timeoutSeconds, signal };
      for await (const { type, object } of client.watch(resource, window)) {
        yield { type, object: managedFields ? object : withoutManagedFields(object) };
      }
    },
  };
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata };
  Reflect.deleteProperty(metadata, 'managedFields');
  return { ...object, metadata };
}
