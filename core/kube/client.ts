import type { ClusterTarget } from '../kubeconfig';
import { reviewAccess, whoAmI, type AccessReview, type UserInfo } from './access';
import { RESOURCES, type ApiResource } from './apiResource';
import { runCommand, type CommandOptions, type CommandResult } from './command';
import { clientMeans, type ClientMeans, type KubeClientOptions } from './clientOptions';
import { defaultContainer } from './containers';
import type { DiscoveryFailure } from './discovery';
import { KubeApiError, responseError } from './errors';
import { followLog, type FollowOptions } from './followLog';
import { readHealth, type Health, type HealthEndpoint } from './health';
import { isKubeObject, isRecord, type KubeObject, type ObjectRef } from './kubeObject';
import { listPage, type ListOptions, type ListPage, packedPage } from './lists';
import { logText, readLog, type LogBytes, type LogOptions, type LogText, type PodRef } from './logs';
import { NamespaceMemory } from './namespaceMemory';
import type { PackedItems } from './packedItems';
import { listPages, type PagesOptions } from './pages';
import { readObjectRequest, type ReadOptions } from './reads';
import type { AccessAttributes } from './rbac';
import type { Requester, ApiRequest } from './requester';
import { ResourceCatalog } from './resourceCatalog';
import { readVersion, type VersionInfo } from './version';
import { readWatch, type WatchEvent, type WatchOptions } from './watch';
import {
  createRequest,
  deleteRequest,
  patchRequest,
  replaceRequest,
  type CreateRef,
  type DeleteOptions,
  type Patch,
  type WriteOptions,
} from './writes';

/**
 * The API of one cluster for one identity: raw JSON in and out. Everything it raises is a `NavinError`; what the API
 * server refuses is a {@link KubeApiError}.
 */
export class KubeClient {
  readonly target: ClusterTarget;
  private readonly requester: Requester;
  private readonly catalog: ResourceCatalog;
  /** Absent: a missing namespace is not told from a missing object. */
  private readonly namespaces: NamespaceMemory | undefined;
  private readonly closing = new AbortController();
  private readonly means: ClientMeans;

  constructor(options: KubeClientOptions) {
    this.target = options.target;
    this.means = clientMeans(options, this.closing.signal);
    this.requester = this.means.requester;
    this.catalog = new ResourceCatalog(this.requester, this.means.now);
    const { looksForNamespaces = true } = options;
    this.namespaces = looksForNamespaces ? new NamespaceMemory(this.requester, this.means.now) : undefined;
  }

  /** @throws NavinError `k8s_not_kubernetes` when the server answers otherwise than an API server */
  version(signal?: AbortSignal): Promise<VersionInfo> {
    return readVersion(this.requester, signal);
  }

  /**
   * The resource a name means: kind, plural, singular, short name, `kind.group`, `plural.group`, `group/version/kind`.
   *
   * @throws NavinError `k8s_not_found` with `details.suggestions`
   */
  resource(name: string, signal?: AbortSignal): Promise<ApiResource> {
    return this.catalog.resource(name, signal);
  }

  /** The resource of an object by its `apiVersion` and `kind`. @throws NavinError `k8s_not_found` */
  resourceFor(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ApiResource> {
    return this.catalog.resourceFor(apiVersion, kind, signal);
  }

  /** Every resource the cluster serves, each in the version it prefers. */
  resources(signal?: AbortSignal): Promise<readonly ApiResource[]> {
    return this.catalog.resources(signal);
  }

  /** Groups whose resources could not be read (an aggregated API that is down). */
  discoveryFailures(signal?: AbortSignal): Promise<readonly DiscoveryFailure[]> {
    return this.catalog.failures(signal);
  }

  /** @throws KubeApiError `k8s_not_found` with `details.missing`: `object`, `namespace` or `kind` */
  async get(resource: ApiResource, ref: ObjectRef, options: ReadOptions = {}): Promise<KubeObject> {
    const request = readObjectRequest(resource, this.placed(resource, ref), options.signal);
    return options.looksForNamespace === false ? objectOf(await this.requester.json(request)) : this.object(request);
  }

  /** One page. */
  async list(resource: ApiResource, options: ListOptions = {}): Promise<ListPage> {
    return listPage(this.requester, resource, options);
  }

  /** All pages; the next is fetched while the last is used. {@link listPages} says how expiry is handled. */
  pages(resource: ApiResource, options: PagesOptions = {}): AsyncGenerator<ListPage, void, undefined> {
    return listPages((page, observer) => listPage(this.requester, resource, page, observer), options);
  }

  /** The same with objects that are parsed one by one, so that a list of any length takes the memory of a page. */
  packedPages(
    resource: ApiResource,
    options: PagesOptions = {},
  ): AsyncGenerator<ListPage<PackedItems>, void, undefined> {
    return listPages((page, observer) => packedPage(this.requester, resource, page, observer), options);
  }

  async create(resource: ApiResource, ref: CreateRef, body: object, options: WriteOptions = {}): Promise<KubeObject> {
    return this.object(createRequest(resource, this.placed(resource, ref), body, options));
  }

  async replace(resource: ApiResource, ref: ObjectRef, body: object, options: WriteOptions = {}): Promise<KubeObject> {
    return this.object(replaceRequest(resource, this.placed(resource, ref), body, options));
  }

  /** @throws KubeApiError `k8s_conflict` with `conflicts` when fields of an apply belong to other managers */
  async patch(resource: ApiResource, ref: ObjectRef, patch: Patch, options: WriteOptions = {}): Promise<KubeObject> {
    return this.object(patchRequest(resource, this.placed(resource, ref), patch, options));
  }

  /** Answers the object as it ends, or a Status of success when it is gone at once. */
  async delete(resource: ApiResource, ref: ObjectRef, options: DeleteOptions = {}): Promise<KubeObject> {
    return this.object(deleteRequest(resource, this.placed(resource, ref), options));
  }

  /** One window of a watch. {@link readWatch} says how it ends. */
  watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
    return readWatch(this.requester, resource, options, this.means.now);
  }

