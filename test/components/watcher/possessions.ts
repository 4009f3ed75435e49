import type { Observation } from './collection';
import type { Rule } from './wrong';
import type { ComponentSeen, Seen } from './seen';

interface Owner {
  readonly name: string;
  generation: number;
  isRemoving: boolean;
  isGone: boolean;
  inventory: ReadonlySet<string>;
  /** By `kind/name`: for which spec the object was made last, and whether that may be done again. */
  readonly made: Map<string, { readonly generation: number; mayAgain: boolean }>;
  /** What is there, by uid. */
  readonly present: Map<string, string>;
}

type Find = (rule: Rule, component: string, revision: number, what: string) => void;

/** What components own: made once, listed before, kept where that is promised, gone at the end. */
export class Possessions {
  private readonly owners = new Map<string, Owner>();
  /** Claims of StatefulSets stay whatever happens: `data-db-`. */
  private readonly kept = new Map<string, string>();
  private readonly told = new Set<string>();

  constructor(private readonly find: Find) {}

  component({ uid, name, generation, says }: ComponentSeen, isRemoving: boolean): void {
    const owner = this.owners.get(uid) ?? newOwner(name);
    this.owners.set(uid, owner);
    owner.generation = generation;
    owner.isRemoving = isRemoving;
    owner.inventory = says?.inventory ?? new Set();
  }

  /** @param isExcused somebody else has their hands in it */
  take({ seen, revision, isGone, isOld }: Observation, isExcused: boolean): void {
    const { uid, controller } = seen;
    const owner = controller === undefined ? undefined : this.owners.get(controller);
    if (seen.kind === 'StatefulSet') {
      for (const claim of seen.claims) this.kept.set(`${claim}-${seen.name}-`, owner?.name ?? '');
    }
    if (seen.kind === 'PersistentVolumeClaim' && (isGone || seen.isEnding))
      this.storage(seen, revision, owner, isExcused);
    if (owner === undefined) return;
    const key = `${seen.kind}/${seen.name}`;
    if (isGone) {
      owner.present.delete(uid);
      const made = owner.made.get(key);
      if (made !== undefined && isExcused) made.mayAgain = true;
      return;
    }
    if (owner.present.has(uid)) return;
    owner.present.set(uid, key);
    if (!isOld) this.made(owner, key, revision, isExcused);
    owner.made.set(key, { generation: owner.generation, mayAgain: false });
  }

  /** A component is gone. @param pods those that are left of its workloads */
  gone({ uid, name }: ComponentSeen, revision: number, pods: readonly string[]): void {
    const owner = this.owners.get(uid);
    if (owner === undefined) return;
    owner.isGone = true;
    const left = [...owner.present.values(), ...pods.map((pod) => `Pod/${pod}`)];
    for (const key of left) this.find('left', name, revision, `${key} was still there when the component went`);
  }

  private made(owner: Owner, key: string, revision: number, isExcused: boolean): void {
    const before = owner.made.get(key);
    if (owner.isGone) {
      this.find('left', owner.name, revision, `${key} was made after the component had gone`);
      return;
    }
    if (before?.generation === owner.generation && !before.mayAgain && !isExcused) {
      this.find('twice', owner.name, revision, `${key} was made twice for the spec ${owner.generation}`);
    }
    if (!owner.inventory.has(key)) {
      this.find('unlisted', owner.name, revision, `${key} was made before the inventory had it`);
    }
  }

  private storage({ uid, name }: Seen, revision: number, owner: Owner | undefined, isExcused: boolean): void {
    if (this.told.has(uid) || isExcused) return;
    const kept = [...this.kept].find(([prefix]) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)));
    const isLost = kept !== undefined || (owner !== undefined && !owner.isRemoving);
    if (!isLost) return;
    this.told.add(uid);
    const whose = owner?.name ?? kept?.[1] ?? '';
    this.find('storage', whose, revision, `PersistentVolumeClaim/${name} was to be kept, and was deleted`);
  }
}

function newOwner(name: string): Owner {
  return {
    name,
    generation: 0,
    isRemoving: false,
    isGone: false,
    inventory: new Set(),
    made: new Map(),
    present: new Map(),
  };
}
