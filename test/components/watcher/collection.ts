import { eventually, pause, type Api } from '../../cluster/api';
import type { ServerObject } from '../../cluster';
import { seen } from './projection';
import type { Kind, Seen } from './seen';

/** Something that was seen, at a version of the whole cluster: etcd counts all kinds together. */
export interface Observation {
  readonly revision: number;
  /** When it was heard of, in ms. */
  readonly at: number;
  /** When it happened at the earliest, in ms: earlier where the watch had been interrupted. */
  readonly since: number;
  readonly seen: Seen;
  /** It was deleted. */
  readonly isGone: boolean;
  /** It was there before anybody looked. */
  readonly isOld: boolean;
}

/** A stretch of history that nobody can tell about any more. */
export interface Blind {
  readonly from: number;
  readonly to: number;
  /** When somebody looked again, in ms. */
  readonly at: number;
}

/** Whom a {@link Collection} tells. */
export interface Listener {
  onSeen(observation: Observation): void;
  onBlind(blind: Blind): void;
}

const PAUSE_MS = 100;
const MAX_BROKEN = 300;
/** So long after it goes on a watch tells what happened before, in ms. */
const CATCHING_UP_MS = 1_000;

interface WatchLine {
  readonly type: string;
  readonly object: ServerObject;
}

interface ObjectList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly ServerObject[];
}

/** All objects of a kind in a namespace, followed by a plain list and watch. */
export class Collection {
  /** Version of each object that is there, by uid, and of the deletion of each that went since the last fence. */
  private readonly present = new Map<string, number>();
  private readonly gone = new Map<string, number>();
  private readonly shapes = new Map<string, Seen>();
  private readonly ending = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private version = '';
  /** When the watch was interrupted last, and when it went on. */
  private brokenAt = 0;
  private resumedAt = -Infinity;
  private failure: Error | undefined;

  private constructor(
    private readonly api: Api,
    readonly kind: Kind,
    private readonly path: string,
    private readonly listener: Listener,
  ) {}

  static async follow(api: Api, kind: Kind, path: string, listener: Listener): Promise<Collection> {
    const collection = new Collection(api, kind, path, listener);
    const list = await collection.list();
    for (const object of list.items) collection.take(object, Number(object.metadata.resourceVersion), true);
    collection.version = list.metadata.resourceVersion;
    collection.ended = collection.watch();
    return collection;
  }

  /**
   * Waits until everything is told that has happened by now.
   *
   * @returns up to which version
   */
  async fence(): Promise<number> {
    let reached = 0;
    await eventually(
      async () => {
        if (this.failure !== undefined) return true;
        const list = await this.list();
        reached = Number(list.metadata.resourceVersion);
        return this.hasSeen(list, reached);
      },
      `the watcher to see all of ${this.path}`,
      60_000,
    );
    if (this.failure !== undefined) throw this.failure;
    this.gone.clear();
    return reached;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.ended;
  }

  private hasSeen({ items }: ObjectList, reached: number): boolean {
    const listed = new Set(items.map(({ metadata }) => metadata.uid));
    return (
      items.every(({ metadata }) => {
        const known = this.present.get(metadata.uid) ?? this.gone.get(metadata.uid) ?? 0;
        return known >= Number(metadata.resourceVersion);
      }) && [...this.present].every(([uid, version]) => listed.has(uid) || version > reached)
    );
  }

  /** Asks until there is an answer: the API server may be away, or not serve a new kind yet. */
  private async list(): Promise<ObjectList> {
    let found: ObjectList | undefined;
    await eventually(async () => {
      found = await this.api.get<ObjectList>(this.path);
      return true;
    }, `a list of ${this.path}`);
    if (found === undefined) throw new Error('impossible: a list was awaited');
    return found;
  }

  /** Goes on from the last version when a window ends, or the API server is away. */
  private async watch(): Promise<void> {
    const { signal } = this.ending;
    for (let broken = 0; !isOver(signal); broken += 1) {
      const before = this.version;
      try {
        const query = `watch=1&allowWatchBookmarks=1&resourceVersion=${this.version}`;
        for await (const line of this.api.lines(`${this.path}?${query}`, signal)) {
          if (this.resumedAt < this.brokenAt) this.resumedAt = performance.now();
          await this.read(line);
        }
      } catch (error) {
        if (!isOver(signal) && broken >= MAX_BROKEN) {
          this.failure = new Error(`The watcher cannot watch ${this.path}.`, { cause: error });
          return;
        }
      }
      if (this.resumedAt >= this.brokenAt) this.brokenAt = performance.now();
      if (this.version !== before) broken = 0;
      if (!isOver(signal)) await pause(PAUSE_MS);
    }
  }

  private async read(line: string): Promise<void> {
    const { type, object } = JSON.parse(line) as WatchLine;
    if (type === 'ERROR') {
      await this.resume();
      return;
    }
    this.version = object.metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    const revision = Number(this.version);
    if (type !== 'DELETED') this.take(object, revision, false);
    else this.lose(object.metadata.uid, seen(this.kind, object), revision);
  }

  /** The history from the last version on is gone: what is there now is taken as it is. */
  private async resume(): Promise<void> {
    const list = await this.list();
    const to = Number(list.metadata.resourceVersion);
    this.listener.onBlind({ from: Number(this.version), to, at: performance.now() });
    const listed = new Set(list.items.map(({ metadata }) => metadata.uid));
    for (const [uid, shape] of [...this.shapes]) if (!listed.has(uid)) this.lose(uid, shape, to);
    for (const object of list.items) {
      const revision = Number(object.metadata.resourceVersion);
      if (this.present.get(object.metadata.uid) !== revision) this.take(object, revision, false);
    }
    this.version = list.metadata.resourceVersion;
  }

  private take(object: ServerObject, revision: number, isOld: boolean): void {
    const shape = seen(this.kind, object);
    this.present.set(shape.uid, revision);
    this.shapes.set(shape.uid, shape);
    this.tell(shape, revision, { isGone: false, isOld });
  }

  private lose(uid: string, shape: Seen, revision: number): void {
    this.present.delete(uid);
    this.shapes.delete(uid);
    this.gone.set(uid, revision);
    this.tell(shape, revision, { isGone: true, isOld: false });
  }

  private tell(shape: Seen, revision: number, how: { readonly isGone: boolean; readonly isOld: boolean }): void {
    const at = performance.now();
    const isLate = at - this.resumedAt < CATCHING_UP_MS;
    this.listener.onSeen({ revision, at, since: isLate ? this.brokenAt : at, seen: shape, ...how });
  }
}

function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