  /**
   * The log of a container. Without `container` it is the default container of the Pod.
   *
   * @throws NavinError `k8s_parameter_invalid` naming the containers when there are several and none is the default;
   * `k8s_not_found` with `details.log` (`waiting`, `no-previous`, `gone`) when there is no log
   */
  async logs(ref: PodRef, options: LogOptions = {}): Promise<LogText> {
    return logText(await this.logBytes(ref, options));
  }

  /** The same, byte for byte. */
  async logBytes(ref: PodRef, options: LogOptions = {}): Promise<LogBytes> {
    try {
      return await this.explained(ref, () => readLog(this.means, ref, options));
    } catch (error) {
      const container = await this.containerFor(error, ref, options);
      return readLog(this.means, ref, { ...options, container });
    }
  }

  /** The log of one run of a container, line by line, to its end. {@link followLog} says what is guaranteed. */
  followLogs(ref: PodRef, options: FollowOptions = {}): AsyncGenerator<string, void, undefined> {
    const means = { ...this.means, readPod: (signal?: AbortSignal) => this.readPod(ref, signal) };
    return followLog(means, ref, options);
  }

  /** Runs a command in a container. {@link runCommand} says how it ends. */
  run(ref: PodRef, options: CommandOptions): Promise<CommandResult> {
    return this.explained(ref, () => runCommand(this.means.upgrade, ref, options));
  }

  /** Whether the credential has a right (SelfSubjectAccessReview). Nothing is created. */
  reviewAccess(attributes: AccessAttributes, signal?: AbortSignal): Promise<AccessReview> {
    return reviewAccess(this.requester, attributes, signal);
  }

  /** Who the credential is. @throws NavinError `k8s_unsupported` before Kubernetes 1.27 */
  whoAmI(signal?: AbortSignal): Promise<UserInfo> {
    return whoAmI(this.requester, signal);
  }

  /** The checks of the API server about itself; a check that fails is an answer. */
  health(endpoint: HealthEndpoint, signal?: AbortSignal): Promise<Health> {
    return readHealth(this.requester, endpoint, signal);
  }

  /** Stops what is under way. Connections go to the next client of the same target, or are closed after a minute. */
  close(): void {
    this.closing.abort();
  }

  /** An object in a namespace of a namespaced resource: that of the target where none is given. */
  private placed<T extends CreateRef>(resource: ApiResource, ref: T): T & { readonly namespace: string | undefined } {
    return { ...ref, namespace: resource.namespaced ? (ref.namespace ?? this.target.namespace) : undefined };
  }

  private readPod(ref: PodRef, signal: AbortSignal | undefined): Promise<KubeObject> {
    return this.get(RESOURCES.pods, ref, signal ? { signal } : {});
  }

  private async object(request: ApiRequest): Promise<KubeObject> {
    return objectOf(await this.explained(request.subject, () => this.requester.json(request)));
  }

  /** Runs a request about an object; when the object is not found, finds out whether its namespace is what is missing. */
  private async explained<T>(
    subject: { readonly namespace?: string | undefined } | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.namespaces === undefined ? error : await this.namespaces.explain(error, subject?.namespace);
    }
  }

  /** The container to read when the API server could not choose. @throws what was raised when that is not the problem */
  private async containerFor(error: unknown, ref: PodRef, options: LogOptions): Promise<string> {
    const problem = error instanceof KubeApiError ? error.details.log : undefined;
    if (problem !== 'choose-container' && problem !== 'unknown-container') throw error;
    const pod = await this.readPod(ref, options.signal).catch(() => {
      // The Pod may not be read: what the API server said has to do.
      throw error;
    });
    return defaultContainer(pod, options.container);
  }
}

function objectOf(answer: unknown): KubeObject {
  if (!isRecord(answer) || typeof answer.kind !== 'string') throw responseError('The answer is no Kubernetes object.');
  return isKubeObject(answer) ? answer : { ...answer, metadata: {} };
}
