import { NavinError } from '../errors';
import { compareResourceVersions, type KubeObject, type WatchEvent } from '../kube';
import { objectKey, type Store } from './store';

/** Is told of each change: without `before` it is new, without `after` it is gone. */
export type OnChange = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

/** What a {@link Mirror} changes, and whom it tells. */
export interface MirrorOptions {
  readonly store: Store;
  /** Of this scope. More is an error: memory is bounded, and what is not there must not be taken for gone. */
  readonly maxObjects: number;
  /** Must not throw. */
  readonly onChange: OnChange;
}

/**
 * The objects of one scope as lists and watches show them: decides what a page or an event means for the store. A list is
 * right by itself; an event is right if it is newer than what is known, because events come again after a list that took
 * long or a watch that broke.
 */
export class Mirror {
  /** Where the watch goes on; undefined: list first. */
  cursor: string | undefined;
  private known = new Set<string>();
  private listed: Set<string> | undefined;
  private firstVersion: string | undefined;

  constructor(private readonly options: MirrorOptions) {}

  /** A list begins. What it shows is taken over page by page; what it does not show goes at its end. */
  beginList(): void {
    this.cursor = undefined;
    this.listed = new Set();
    this.firstVersion = undefined;
  }

  page(items: readonly KubeObject[], version: string): void {
    this.firstVersion ??= version;
    for (const item of items) {
      this.listed?.add(objectKey(item));
      if ((this.listed?.size ?? 0) > this.options.maxObjects) throw tooMany(this.options.maxObjects);
      this.set(item);
    }
  }

  endList(): void {
    const listed = this.listed ?? new Set<string>();
    for (const key of this.known) if (!listed.has(key)) this.remove(key);
    this.listed = undefined;
    this.cursor = this.firstVersion;
  }

  /** Takes an event. False: versions went backwards, the cluster was restored or exchanged, so a list must come first. */
  event({ type, object }: WatchEvent): boolean {
    const version = object.metadata.resourceVersion;
    if (version !== undefined) {
      if (this.cursor !== undefined && compareResourceVersions(version, this.cursor) === -1) return false;
      this.cursor = version;
    }
    if (type === 'BOOKMARK') return true;
    const key = objectKey(object);
    const before = this.options.store.get(key);
    if (before && !isNewer(object, before)) return true;
    if (type !== 'DELETED') this.set(object);
    else if (before?.metadata.uid === object.metadata.uid) this.remove(key);
    return true;
  }

  private set(after: KubeObject): void {
    const { store, onChange, maxObjects } = this.options;
    const key = objectKey(after);
    const before = store.get(key);
    if (before?.metadata.uid === after.metadata.uid) {
      if (before && before.metadata.resourceVersion === after.metadata.resourceVersion) return;
      store.put(after);
      onChange(before, after);
      return;
    }
    // Another object of the same name: the one before is gone, though nobody said so.
    if (before) this.remove(key);
    // While a list is read, what is gone is still known: the list itself is what counts.
    if (!this.listed && this.known.size >= maxObjects) throw tooMany(maxObjects);
    this.known.add(key);
    store.put(after);
    onChange(undefined, after);
  }

  private remove(key: string): void {
    const { store, onChange } = this.options;
    const before = store.get(key);
    this.known.delete(key);
    store.remove(key);
    if (before) onChange(before, undefined);
  }
}

/** Versions that cannot be compared are taken as they come. */
function isNewer(object: KubeObject, known: KubeObject): boolean {
  const { resourceVersion: left = '' } = object.metadata;
  const { resourceVersion: right = '' } = known.metadata;
  return left !== right && compareResourceVersions(left, right) !== -1;
}

function tooMany(maxObjects: number): NavinError {
  return new NavinError('k8s_response_too_large', `There are more than ${maxObjects} objects to keep.`, {
    hint: 'Narrow what is watched, or raise the bound.',
    details: { maxObjects },
  });
}
