import type { Agent } from 'node:https';
import type { ClusterAgentOptions, EgressPolicy, ExternalFilter, Resolver } from '../egress';
import type { ClusterTarget } from '../kubeconfig';

/** An agent in use. It is given back when the answer was read to its end or given up. */
export interface AgentLease {
  readonly agent: Agent;
  /** May be called more than once. */
  release(): void;
}

/** Whose connections: equal answers share an agent. */
export interface AgentRequest {
  readonly target: ClusterTarget;
  readonly policy: EgressPolicy;
  readonly credentialId?: string | undefined;
  /** For answers that go on (watches, logs that are followed): connections of their own, so that requests never wait for them. */
  readonly streaming?: boolean | undefined;
  readonly resolver?: Resolver | undefined;
  readonly externalFilter?: ExternalFilter | undefined;
  readonly onDevAddress?: (() => void) | undefined;
}

/** Bounds of a pool. */
export interface AgentPoolOptions {
  readonly create: (options: ClusterAgentOptions) => Agent;
  /** Agents kept, used or not. Beyond that the longest unused is closed; if all are in use, a passing one is made. Default 32. */
  readonly maxAgents?: number;
  /** How long an unused agent keeps its connections and keys, in ms. Default 60 000. */
  readonly idleMs?: number;
}

/** Streams at once to one target by one credential; more wait. Requests have the 16 of `createPinnedAgent`. */
const MAX_STREAMS = 256;

interface Entry {
  readonly agent: Agent;
  readonly key: string;
  uses: number;
  idleTimer: NodeJS.Timeout | undefined;
}

/**
 * One keep-alive agent for each (target, egress policy, credential id, streams or not), so that requests of any number of clients share
 * connections and a credential never rides on the connection of another. Nothing is kept alive by it: its timers do not
 * hold the process, and connections and keys are dropped after a minute without use.
 */
export class AgentPool {
  private readonly entries = new Map<string, Entry>();
  private readonly numbers = new WeakMap<object, number>();
  /** Written out once: each request asks. */
  private readonly policies = new WeakMap<EgressPolicy, string>();
  private lastNumber = 0;
  private readonly maxAgents: number;
  private readonly idleMs: number;

  constructor(private readonly options: AgentPoolOptions) {
    this.maxAgents = options.maxAgents ?? 32;
    this.idleMs = options.idleMs ?? 60_000;
  }

  /** How many agents are kept. */
  get size(): number {
    return this.entries.size;
  }

  /** Takes the agent of a target, or makes it. */
  lease(request: AgentRequest): AgentLease {
    const key = this.keyOf(request);
    const kept = this.entries.get(key);
    if (kept) {
      // Moves to the end: Map keeps the order in which agents were last used.
      this.entries.delete(key);
      this.entries.set(key, kept);
      return this.use(kept);
    }
    const entry: Entry = { agent: this.create(request), key, uses: 0, idleTimer: undefined };
    if (this.makeRoom()) this.entries.set(key, entry);
    return this.use(entry);
  }

  /** Closes all agents that are not in use, and the others once they are given back. */
  close(): void {
    for (const entry of this.entries.values()) {
      clearTimeout(entry.idleTimer);
      if (entry.uses === 0) entry.agent.destroy();
    }
    this.entries.clear();
  }

  private use(entry: Entry): AgentLease {
    clearTimeout(entry.idleTimer);
    entry.uses += 1;
    let released = false;
    return {
      agent: entry.agent,
      release: () => {
        if (released) return;
        released = true;
        entry.uses -= 1;
        if (entry.uses === 0) this.rest(entry);
      },
    };
  }

  private rest(entry: Entry): void {
    if (this.entries.get(entry.key) !== entry) {
      entry.agent.destroy();
      return;
    }
    entry.idleTimer = setTimeout(() => {
      this.evict(entry);
    }, this.idleMs).unref();
  }

  private makeRoom(): boolean {
    if (this.entries.size < this.maxAgents) return true;
    const unused = [...this.entries.values()].find((entry) => entry.uses === 0);
    if (!unused) return false;
    this.evict(unused);
    return true;
  }

  private evict(entry: Entry): void {
    clearTimeout(entry.idleTimer);
    this.entries.delete(entry.key);
    entry.agent.destroy();
  }

  private create(request: AgentRequest): Agent {
    const { target, policy, credentialId, resolver, externalFilter, onDevAddress } = request;
    const { identity } = target;
    return this.options.create({
      policy,
      tls: {
        ...(target.ca === undefined ? {} : { ca: target.ca }),
        ...(identity.type === 'clientCertificate' ? { cert: identity.certificate, key: identity.key } : {}),
      },
      ...(request.streaming ? { maxSockets: MAX_STREAMS } : {}),
      ...(credentialId === undefined ? {} : { credentialId }),
      ...(resolver === undefined ? {} : { resolver }),
      ...(externalFilter === undefined ? {} : { externalFilter }),
      ...(onDevAddress === undefined ? {} : { onDevAddress }),
    });
  }

  /** Functions count by identity: another filter is another agent. */
  private keyOf(request: AgentRequest): string {
    const { target, policy, credentialId, streaming, resolver, externalFilter, onDevAddress } = request;
    const functions = [resolver, externalFilter, onDevAddress].map((each) => (each ? this.numberOf(each) : 0));
    const own = JSON.stringify([target.fingerprint, credentialId ?? null, streaming === true, functions]);
    return `${own} ${this.textOf(policy)}`;
  }

  private textOf(policy: EgressPolicy): string {
    const known = this.policies.get(policy);
    if (known !== undefined) return known;
    const text = JSON.stringify(policy);
    this.policies.set(policy, text);
    return text;
  }

  private numberOf(value: object): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    this.lastNumber += 1;
    this.numbers.set(value, this.lastNumber);
    return this.lastNumber;
  }
}
