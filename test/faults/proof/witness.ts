import { pause, type Api } from '../../cluster/api';
import type { ServerObject } from '../../cluster';
import { PICK_LABEL, type ObjectKind } from './kinds';

/** An object at a version, as far as verdicts need it. */
export interface Shape {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  /** Value of the label that selectors look at. */
  readonly pick: string;
  /** {@link ObjectKind.markOf} */
  readonly mark: string;
}

/** Something that happened. Without `before` the object was made, without `after` it was deleted. */
export interface HistoryEntry {
  readonly version: number;
  readonly before: Shape | undefined;
  readonly after: Shape | undefined;
}

const PAUSE_MS = 100;
const MAX_BROKEN = 50;

interface WatchLine {
  readonly type: string;
  readonly object: ServerObject;
}

/**
 * The independent record of what happened to all objects of a kind: a plain watch straight to the API server, by the
 * witness client, which shares no code with core/ and passes no proxy.
 */
export class Witness {
  private readonly present = new Map<string, Shape>();
  private readonly byNamespace = new Map<string, HistoryEntry[]>();
  private readonly waiting = new Set<() => void>();
  private watching = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private failure: Error | undefined;
  /** Up to which everything was seen. */
  private version = '';

  private constructor(
    private readonly api: Api,
    private readonly kind: ObjectKind,
    /** Whose history is kept. */
    private readonly prefix: string,
  ) {}

  /** @param prefix what the names of the namespaces begin with whose history is kept */
  static async start(api: Api, kind: ObjectKind, prefix: string): Promise<Witness> {
    const witness = new Witness(api, kind, prefix);
    await witness.begin();
    return witness;
  }

  /** What there is in some namespaces, and from now on what happens there. */
  recordOf(namespaces: readonly string[]): { readonly before: readonly Shape[]; entries(): readonly HistoryEntry[] } {
    const before = [...this.present.values()].filter(({ namespace }) => namespaces.includes(namespace));
    for (const namespace of namespaces) this.byNamespace.set(namespace, []);
    return {
      before,
      entries: () =>
        namespaces
          .flatMap((namespace) => this.byNamespace.get(namespace) ?? [])
          .sort((left, right) => left.version - right.version),
    };
  }

  /** Waits until something is in the record. @throws Error when it is not within a minute, or the watch broke */
  async until(holds: () => boolean, what: string): Promise<void> {
    const end = performance.now() + 60_000;
    for (;;) {
      const last = performance.now() > end;
      if (this.failure) throw this.failure;
      if (holds()) return;
      if (last) throw new Error(`The witness did not see ${what}.`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Whether an object is there at just this version (0: is not there). */
  knows(uid: string, version: number): boolean {
    return (this.present.get(uid)?.version ?? 0) === version;
  }

  /** Stops looking: nothing may happen until {@link resume}. */
  async suspend(): Promise<void> {
    this.watching.abort();
    await this.ended;
  }

  /** Goes on. @throws Error when something has happened in between */
  async resume(): Promise<void> {
    const known = new Map(this.present);
    await this.begin();
    for (const [uid, shape] of this.present) {
      if (known.get(uid)?.version !== shape.version) throw new Error(`${shape.name} changed while nobody looked.`);
      known.delete(uid);
    }
    const [gone] = known.values();
    if (gone) throw new Error(`${gone.name} went while nobody looked.`);
  }

  async stop(): Promise<void> {
    await this.suspend();
  }

  private async begin(): Promise<void> {
    const path = this.kind.path();
    const list = await this.api.get<{ metadata: { resourceVersion: string }; items: ServerObject[] }>(path);
    this.present.clear();
    for (const object of list.items) {
      const shape = this.shapeOf(object);
      if (shape) this.present.set(shape.uid, shape);
    }
    this.version = list.metadata.resourceVersion;
    this.watching = new AbortController();
    this.ended = this.watch(this.watching.signal);
  }

  /** Goes on from the last version when a window ends: the API server ends those of clients that are slow to read. */
  private async watch(signal: AbortSignal): Promise<void> {
    const stopped = (): boolean => signal.aborted || this.failure !== undefined;
    for (let broken = 0; !stopped(); broken += 1) {
      const before = this.version;
      try {
        const query = `watch=1&allowWatchBookmarks=1&resourceVersion=${this.version}`;
        for await (const line of this.api.lines(`${this.kind.path()}?${query}`, signal)) this.take(line);
      } catch (error) {
        if (!stopped() && broken >= MAX_BROKEN) this.fail(new Error('The witness cannot watch.', { cause: error }));
      }
      if (this.version !== before) broken = 0;
      if (!stopped()) await pause(PAUSE_MS);
    }
  }

  private take(line: string): void {
    const { type, object } = JSON.parse(line) as WatchLine;
    if (type === 'ERROR') {
      this.fail(new Error(`The witness got ${line.slice(0, 500)}`));
      return;
    }
    this.version = object.metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    const shape = this.shapeOf(object);
    if (!shape) return;
    const before = this.present.get(shape.uid);
    const after = type === 'DELETED' ? undefined : shape;
    if (after) this.present.set(shape.uid, after);
    else this.present.delete(shape.uid);
    this.byNamespace.get(shape.namespace)?.push({ version: shape.version, before, after });
    this.tell();
  }

  private fail(error: Error): void {
    this.failure = error;
    this.tell();
  }

  private tell(): void {
    for (const look of this.waiting) look();
    this.waiting.clear();
  }

  private shapeOf(object: ServerObject): Shape | undefined {
    const { uid, namespace = '', name, resourceVersion, labels } = object.metadata;
    if (!namespace.startsWith(this.prefix)) return undefined;
    const mark = this.kind.markOf(object);
    return { uid, namespace, name, version: Number(resourceVersion), pick: labels?.[PICK_LABEL] ?? '', mark };
  }
}
