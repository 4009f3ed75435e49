import type { ServerObject } from '../../cluster';
import type { StoryCluster } from './cluster';
import type { Marks } from './hands';
import { FIRST_WISH, specOf, type Member, type Wish } from './members';

/** A component from when it was made until it is gone. */
export interface Life {
  readonly member: Member;
  readonly uid: string;
  wish: Wish;
  isRemoving: boolean;
  readonly marks: Marks;
  /** How many pod templates were asked for, hands aside: each may be rolled out once. */
  templates: number;
}

/** The components of a story: what was asked of them, and accepted by the API server. */
export class Lives {
  /** Specs that were accepted. */
  operations = 0;
  private readonly lives = new Map<string, Life>();
  /** Objects of others stay when a component goes. */
  private readonly foreign = new Map<string, Marks['foreign']>();
  private restarts = 0;

  constructor(
    private readonly cluster: StoryCluster,
    private readonly note: (text: string) => void,
  ) {}

  get all(): readonly Life[] {
    return [...this.lives.values()];
  }

  of(member: Member): Life | undefined {
    return this.lives.get(member.name);
  }

  /** Somebody asks for something; a component that is gone is made anew. */
  async ask(member: Member, change: Partial<Wish>): Promise<void> {
    const life = this.of(member);
    if (life === undefined) {
      await this.create(member, { ...FIRST_WISH, ...change });
      return;
    }
    const wish = { ...life.wish, ...change };
    if (!(await this.write(life, wish))) {
      this.lives.delete(member.name);
      await this.create(member, { ...FIRST_WISH, ...change });
    }
  }

  /** Another time than ever before. */
  async restart(member: Member): Promise<void> {
    this.restarts += 1;
    await this.ask(member, { restart: this.restarts });
  }

  async remove(member: Member): Promise<void> {
    const life = this.of(member);
    if (life === undefined) return;
    await this.cluster.change('DELETE', this.cluster.pathOf(member));
    life.isRemoving = true;
    this.operations += 1;
    this.note(`somebody removes ${member.name}`);
  }

  /** The component of a life that was removed is gone. */
  gone(life: Life): void {
    this.lives.delete(life.member.name);
  }

  private async write(life: Life, wish: Wish): Promise<boolean> {
    const { member } = life;
    const spec = specOf(member, wish);
    const test = { op: 'test', path: '/metadata/uid', value: life.uid };
    const body = [test, { op: 'replace', path: '/spec', value: spec }];
    const path = this.cluster.pathOf(member);
    const answer = await this.cluster.request('PATCH', path, { body, contentType: 'application/json-patch+json' });
    // Another one of the name, or none.
    if (answer.status === 404 || answer.status === 422) {
      if (await this.isThere(life)) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
      return false;
    }
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    const { generation = 0 } = (answer.body as ServerObject).metadata;
    if (wish.look !== life.wish.look || wish.restart !== life.wish.restart) life.templates += 1;
    life.wish = wish;
    this.accepted(member, generation, wish);
    return true;
  }

  private async isThere({ member, uid }: Life): Promise<boolean> {
    return (await this.cluster.find(this.cluster.pathOf(member)))?.metadata.uid === uid;
  }

  private async create(member: Member, wish: Wish): Promise<void> {
    const path = this.cluster.pathOf(member);
    const made = await this.cluster.change('POST', path.slice(0, path.lastIndexOf('/')), {
      apiVersion: 'platform.navin.ai/v1alpha1',
      kind: 'ManagedComponent',
      metadata: { name: member.name },
      spec: specOf(member, wish),
    });
    // The one before is not gone yet.
    if (made === undefined) return;
    const foreign = this.foreign.get(member.name) ?? new Map<string, string>();
    this.foreign.set(member.name, foreign);
    const marks: Marks = { edited: new Set(), foreign, rollouts: 0 };
    const { uid } = made.metadata;
    this.lives.set(member.name, { member, uid, wish, isRemoving: false, marks, templates: 1 });
    this.accepted(member, 1, wish);
  }

  private accepted({ name }: Member, generation: number, wish: Wish): void {
    this.operations += 1;
    this.note(`somebody asks ${name} at generation ${generation} for ${JSON.stringify(wish)}`);
  }
}
