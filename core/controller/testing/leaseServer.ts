import { NavinError } from '../../errors';
import { KubeApiError, KubeConnectionError, type ApiResource, type KubeObject, type ObjectRef } from '../../kube';
import type { FakeClock } from './fakeClock';

/** How the requests of a client go wrong. `lost`: done, but the answer does not come. */
export type LeaseMood = 'fine' | 'unreachable' | 'failing' | 'lost' | 'hanging' | 'slow';

/** One lease of an API server. */
export class LeaseServer {
  lease: KubeObject | undefined;
  private version = 0;
  private uids = 0;

  get holder(): unknown {
    return (this.lease?.spec as Record<string, unknown> | undefined)?.holderIdentity;
  }

  /** Somebody labels it. */
  touch(): void {
    if (this.lease) this.store(this.lease, this.lease.metadata.uid);
  }

  delete(): void {
    this.lease = undefined;
  }

  read(): KubeObject {
    if (this.lease) return this.lease;
    throw new KubeApiError('k8s_not_found', 'none', { httpStatus: 404, details: { missing: 'object' } });
  }

  create(body: KubeObject): KubeObject {
    if (this.lease) throw new KubeApiError('k8s_already_exists', 'exists', { httpStatus: 409 });
    this.uids += 1;
    return this.store(body, `lease-${this.uids}`);
  }

  replace(body: KubeObject): KubeObject {
    const { uid, resourceVersion } = this.read().metadata;
    if (body.metadata.uid !== uid || body.metadata.resourceVersion !== resourceVersion) {
      throw new KubeApiError('k8s_conflict', 'changed', { httpStatus: 409 });
    }
    return this.store(body, uid);
  }

  private store(body: KubeObject, uid: string | undefined): KubeObject {
    this.version += 1;
    this.lease = {
      ...body,
      metadata: { ...body.metadata, uid, resourceVersion: String(this.version) } as KubeObject['metadata'],
    };
    return this.lease;
  }
}

/** A client of it, by the clock of its process, with faults on demand. */
export class LeaseClient {
  mood: LeaseMood = 'fine';
  requests = 0;

  constructor(
    private readonly server: LeaseServer,
    private readonly clock: FakeClock,
  ) {}

  get(_: ApiResource, __: ObjectRef, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<KubeObject> {
    return this.send(() => this.server.read(), options.signal);
  }

  create(
    _: ApiResource,
    __: object,
    body: object,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<KubeObject> {
    return this.send(() => this.server.create(body as KubeObject), options.signal);
  }

  replace(
    _: ApiResource,
    __: ObjectRef,
    body: object,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<KubeObject> {
    return this.send(() => this.server.replace(body as KubeObject), options.signal);
  }

  private async send(run: () => KubeObject, signal: AbortSignal | undefined): Promise<KubeObject> {
    this.requests += 1;
    const { mood } = this;
    await this.pause(mood === 'slow' ? 2500 : 20, signal);
    if (mood === 'unreachable') throw new KubeConnectionError('k8s_unreachable', 'no', { phase: 'connecting' });
    if (mood === 'failing') throw new KubeApiError('k8s_server_error', 'no', { httpStatus: 500 });
    if (mood === 'hanging') await this.pause(60_000, signal);
    const answer = run();
    if (mood === 'lost') throw new NavinError('k8s_outcome_unknown', 'who knows');
    await this.pause(20, signal);
    return answer;
  }

  private async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await this.clock.sleep(ms, signal);
    if (signal?.aborted) throw new KubeConnectionError('k8s_aborted', 'stopped', { phase: 'sent' });
  }
}
