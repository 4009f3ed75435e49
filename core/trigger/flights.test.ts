import { describe, expect, it } from '@jest/globals';
import { COUNTS_AS_CREATED_MS, Flights } from './flights';
import { QueueEntry } from './queueEntry';
import type { TriggerEvent } from './triggerEvent';

function entryOf(key: string, bytes: number): QueueEntry {
  const object = { metadata: {}, data: 'x'.repeat(bytes) };
  const event: TriggerEvent = {
    type: 'added',
    key,
    identity: key,
    gap: false,
    namespace: '',
    name: key,
    uid: key,
    observedAt: '',
    object,
  };
  const entry = new QueueEntry();
  entry.add({ event, patches: [] });
  entry.close();
  return entry;
}

function take(flights: Flights, keys: readonly string[], bytes: number): void {
  for (const [since, key] of keys.entries()) {
    const entry = entryOf(key, bytes);
    flights.start(key, { attempt: 1, since, events: entry.events, entries: [entry] });
  }
}

const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `e${at}`);

describe('emits that n8n does not settle', () => {
  it('hold others back for ten seconds, and no longer', () => {
    const flights = new Flights([]);
    take(flights, keys(2), 10);
    expect([flights.pending, flights.nextWake()]).toEqual([2, COUNTS_AS_CREATED_MS]);
    flights.age(COUNTS_AS_CREATED_MS);
    expect([flights.pending, flights.nextWake()]).toEqual([1, COUNTS_AS_CREATED_MS + 1]);
    expect(flights.get('e0')?.late).toBe(true);
  });

  it('are kept for a repetition as far as 200 of them, and 8 MiB, go', () => {
    const repeatable = (count: number, bytes: number): number => {
      const flights = new Flights([]);
      take(flights, keys(count), bytes);
      flights.age(1_000_000);
      return keys(count).filter((key) => flights.get(key)?.events !== undefined).length;
    };
    expect([repeatable(300, 10), repeatable(20, 1_000_000)]).toEqual([200, 8]);
  });

  it('are remembered by the newest 5,000 keys', () => {
    const flights = new Flights([]);
    for (const key of keys(5100)) {
      flights.start(key, { attempt: 1, since: 0, events: [], entries: [] });
      flights.age(COUNTS_AS_CREATED_MS);
    }
    expect(keys(5100).filter((key) => flights.get(key) !== undefined)).toHaveLength(5000);
    expect(flights.get('e5099')?.late).toBe(true);
  });
});
