import type { McpInstance } from './instance';

/** How many instances there are, by what they have in common. */
export interface InstanceCounts {
  readonly byPhase: Readonly<Record<string, number>>;
  readonly byTenant: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
}

/** Stands for instances without the label; no label can have this value. */
const NONE = '(none)';

/** Counts instances one by one, so that no more of them need be held than are shown. */
export class InstanceCounter {
  private counted = 0;
  private readonly phases = new Map<string, number>();
  private readonly tenants = new Map<string, number>();
  private readonly projects = new Map<string, number>();

  add({ phase, tenant = NONE, project = NONE }: McpInstance): void {
    this.counted += 1;
    increase(this.phases, phase);
    increase(this.tenants, tenant);
    increase(this.projects, project);
  }

  get total(): number {
    return this.counted;
  }

  get counts(): InstanceCounts {
    return { byPhase: record(this.phases), byTenant: record(this.tenants), byProject: record(this.projects) };
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function record(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
