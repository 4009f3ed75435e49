import { keyOf, visible, type Ref } from '../../../core/components';
import type { Clock } from '../../../core/clock';
import { findObject, type Informer } from '../../../core/controller';
import {
  apiVersionOf,
  compareResourceVersions,
  isNotFound,
  type ApiResource,
  type KubeClient,
  type KubeObject,
} from '../../../core/kube';
import type { ComponentMemory, Known, Sight } from './memory';

/** What objects are looked at with. */
export interface SightOptions {
  readonly client: Pick<KubeClient, 'get' | 'resourceFor'>;
  /** Of the kinds that are watched, by `group/kind`. */
  readonly informers: ReadonlyMap<string, Informer>;
  readonly clock: Clock;
  /** What is not watched is read again so late, in ms. */
  readonly resyncMs: number;
}

/** What is not there, or is not ours, is read again so late, in ms: nothing tells that it has changed. */
const FOREIGN_MS = 20_000;
/** What is being deleted is read again so late, in ms. */
export const ENDING_MS = 1_000;
/** A watch shows a change of ours so late, in ms. */
const LAG_MS = 5_000;
const READS_AT_ONCE = 8;

/** The objects of a component as they are: by watches, by what our own changes answered, and else by reading them. */
export class SightOfObjects {
  constructor(private readonly options: SightOptions) {}

  /** What is known without asking; undefined: it has to be read. */
  peek(namespace: string, memory: ComponentMemory, ref: Ref): Sight | undefined {
    const key = keyOf(ref);
    if (memory.distrusted.has(key)) return undefined;
    const known = memory.objects.get(key);
    const age = known === undefined ? Infinity : this.options.clock.monotonic() - known.at;
    const informer = this.informerOf(ref);
    if (informer === undefined) return age < this.trustMs(known) ? known?.sight : undefined;
    const seen = informer.get(namespace, ref.name);
    if (seen === undefined) return age < LAG_MS ? known?.sight : undefined;
    return newer(seen, known);
  }

  /** @throws NavinError of the requests */
  async look(
    namespace: string,
    memory: ComponentMemory,
    refs: readonly Ref[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Sight>> {
    const unknown = refs.filter((ref) => this.peek(namespace, memory, ref) === undefined);
    for (let at = 0; at < unknown.length; at += READS_AT_ONCE) {
      const batch = unknown.slice(at, at + READS_AT_ONCE);
      await Promise.all(batch.map((ref) => this.read(namespace, memory, ref, signal)));
    }
    return new Map(
      refs.map((ref) => {
        const key = keyOf(ref);
        return [key, this.peek(namespace, memory, ref) ?? memory.objects.get(key)?.sight ?? 'absent'];
      }),
    );
  }

  /** The resource of an object; undefined when the cluster does not serve its kind. @throws NavinError of discovery */
  async resourceOf({ group, version, kind }: Ref, signal: AbortSignal): Promise<ApiResource | undefined> {
    try {
      return await this.options.client.resourceFor(apiVersionOf({ group, version }), kind, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Forgets what a watch shows by now: it need not be remembered twice. */
  settle(namespace: string, memory: ComponentMemory, refs: readonly Ref[]): void {
    for (const ref of refs) {
      const key = keyOf(ref);
      const [known, seen] = [memory.objects.get(key), this.informerOf(ref)?.get(namespace, ref.name)];
      if (known !== undefined && seen !== undefined && newer(seen, known) === seen) memory.objects.delete(key);
    }
  }

  /** Notes what an object is after a change of ours. */
  note(memory: ComponentMemory, key: string, object: KubeObject): void {
    memory.note(key, { sight: visible(object), at: this.options.clock.monotonic() });
  }

  noteGone(memory: ComponentMemory, key: string, uid: string): void {
    memory.note(key, { sight: 'absent', at: this.options.clock.monotonic(), goneUid: uid });
  }

  private async read(namespace: string, memory: ComponentMemory, ref: Ref, signal: AbortSignal): Promise<void> {
    const key = keyOf(ref);
    const resource = await this.resourceOf(ref, signal);
    const found = resource && (await this.find(resource, { namespace, name: ref.name }, signal));
    if (found !== undefined) this.note(memory, key, found);
    else this.noteGone(memory, key, this.informerOf(ref)?.get(namespace, ref.name)?.metadata.uid ?? '');
  }

  /** Also undefined when the namespace is gone. */
  private async find(
    resource: ApiResource,
    ref: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    try {
      return await findObject(this.options.client, resource, ref, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private informerOf({ group, kind }: Ref): Informer | undefined {
    return this.options.informers.get(`${group}/${kind}`);
  }

  private trustMs(known: Known | undefined): number {
    if (known === undefined || known.sight === 'absent') return FOREIGN_MS;
    const { deletionTimestamp, ownerReferences } = known.sight.metadata;
    if (deletionTimestamp !== undefined) return ENDING_MS / 2;
    return ownerReferences === undefined ? FOREIGN_MS : this.options.resyncMs;
  }
}

/** What a watch shows, or what we know better. */
function newer(seen: KubeObject, known: Known | undefined): Sight | undefined {
  if (known === undefined) return seen;
  if (known.sight === 'absent') return known.goneUid === seen.metadata.uid ? 'absent' : seen;
  const [left, right] = [seen.metadata.resourceVersion ?? '', known.sight.metadata.resourceVersion ?? ''];
  return compareResourceVersions(left, right) === -1 ? known.sight : seen;
}
