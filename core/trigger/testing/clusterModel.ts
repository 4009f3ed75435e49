import type { KubeObject, WatchEvent } from '../../kube';

/** An object as the model keeps it. */
export interface ModelObject {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly created: number;
  /** Value of the label `app`. */
  readonly app: string;
  readonly note: string;
}

/** Something that happened. */
export interface HistoryRecord {
  readonly timeline: number;
  readonly version: number;
  readonly before: ModelObject | undefined;
  readonly after: ModelObject | undefined;
}

/** Which objects a list or watch is about. */
export interface Selection {
  /** '' is all. */
  readonly scope: string;
  readonly app: string | undefined;
}

/** A cluster as far as lists and watches go: one resource, a history that is compacted, restores and exchanges. */
export class ClusterModel {
  timeline = 1;
  version = 10;
  uid = 'cluster-1';
  /** Versions up to here can no longer be watched from, if the cursor is older. */
  floor = 0;
  /** Everything that ever happened, in all timelines. */
  readonly record: HistoryRecord[] = [];
  /** Versions to which timelines were set back: what came after them there did not happen. */
  readonly setBackTo = new Map<number, number>();
  objects = new Map<string, ModelObject>();
  private created = 0;

  create(namespace: string, app: string): string {
    this.created += 1;
    const name = `o${this.created % 7}`;
    const taken = [...this.objects.values()].find((object) => object.namespace === namespace && object.name === name);
    if (taken) this.delete(taken.uid);
    const uid = `${this.uid}-object-${this.created}`;
    const version = this.next();
    this.put(version, undefined, { uid, namespace, name, version, generation: 1, created: version, app, note: '' });
    return uid;
  }

  update(uid: string, change: { readonly app?: string; readonly spec?: boolean }): void {
    const before = this.objects.get(uid);
    if (!before) return;
    const version = this.next();
    const generation = before.generation + (change.spec === true ? 1 : 0);
    this.put(version, before, { ...before, version, generation, app: change.app ?? before.app, note: `n${version}` });
  }

  delete(uid: string): void {
    const before = this.objects.get(uid);
    if (before) this.put(this.next(), before, undefined);
  }

  compact(): void {
    this.floor = this.version;
  }

  snapshot(): { readonly version: number; readonly objects: ReadonlyMap<string, ModelObject> } {
    return { version: this.version, objects: new Map(this.objects) };
  }

  /** Set back to a snapshot: another history begins from there. */
  restore(snapshot: ReturnType<ClusterModel['snapshot']>): void {
    this.setBackTo.set(this.timeline, snapshot.version);
    this.timeline += 1;
    this.version = snapshot.version;
    this.floor = snapshot.version;
    this.objects = new Map(snapshot.objects);
  }

  /** Another cluster answers from now on. */
  exchange(): void {
    this.timeline += 1;
    this.uid = `cluster-${this.timeline}`;
    this.version = 1000 * this.timeline;
    this.floor = this.version;
    this.objects = new Map();
  }

  list(selection: Selection): readonly KubeObject[] {
    return [...this.objects.values()]
      .filter((object) => matches(object, selection))
      .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
      .map((object) => toKube(object));
  }

  /**
   * What a watch shows of the present history after a version, with types as a selector makes them. A watch that is open
   * sees what happens also when that is compacted before it has read it.
   */
  after(version: number, selection: Selection): readonly WatchEvent[] {
    return this.record
      .filter((entry) => entry.timeline === this.timeline && entry.version > version)
      .flatMap((entry) => watchEvent(entry, selection) ?? []);
  }

  private next(): number {
    this.version += 1;
    return this.version;
  }

  private put(version: number, before: ModelObject | undefined, after: ModelObject | undefined): void {
    const entry = { timeline: this.timeline, version, before, after };
    this.record.push(entry);
    if (after) this.objects.set(after.uid, after);
    else if (before) this.objects.delete(before.uid);
  }
}

/** Whether an object belongs to a selection. */
export function matches(object: ModelObject | undefined, selection: Selection): object is ModelObject {
  if (object === undefined) return false;
  if (selection.scope !== '' && object.namespace !== selection.scope) return false;
  return selection.app === undefined || object.app === selection.app;
}

/** The event a watch with this selection shows; undefined: none. */
export function watchEvent(entry: HistoryRecord, selection: Selection): WatchEvent | undefined {
  const { before, after, version } = entry;
  const was = matches(before, selection);
  const is = matches(after, selection);
  if (was && is) return { type: 'MODIFIED', object: toKube(after) };
  if (is) return { type: 'ADDED', object: toKube(after) };
  if (was) return { type: 'DELETED', object: toKube({ ...before, version }) };
  return undefined;
}

function toKube(object: ModelObject): KubeObject {
  return {
    metadata: {
      uid: object.uid,
      namespace: object.namespace,
      name: object.name,
      resourceVersion: String(object.version),
      generation: object.generation,
      labels: { app: object.app },
      creationTimestamp: new Date(object.created * 1000).toISOString().replace('.000Z', 'Z'),
    },
    spec: { generation: object.generation },
    status: { note: object.note },
  };
}

function keyOf(object: ModelObject): string {
  return `${object.namespace}/${object.name}`;
}
