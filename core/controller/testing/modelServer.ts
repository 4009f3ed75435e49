import { KubeApiError, KubeConnectionError, type KubeObject, type ListPage, type WatchEvent } from '../../kube';
import { keyOf, objectKey } from '../store';
import type { FakeClock } from './fakeClock';

/** How the next requests go wrong. `fine` ends all trouble. */
export type Mood =
  | 'fine'
  | 'unreachable'
  | 'throttled'
  | 'failing'
  | 'expired-answers'
  | 'expired-events'
  | 'too-new'
  | 'broken-lines'
  | 'cut'
  | 'silent'
  | 'short-windows'
  | 'pages-fail'
  | 'pages-expire'
  | 'pages-expire-for-good';

interface Entry {
  readonly version: number;
  readonly event: WatchEvent;
}

const LIST_PAGE = 2;
const PAGE_MS = 500;
const BOOKMARK_MS = 60_000;
const LOOK_MS = 1000;

/** One resource of an API server, as far as lists and watches go, with a history that is compacted and faults on demand. */
export class ModelServer {
  version = 10;
  mood: Mood = 'fine';
  bookmarks = true;
  objects = new Map<string, KubeObject>();
  /** Uids of objects that were deleted, or that a restore took back. */
  readonly gone = new Set<string>();
  lists = 0;
  watches = 0;
  private history: Entry[] = [];
  private floor = 0;
  private timeline = 0;
  private made = 0;

  constructor(private readonly clock: FakeClock) {}

  create(namespace: string, name: string): void {
    if (this.objects.has(keyOf(namespace, name))) return;
    this.made += 1;
    this.put('ADDED', { namespace, name, uid: `uid-${this.made}`, labels: { team: `t${this.made % 3}` } });
  }

  update(namespace: string, name: string): void {
    const before = this.objects.get(keyOf(namespace, name));
    if (before) this.put('MODIFIED', { ...before.metadata, labels: { team: `t${this.version % 3}` } });
  }

  delete(namespace: string, name: string): void {
    const before = this.objects.get(keyOf(namespace, name));
    if (before) this.put('DELETED', before.metadata);
  }

  get restored(): boolean {
    return this.timeline > 0;
  }

  compact(): void {
    this.floor = this.version;
  }

  snapshot(): { readonly version: number; readonly objects: ReadonlyMap<string, KubeObject> } {
    return { version: this.version, objects: new Map(this.objects) };
  }

  /** The cluster is restored from a backup: what came after did not happen, and its versions are given again. */
  restore(snapshot: ReturnType<ModelServer['snapshot']>): void {
    for (const { metadata } of this.objects.values()) this.gone.add(metadata.uid ?? '');
    this.timeline += 1;
    this.version = snapshot.version;
    this.objects = new Map(snapshot.objects);
    this.history = [];
    this.floor = snapshot.version;
  }

  async *pages(scope: string, signal: AbortSignal): AsyncGenerator<ListPage, void, undefined> {
    this.lists += 1;
    const first = this.version;
    let after = '';
    let inconsistent = false;
    for (let page = 0; ; page += 1) {
      await this.delay(PAGE_MS, signal);
      if (page > 0 && this.mood === 'pages-fail') throw unreachable();
      if (page > 0 && this.mood === 'pages-expire-for-good') throw expired();
      inconsistent ||= page > 0 && this.mood === 'pages-expire';
      this.refuse();
      // Without faults the list is of one moment; the model only approximates that where a test lets time go by.
      const source = inconsistent || page === 0 ? this.objects : this.at(first);
      const rest = [...source]
        .filter(([key]) => key > after && inScope(key, scope))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const items = rest.slice(0, LIST_PAGE);
      after = items.at(-1)?.[0] ?? after;
      const version = String(inconsistent ? this.version : first);
      const more = rest.length > LIST_PAGE ? { continue: after } : {};
      yield { items: items.map(([, object]) => object), resourceVersion: version, inconsistent, ...more };
      if (rest.length <= LIST_PAGE) return;
    }
  }

