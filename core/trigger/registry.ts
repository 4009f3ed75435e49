import { isRecord } from '../kube';
import type { Flight } from './flights';
import type { Outcome } from './handover';
import type { TriggerOwner } from './identity';
import type { StoredState } from './stateCodec';

/** What an earlier registration of the same node left in this process. */
export interface Carried {
  /** The newest state it had, newer than what n8n saved. */
  readonly state: StoredState | undefined;
  readonly flights: readonly (readonly [string, Flight])[];
  readonly recent: Set<string>;
}

/** A registration of a trigger. Only the last of a node counts. */
export interface Claim {
  readonly carried: Carried;
  /** Says how the present state is read. */
  publish(read: () => StoredState): void;
  /** An emit is under way: it is remembered until it settles, whoever holds the node then. */
  fly(key: string, flight: Flight, settled: Promise<Outcome>): void;
  /** Gives the node back. What it published stays, and what is under way is still told. */
  release(): void;
}

interface Seat {
  readonly flights: Map<string, Flight>;
  readonly recent: Set<string>;
  read: (() => StoredState) | undefined;
  holder: symbol | undefined;
  takeOver: (() => void) | undefined;
  settled: (key: string, outcome: Outcome) => void;
}

/** Seats that nobody holds: their states are kept for the next activation. */
const MAX_EMPTY_SEATS = 200;
/** States of nodes in one workflow: those of nodes that were deleted stay until they are pushed out. */
const MAX_NODES = 50;
/** Emits a node: in queue mode some never settle. */
const MAX_FLIGHTS = 5000;

/**
 * All triggers of a process, by workflow and node. It is needed because n8n gives each registration its own copy of the
 * static data, writes it out as a whole, and settles emits after the registration that made them is gone.
 */
export class TriggerRegistry {
  private readonly seats = new Map<string, Seat>();

  /**
   * Registers a trigger. One that is registered for the same node is told to stop.
   *
   * @param takeOver called when another registration takes the node
   * @param settled called for every emit that settles, also for those an earlier registration made
   */
  claim(owner: TriggerOwner, takeOver: () => void, settled: (key: string, outcome: Outcome) => void): Claim {
    const name = seatName(owner);
    const seat = this.seats.get(name) ?? emptySeat();
    seat.takeOver?.();
    const holder = Symbol(name);
    seat.holder = holder;
    seat.takeOver = takeOver;
    seat.settled = settled;
    const carried = { state: seat.read?.(), flights: [...seat.flights], recent: seat.recent };
    this.seats.delete(name);
    this.seats.set(name, seat);
    this.forgetOldest();
    return {
      carried,
      publish: (read) => {
        if (seat.holder === holder) seat.read = read;
      },
      fly: (key, flight, promise) => {
        seat.flights.set(key, flight);
        for (const oldest of seat.flights.keys()) {
          if (seat.flights.size <= MAX_FLIGHTS) break;
          seat.flights.delete(oldest);
        }
        void promise.then((outcome) => {
          if (seat.flights.get(key) === flight) seat.flights.delete(key);
          settled(key, outcome);
          if (seat.settled !== settled) seat.settled(key, outcome);
        });
      },
      release: () => {
        if (seat.holder !== holder) return;
        seat.holder = undefined;
        seat.takeOver = undefined;
      },
    };
  }

  /**
   * The states of all triggers of a workflow, to be put into its static data as one new object: n8n writes the whole of it,
   * and the copy at hand may hold old states of the other triggers.
   *
   * @param existing what the static data hold now; states of nodes that this process does not know are kept
   */
  compose(workflowId: string, existing: unknown): Record<string, unknown> {
    const states = isRecord(existing) ? Object.entries(existing).filter(([, state]) => isRecord(state)) : [];
    const merged = new Map<string, unknown>(states);
    for (const [name, seat] of this.seats) {
      const [workflow, nodeId = ''] = JSON.parse(name) as readonly string[];
      if (workflow !== workflowId || !seat.read) continue;
      merged.delete(nodeId);
      merged.set(nodeId, seat.read());
    }
    return Object.fromEntries([...merged].slice(-MAX_NODES));
  }

  private forgetOldest(): void {
    const empty = [...this.seats].filter(([, seat]) => seat.holder === undefined && seat.flights.size === 0);
    for (const [name] of empty.slice(0, Math.max(0, empty.length - MAX_EMPTY_SEATS))) this.seats.delete(name);
  }
}

function seatName(owner: TriggerOwner): string {
  return JSON.stringify([owner.workflowId, owner.nodeId]);
}

function emptySeat(): Seat {
  return {
    flights: new Map(),
    recent: new Set(),
    read: undefined,
    holder: undefined,
    takeOver: undefined,
    settled: () => undefined,
  };
}

const SHARED = Symbol.for('@navin/n8n-nodes-kubernetes/triggers/1');

/**
 * The registry of this process. n8n may load the package a second time (an update) while triggers of the first are still
 * running: both must find the same one.
 */
export function sharedRegistry(): TriggerRegistry {
  const found: unknown = Reflect.get(globalThis, SHARED);
  if (found !== undefined) return found as TriggerRegistry;
  const registry = new TriggerRegistry();
  Reflect.set(globalThis, SHARED, registry);
  return registry;
}
