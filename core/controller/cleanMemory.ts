import { idText, type ObjectId } from './objectId';

const MAX_ENTRIES = 50_000;

/**
 * Which objects were found, or made, as a render wants them: as long as neither the render nor the object has changed, a
 * look costs nothing. What is forgotten is only looked at again.
 */
export class CleanMemory {
  private readonly entries = new Map<string, string>();

  isClean(id: ObjectId, renderKey: string, resourceVersion: string | undefined): boolean {
    return this.entries.get(idText(id)) === seal(renderKey, resourceVersion);
  }

  note(id: ObjectId, renderKey: string, resourceVersion: string | undefined): void {
    const key = idText(id);
    this.entries.delete(key);
    if (resourceVersion === undefined) return;
    this.entries.set(key, seal(renderKey, resourceVersion));
    if (this.entries.size <= MAX_ENTRIES) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  forget(id: ObjectId): void {
    this.entries.delete(idText(id));
  }
}

function seal(renderKey: string, resourceVersion: string | undefined): string {
  return `${resourceVersion ?? ''} ${renderKey}`;
}
