import { applied, managedFields, type Managers } from '../../../../core/components/testing/modelObjects';
import type { NavinError, ErrorCode } from '../../../../core/errors';
import type { Informer } from '../../../../core/controller';
import {
  apiVersionOf,
  KubeApiError,
  RESOURCES,
  type ApiResource,
  type KubeClient,
  type KubeObject,
} from '../../../../core/kube';
import { visible } from '../../../../core/components';

interface Stored {
  readonly object: KubeObject;
  readonly managers: Managers;
}

const NAMESPACE = 'apps';

/**
 * One namespace of an API server, and watches that show what happened only when they are told to: what falls in between no
 * real server does at will.
 */
export class FakeCluster {
  /** Requests in order: `apply deployments/web`, `try …` for a dry run. */
  readonly calls: string[] = [];
  /** Called before each of them; may change things, or throw. */
  before: (call: string) => unknown = () => undefined;
  private readonly stored = new Map<string, Stored>();
  private readonly shown = new Map<string, KubeObject>();
  private version = 100;

  /** Somebody makes or changes an object. */
  put(resource: ApiResource, object: KubeObject): KubeObject {
    const key = keyOf(resource, object.metadata.name);
    const before = this.stored.get(key);
    const metadata = { ...before?.object.metadata, ...object.metadata };
    const changed = { ...before?.object, ...object, metadata };
    return this.store(key, { object: changed, managers: before?.managers ?? new Map() });
  }

  erase({ plural }: ApiResource, name: string): void {
    this.stored.delete(`${plural}/${name}`);
  }

  find({ plural }: ApiResource, name: string): KubeObject | undefined {
    return this.stored.get(`${plural}/${name}`)?.object;
  }

  /** Watches show everything that has happened; what they are told of is returned as they name it. */
  show(): readonly string[] {
    const gone = [...this.shown.keys()].filter((key) => !this.stored.has(key));
    for (const key of gone) this.shown.delete(key);
    for (const [key, { object }] of this.stored) this.shown.set(key, object);
    return gone;
  }

  /** What a watch of a resource shows. */
  informer({ plural }: ApiResource, seen: (object: KubeObject) => KubeObject = visible): Informer {
    const get = (_: string | undefined, name: string): KubeObject | undefined => {
      const object = this.shown.get(`${plural}/${name}`);
      return object && seen(object);
    };
    return { get } as Partial<Informer> as Informer;
  }

  get client(): KubeClient {
    const client: Pick<KubeClient, 'get' | 'patch' | 'replace' | 'delete' | 'resourceFor'> = {
      get: async (resource, { name }) => {
        await this.call(`get ${keyOf(resource, name)}`);
        return this.read(keyOf(resource, name)).object;
      },
      patch: async (resource, { name }, patch, options = {}) => {
        const key = keyOf(resource, name);
        const word = patch.type === 'apply' ? (options.dryRun === true ? 'try' : 'apply') : 'patch';
        await this.call(`${word} ${key}`);
        const body = patch.body as KubeObject;
        if (patch.type !== 'apply') return this.merge(key, body);
        const before = this.stored.get(key);
        this.requireVersion(before?.object, body);
        const next = applied(before, body, options.fieldManager ?? '', patch.force ?? false);
        return options.dryRun === true ? { ...next.object } : this.store(key, next);
      },
      replace: async (resource, { name, subresource }, body) => {
        const key = keyOf(resource, name);
        await this.call(`write ${key}${subresource === undefined ? '' : ` ${subresource}`}`);
        const before = this.read(key);
        this.requireVersion(before.object, body as KubeObject);
        const { status } = body as KubeObject;
        return this.store(key, { ...before, object: { ...before.object, status } });
      },
      delete: async (resource, { name }) => {
        const key = keyOf(resource, name);
        await this.call(`delete ${key}`);
        this.read(key);
        this.stored.delete(key);
        return { kind: 'Status', metadata: {} };
      },
      resourceFor: (apiVersion, kind) => {
        const found = Object.values(RESOURCES).find(
          (resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion,
        );
        return found === undefined ? Promise.reject(refusal('k8s_not_found', 404)) : Promise.resolve(found);
      },
    };
    return client as KubeClient;
  }

  private async call(call: string): Promise<void> {
    this.calls.push(call);
    await this.before(call);
  }

  private merge(key: string, { metadata }: KubeObject): KubeObject {
    const before = this.read(key);
    this.requireVersion(before.object, { metadata });
    const { finalizers } = metadata;
    const object = { ...before.object, metadata: { ...before.object.metadata, ...(finalizers && { finalizers }) } };
    return this.store(key, { ...before, object });
  }

  private read(key: string): Stored {
    const stored = this.stored.get(key);
    if (stored === undefined) throw refusal('k8s_not_found', 404, { missing: 'object' });
    return stored;
  }

  private requireVersion(before: KubeObject | undefined, { metadata }: Pick<KubeObject, 'metadata'>): void {
    const { uid, resourceVersion } = metadata;
    const isNew = before === undefined && resourceVersion === '1';
    const isSame = before?.metadata.resourceVersion === resourceVersion && before?.metadata.uid === uid;
    if (!isNew && !isSame) throw refusal('k8s_conflict', 409);
  }

  private store(key: string, { object, managers }: Stored): KubeObject {
    this.version += 1;
    const version = String(this.version);
    const { uid = `uid-${version}` } = this.stored.get(key)?.object.metadata ?? {};
    const { generation = 1 } = object.metadata;
    const metadata = {
      ...object.metadata,
      ...{ namespace: NAMESPACE, uid, generation, resourceVersion: version, managedFields: managedFields(managers) },
    };
    const stored = { ...object, metadata } as KubeObject;
    this.stored.set(key, { object: stored, managers });
    return stored;
  }
}

function keyOf({ plural }: ApiResource, name = ''): string {
  return `${plural}/${name}`;
}

function refusal(code: ErrorCode, httpStatus: number, details: NavinError['details'] = {}): KubeApiError {
  return new KubeApiError(code, 'refused', { httpStatus, details });
}
