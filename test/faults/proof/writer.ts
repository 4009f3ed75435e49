import type { Api } from '../../cluster/api';
import type { ServerObject } from '../../cluster';
import type { Gate } from './gate';
import { PICK_LABEL, type ObjectKind } from './kinds';
import type { Write } from './story';

/** What a writer works with. */
export interface WriterOptions {
  readonly api: Api;
  readonly gate: Gate;
  readonly kind: ObjectKind;
  readonly namespaces: readonly string[];
  /** Label values of objects that a selector wants, and does not want. */
  readonly labels: { readonly picked: string; readonly other: string };
  readonly onWrite: (text: string) => void;
}

interface Known {
  readonly uid: string;
  readonly path: string;
  readonly name: string;
}

/** Writes to the cluster, straight, and remembers what the API server answered. */
export class Writer {
  /** The last version of every object that was written, by uid; 0: it is gone. */
  readonly answers = new Map<string, number>();
  private readonly objects = new Map<string, Known>();
  private readonly under = new Set<Promise<void>>();
  private names = 0;
  private notes = 0;

  constructor(private readonly options: WriterOptions) {}

  /** Does a write. One that picks among nothing, or what somebody else deletes at this moment, does nothing. */
  write(write: Write): Promise<void> {
    const done = this.options.gate.pass(() => this.perform(write));
    this.under.add(done);
    return done.finally(() => this.under.delete(done));
  }

  /** Waits for all writes. */
  async settled(): Promise<void> {
    await Promise.all(this.under);
  }

  /** Removes everything that was made. */
  async clear(): Promise<void> {
    await Promise.all([...this.objects.values()].map((object) => this.options.gate.pass(() => this.remove(object))));
  }

  private async perform(write: Write): Promise<void> {
    const { labels, kind } = this.options;
    switch (write.do) {
      case 'create':
        return this.create(write.place, write.picked ? labels.picked : labels.other);
      case 'change':
        return this.patch(write, kind.change(this.note()));
      case 'touch':
        return this.patch(write, { metadata: { annotations: { note: this.note() } } });
      case 'relabel':
        return this.patch(write, {
          metadata: { labels: { [PICK_LABEL]: write.picked ? labels.picked : labels.other } },
        });
      case 'delete': {
        const object = this.picked(write.pick);
        if (object) await this.remove(object);
      }
    }
  }

  private async create(place: number, pick: string): Promise<void> {
    const { api, kind, namespaces } = this.options;
    const namespace = namespaces[place % namespaces.length];
    this.names += 1;
    const name = `object-${this.names}`;
    const made = await api.create(kind.path(namespace), kind.body(name, pick, this.note()));
    const { uid } = made.metadata;
    this.objects.set(uid, { uid, name, path: `${kind.path(namespace)}/${name}` });
    this.answered('creates', made);
  }

  private async patch(write: Write & { readonly pick: number }, body: object): Promise<void> {
    const object = this.picked(write.pick);
    if (!object) return;
    const answer = await this.options.api.request('PATCH', object.path, {
      body,
      contentType: 'application/merge-patch+json',
    });
    if (answer.status === 404) return;
    if (answer.status !== 200) throw new Error(`A write was refused: ${answer.status} ${answer.text.slice(0, 500)}`);
    this.answered(`${write.do}s`, answer.body as ServerObject);
  }

  private async remove({ uid, path, name }: Known): Promise<void> {
    this.objects.delete(uid);
    await this.options.api.delete(path);
    this.answers.set(uid, 0);
    this.options.onWrite(`deletes ${name} ${uid}`);
  }

  private answered(what: string, { metadata }: ServerObject): void {
    const version = Number(metadata.resourceVersion);
    const before = this.answers.get(metadata.uid) ?? 1;
    if (before !== 0) this.answers.set(metadata.uid, Math.max(before, version));
    const pick = metadata.labels?.[PICK_LABEL] ?? '';
    this.options.onWrite(
      `${what} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid} at ${version} (${pick})`,
    );
  }

  private picked(pick: number): Known | undefined {
    const objects = [...this.objects.values()];
    return objects[pick % Math.max(objects.length, 1)];
  }

  private note(): string {
    this.notes += 1;
    return `n${this.notes}`;
  }
}
