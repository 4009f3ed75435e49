import { NavinError } from '../../errors';
import { KubeApiError, type ListPage, type WatchEvent } from '../../kube';
import type { Clock, ClusterPort } from '../ports';
import type { ClusterModel, Selection } from './clusterModel';

/** What goes wrong with the next request of a kind. */
export type ClusterFault =
  /** Nothing answers. */
  | 'down'
  /** The stream is cut after some events, in the middle of a line. */
  | 'cut'
  /** Nothing comes any more and the window does not end. */
  | 'stall'
  /** Every event is sent twice. */
  | 'repeat'
  /** ERROR event: too old. */
  | 'expired'
  /** 504, too large resource version. */
  | 'too-large'
  /** An event that is larger than the client reads. */
  | 'too-long'
  /** A page's continue token has expired: the rest is of another moment. */
  | 'inconsistent'
  /** The list breaks off after a page. */
  | 'list-cut';

/** A cluster model as the engine sees it, with faults by plan. */
export class FaultyCluster implements ClusterPort {
  /** Faults of the requests to come, first to last. */
  readonly plan: ClusterFault[] = [];
  /** Nothing answers until it is false again. */
  down = false;
  windows = 0;
  /** Events that were taken from a watch. */
  handedOut = 0;
  /** Called with each newest version that a scope is told of, by itself or with a list. */
  onLook: (scope: string, version: number) => void = () => undefined;

  constructor(
    private readonly model: ClusterModel,
    private readonly clock: Clock,
    private readonly app: string | undefined,
    private readonly random: () => number,
  ) {}

  async identity(signal: AbortSignal): Promise<{ server: string; uid: string | undefined }> {
    await this.travel(signal);
    return { server: 'server', uid: this.model.uid };
  }

  async newest(scope: string, signal: AbortSignal): Promise<string> {
    await this.travel(signal);
    this.onLook(scope, this.model.version);
    return String(this.model.version);
  }

  async *pages(
    scope: string,
    options: { readonly pageSize: number; readonly metadataOnly: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<ListPage, void, undefined> {
    await this.travel(signal);
    const fault = this.take(['inconsistent', 'list-cut']);
    const size = 1 + Math.floor(this.random() * 4);
    this.onLook(scope, this.model.version);
    const version = String(this.model.version);
    let rest = [...this.model.list(this.selection(scope))];
    let inconsistent = false;
    for (;;) {
      const items = rest.splice(0, size).map((item) => (options.metadataOnly ? { metadata: item.metadata } : item));
      yield { items, resourceVersion: version, inconsistent };
      if (rest.length === 0) return;
      await this.travel(signal);
      if (fault === 'list-cut') throw down();
      if (fault !== 'inconsistent' || inconsistent) continue;
      inconsistent = true;
      const last = items.at(-1)?.metadata;
      const reached = `${last?.namespace ?? ''}/${last?.name ?? ''}`;
      rest = this.model
        .list(this.selection(scope))
        .filter(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}` > reached);
    }
  }

  async *watch(
    scope: string,
    version: string,
    seconds: number,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    this.windows += 1;
    await this.travel(signal);
    const fault = this.take(['cut', 'stall', 'repeat', 'expired', 'too-large', 'too-long']);
    if (fault === 'too-large') throw tooLarge();
    let cursor = Number(version);
    if (cursor < this.model.floor || fault === 'expired') throw new NavinError('k8s_expired', 'Too old.');
    const end = this.clock.monotonic() + seconds * 1000;
    const { timeline } = this.model;
    let left = fault === 'cut' || fault === 'too-long' ? Math.floor(this.random() * 3) : Number.POSITIVE_INFINITY;
    let bookmark = this.random() < 0.7 ? this.clock.monotonic() + 1000 : Number.POSITIVE_INFINITY;
    while (this.clock.monotonic() < end || fault === 'stall') {
      if (signal.aborted) throw new NavinError('k8s_aborted', 'Stopped.');
      // A cluster that is set back or exchanged closes its connections.
      if (this.down || this.model.timeline !== timeline) throw down();
      for (const event of fault === 'stall' ? [] : this.model.after(cursor, this.selection(scope))) {
        if (left <= 0) throw fault === 'cut' ? cut() : tooLong();
        left -= 1;
        cursor = Number(event.object.metadata.resourceVersion);
        this.handedOut += 1;
        yield event;
        if (fault === 'repeat') yield event;
      }
      if (this.clock.monotonic() >= bookmark && cursor < this.model.version && fault !== 'stall') {
        bookmark = Number.POSITIVE_INFINITY;
        cursor = this.model.version;
        yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(cursor) } } };
      }
      await this.clock.sleep(500, signal);
    }
    if (left !== Number.POSITIVE_INFINITY) throw fault === 'cut' ? cut() : tooLong();
  }

  async read(namespace: string, name: string, signal: AbortSignal): Promise<WatchEvent['object'] | undefined> {
    await this.travel(signal);
    return this.model
      .list(this.selection(namespace))
      .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  }

  private selection(scope: string): Selection {
    return { scope, app: this.app };
  }

  private async travel(signal: AbortSignal): Promise<void> {
    await this.clock.sleep(1 + this.random() * 20, signal);
    if (signal.aborted) throw new NavinError('k8s_aborted', 'Stopped.');
    if (this.down || this.take(['down']) === 'down') throw down();
  }

  private take(kinds: readonly ClusterFault[]): ClusterFault | undefined {
    const [next] = this.plan;
    if (next === undefined || !kinds.includes(next)) return undefined;
    return this.plan.shift();
  }
}

function down(): NavinError {
  return new NavinError('k8s_unreachable', 'Nothing answers.');
}

function cut(): NavinError {
  return new NavinError('k8s_response_invalid', 'Cut in the middle of an event.', { details: { reason: 'cut' } });
}

function tooLong(): NavinError {
  return new NavinError('k8s_response_invalid', 'Too long.', { details: { reason: 'too-long' } });
}

function tooLarge(): KubeApiError {
  return new KubeApiError('k8s_server_error', 'Too large resource version.', {
    httpStatus: 504,
    causes: [{ reason: 'ResourceVersionTooLarge', field: undefined, message: undefined }],
  });
}
