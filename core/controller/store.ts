import type { KubeObject } from '../kube';

/** The values under which an object is found by an index. */
export type Indexer = (object: KubeObject) => readonly string[];

/** Key of an object among those of its resource: `namespace/name`, or `name` where there are no namespaces. */
export function objectKey(object: { readonly metadata: Pick<KubeObject['metadata'], 'namespace' | 'name'> }): string {
  return keyOf(object.metadata.namespace, object.metadata.name ?? '');
}

/** The same from its parts. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Objects of one resource, found by key, by uid, and by indexes. */
export class Store {
  private readonly objects = new Map<string, KubeObject>();
  private readonly keysByUid = new Map<string, string>();
  private readonly indexes: ReadonlyMap<string, Map<string, Set<string>>>;

  constructor(private readonly indexers: Readonly<Record<string, Indexer>> = {}) {
    this.indexes = new Map(Object.keys(indexers).map((name) => [name, new Map<string, Set<string>>()]));
  }

  get size(): number {
    return this.objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.objects.get(key);
  }

  byUid(uid: string): KubeObject | undefined {
    return this.objects.get(this.keysByUid.get(uid) ?? '');
  }

  /** @param index the name of an indexer */
  by(index: string, value: string): readonly KubeObject[] {
    const keys = this.indexes.get(index)?.get(value) ?? [];
    return [...keys].flatMap((key) => this.objects.get(key) ?? []);
  }

  list(): readonly KubeObject[] {
    return [...this.objects.values()];
  }

  put(object: KubeObject): void {
    const key = objectKey(object);
    this.remove(key);
    this.objects.set(key, object);
    if (object.metadata.uid !== undefined) this.keysByUid.set(object.metadata.uid, key);
    this.eachEntry(object, (entries, value) => {
      const keys = entries.get(value);
      if (keys) keys.add(key);
      else entries.set(value, new Set([key]));
    });
  }

  remove(key: string): void {
    const object = this.objects.get(key);
    if (!object) return;
    this.objects.delete(key);
    if (object.metadata.uid !== undefined) this.keysByUid.delete(object.metadata.uid);
    this.eachEntry(object, (entries, value) => {
      const keys = entries.get(value);
      keys?.delete(key);
      if (keys?.size === 0) entries.delete(value);
    });
  }

  private eachEntry(object: KubeObject, visit: (entries: Map<string, Set<string>>, value: string) => void): void {
    for (const [name, entries] of this.indexes) {
      for (const value of this.indexers[name]?.(object) ?? []) visit(entries, value);
    }
  }
}