  async *watch(
    scope: string,
    version: string,
    seconds: number,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent, void, undefined> {
    this.watches += 1;
    const { timeline } = this;
    await this.delay(5, signal);
    this.refuse();
    if (this.mood === 'expired-answers' || Number(version) < this.floor) throw expired();
    if (this.mood === 'too-new') throw tooNew();
    const end = this.clock.monotonic() + seconds * 1000;
    let bookmarkAt = this.clock.monotonic() + BOOKMARK_MS;
    let at = Number(version);
    let sent = 0;
    /** The connection died without a word: nothing comes over it any more. */
    let dead = false;
    while (this.clock.monotonic() < end) {
      if (this.mood === 'short-windows' && sent > 1) return;
      if (this.mood === 'unreachable' || this.timeline !== timeline) throw unreachable();
      dead ||= this.mood === 'silent';
      if (!dead) {
        const next = this.history.find((entry) => entry.version > at);
        if (next) {
          if (sent > 0 && this.mood === 'cut') throw unreachable();
          if (sent > 0 && this.mood === 'expired-events') throw expired();
          if (this.mood === 'broken-lines') throw brokenLine();
          at = next.version;
          if (!inScope(objectKey(next.event.object), scope)) continue;
          sent += 1;
          yield next.event;
          continue;
        }
        if (this.bookmarks && this.clock.monotonic() >= bookmarkAt && this.version >= at) {
          bookmarkAt += BOOKMARK_MS;
          at = this.version;
          yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(at) } } };
        }
      }
      await this.delay(LOOK_MS, signal);
    }
  }

  private refuse(): void {
    if (this.mood === 'unreachable') throw unreachable();
    if (this.mood === 'failing') throw new KubeApiError('k8s_server_error', 'fault', { httpStatus: 500 });
    if (this.mood === 'throttled') {
      throw new KubeApiError('k8s_throttled', 'busy', { httpStatus: 429, retryAfterSeconds: 2 });
    }
  }

  /** The objects of a version, from those of now and what happened since. */
  private at(version: number): ReadonlyMap<string, KubeObject> {
    const objects = new Map<string, KubeObject>();
    const since = this.history.filter((entry) => entry.version > version);
    const touched = new Set(since.map(({ event }) => objectKey(event.object)));
    for (const [key, object] of this.objects) if (!touched.has(key)) objects.set(key, object);
    for (const { version: at, event } of this.history) {
      const key = objectKey(event.object);
      if (at > version || !touched.has(key)) continue;
      if (event.type === 'DELETED') objects.delete(key);
      else objects.set(key, event.object);
    }
    return objects;
  }

  private put(type: 'ADDED' | 'MODIFIED' | 'DELETED', metadata: KubeObject['metadata']): void {
    this.version += 1;
    const object = { metadata: { ...metadata, resourceVersion: String(this.version) } };
    this.history.push({ version: this.version, event: { type, object } });
    if (type !== 'DELETED') this.objects.set(objectKey(object), object);
    else {
      this.objects.delete(objectKey(object));
      this.gone.add(metadata.uid ?? '');
    }
  }

  private async delay(ms: number, signal: AbortSignal): Promise<void> {
    await this.clock.sleep(ms, signal);
    if (signal.aborted) throw new KubeConnectionError('k8s_aborted', 'stopped', { phase: 'answered' });
  }
}

function inScope(key: string, scope: string): boolean {
  return scope === '' || key.startsWith(`${scope}/`);
}

function unreachable(): Error {
  return new KubeConnectionError('k8s_unreachable', 'broken', { phase: 'sent', retryable: true });
}

function expired(): Error {
  return new KubeApiError('k8s_expired', 'too old', { httpStatus: 410 });
}

function tooNew(): Error {
  const causes = [{ reason: 'ResourceVersionTooLarge', field: undefined, message: undefined }];
  return new KubeApiError('k8s_server_error', 'too new', { httpStatus: 504, causes });
}

function brokenLine(): Error {
  return new KubeApiError('k8s_response_invalid', 'no event', { httpStatus: 200, details: { reason: 'broken' } });
}
