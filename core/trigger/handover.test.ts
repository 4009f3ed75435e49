import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COUNTS_AS_CREATED_MS } from './flights';
import { Handover, MAX_UNSETTLED, MAX_WAITING, type Effect, type HandoverOptions, type Outcome } from './handover';
import type { Patch } from './state';
import type { Step } from './step';
import { runs } from './testing/runs';
import type { TriggerEvent } from './triggerEvent';

function event(key: string): TriggerEvent {
  return { type: 'added', key, identity: key, gap: false, namespace: '', name: key, uid: key, observedAt: '' };
}

function cursor(at: number): Patch {
  return { kind: 'cursor', scope: '', cursor: String(at) };
}

/** A step with an event whose key is `e` and the number, and the cursor at the number. */
function step(at: number, key = `e${at}`): Step {
  return { event: event(key), patches: [cursor(at)] };
}

/** Effects as texts: `emit e1`, `emit e1 #2`, `at 3` for a committed cursor. */
function shown(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect): readonly string[] => {
    switch (effect.kind) {
      case 'emit':
        return [
          `emit ${effect.events.map(({ key }) => key).join('+')}${effect.attempt > 1 ? ` #${effect.attempt}` : ''}`,
        ];
      case 'commit':
        return effect.patches.flatMap((patch) => (patch.kind === 'cursor' ? [`at ${patch.cursor}`] : []));
      case 'trouble':
        return [`trouble ${effect.attempts}`];
    }
  });
}

function handover(options: Partial<HandoverOptions> = {}): Handover {
  return new Handover({ keyed: true, ...options });
}

describe('the hand-over', () => {
  it('emits in order, and commits up to the last event before which everything has settled', () => {
    const queue = handover();
    for (const at of [1, 2, 3]) queue.push(step(at));
    expect(shown(queue.advance(0))).toEqual(['emit e1', 'emit e2', 'emit e3']);
    expect(shown(queue.settle('e2', 'created', 1))).toEqual([]);
    expect(shown(queue.settle('e1', 'created', 2))).toEqual(['at 1', 'at 2']);
    expect(shown(queue.settle('e3', 'duplicate', 3))).toEqual(['at 3']);
    expect(queue.idle).toBe(true);
  });

  it('commits steps without an event at once, or with the event before them', () => {
    const queue = handover();
    queue.push({ patches: [cursor(1)] });
    expect(shown(queue.advance(0))).toEqual(['at 1']);
    queue.push(step(2));
    queue.push({ patches: [cursor(3)] });
    queue.push({ patches: [cursor(4)] });
    expect(shown(queue.advance(0))).toEqual(['emit e2']);
    expect(shown(queue.settle('e2', 'created', 1))).toEqual(['at 4']);
  });

  it(`leaves at most ${MAX_UNSETTLED} unsettled`, () => {
    const queue = handover();
    for (let at = 1; at <= MAX_UNSETTLED + 2; at += 1) queue.push(step(at));
    expect(queue.advance(0)).toHaveLength(MAX_UNSETTLED);
    expect(shown(queue.settle('e7', 'created', 1))).toEqual([`emit e${MAX_UNSETTLED + 1}`]);
  });

  it('takes what is pending for ten seconds for created', () => {
    const queue = handover();
    queue.push(step(1));
    queue.advance(0);
    expect(queue.nextWake()).toBe(COUNTS_AS_CREATED_MS);
    expect(shown(queue.advance(COUNTS_AS_CREATED_MS - 1))).toEqual([]);
    expect(shown(queue.advance(COUNTS_AS_CREATED_MS))).toEqual(['at 1']);
    expect(queue.nextWake()).toBeUndefined();
  });

  it('answers a refusal by one more emit of the same key', () => {
    const queue = handover();
    queue.push(step(1));
    queue.advance(0);
    expect(shown(queue.settle('e1', 'rejected', 1))).toEqual(['emit e1 #2']);
    expect(shown(queue.settle('e1', 'duplicate', 2))).toEqual(['at 1']);
  });

  it('goes on trying, ever slower, and moves on no further; it says so once', () => {
    const queue = handover();
    queue.push(step(1));
    queue.push(step(2));
    queue.advance(0);
    queue.settle('e2', 'created', 0);
    queue.settle('e1', 'rejected', 0);
    expect(shown(queue.settle('e1', 'rejected', 0))).toEqual(['trouble 2']);
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => {
      const at = queue.nextWake() ?? 0;
      expect(shown(queue.advance(at))).toEqual([`emit e1 #${attempt + 2}`]);
      expect(shown(queue.settle('e1', 'rejected', at))).toEqual([]);
      return (queue.nextWake() ?? 0) - at;
    });
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    queue.advance(queue.nextWake() ?? 0);
    expect(shown(queue.settle('e1', 'created', 0))).toEqual(['at 1', 'at 2']);
  });

  it('repeats also what counted as created and is refused after all', () => {
    const queue = handover();
    queue.push(step(1));
    queue.advance(0);
    queue.advance(COUNTS_AS_CREATED_MS);
    expect(shown(queue.settle('e1', 'rejected', 30_000))).toEqual(['emit e1 #2']);
  });

  it('takes a stopped execution for a refusal only where n8n knows keys', () => {
    const keyed = handover();
    keyed.push(step(1));
    keyed.advance(0);
    expect(shown(keyed.settle('e1', 'stopped', 1))).toEqual(['emit e1 #2']);
    const older = handover({ keyed: false });
    older.push(step(1));
    older.advance(0);
    expect(shown(older.settle('e1', 'stopped', 1))).toEqual(['at 1']);
  });

  it('never emits a key while it is not settled: n8n would replace the row, and both would run', () => {
    const queue = handover();
    queue.push(step(1, 'same'));
    queue.push(step(2, 'same'));
    expect(shown(queue.advance(0))).toEqual(['emit same']);
    expect(shown(queue.settle('same', 'created', 1))).toEqual(['at 1', 'at 2']);
  });

  it('does not emit a key again that it saw settled', () => {
    const queue = handover();
    queue.push(step(1, 'same'));
    queue.advance(0);
    queue.settle('same', 'created', 1);
    queue.push(step(2, 'same'));
    expect(shown(queue.advance(2))).toEqual(['at 2']);
  });

  it('waits for emits of an earlier registration instead of repeating them', () => {
    const queue = handover({ carried: [['e1', { attempt: 1, since: -5000 }]] });
    queue.push(step(1));
    queue.push(step(2));
    expect(shown(queue.advance(0))).toEqual(['emit e2']);
    expect(shown(queue.settle('e1', 'rejected', 1))).toEqual(['emit e1 #2']);
    expect(shown(queue.settle('e1', 'created', 2))).toEqual(['at 1']);
  });

  it('takes an emit of an earlier registration for created when it is old enough', () => {
    const queue = handover({ carried: [['e1', { attempt: 1, since: -COUNTS_AS_CREATED_MS }]] });
    queue.push(step(1));
    expect(shown(queue.advance(0))).toEqual(['at 1']);
  });

  it('emits nothing once it is closed, and still commits what settles', () => {
    const queue = handover();
    for (let at = 1; at <= MAX_UNSETTLED + 2; at += 1) queue.push(step(at));
    queue.advance(0);
    queue.close();
    expect(shown(queue.settle('e1', 'created', 1))).toEqual(['at 1']);
    expect(shown(queue.settle('e2', 'rejected', 1))).toEqual([]);
  });

  it('has room for so much and no more, and is low only when most is gone', () => {
    const queue = handover();
    for (let at = 1; at <= MAX_WAITING; at += 1) queue.push(step(at));
    expect(queue.hasRoom).toBe(false);
    queue.advance(0);
    for (let at = 1; at <= MAX_WAITING - 50; at += 1) queue.settle(`e${at}`, 'created', 1);
    expect([queue.hasRoom, queue.isLow]).toEqual([true, true]);
  });

  it('has room for so many bytes and no more', () => {
    const queue = handover();
    const large = { ...event('large'), object: { metadata: {}, data: 'x'.repeat(3_000_000) } };
    for (let at = 1; at <= 3; at += 1) queue.push({ event: { ...large, key: `e${at}` }, patches: [] });
    expect(queue.hasRoom).toBe(false);
  });

  it('keeps memory bounded by objects, not by changes, while it waits', () => {
    const queue = handover();
    queue.push(step(1));
    queue.advance(0);
    for (let at = 2; at <= 10_000; at += 1) queue.push({ patches: [cursor(at)] });
    expect(queue.settle('e1', 'created', 1)).toEqual([{ kind: 'commit', patches: [cursor(10_000)] }]);
  });

  it('knows a key for a checkpoint only for a while', () => {
    const queue = handover();
    expect(queue.checkpointKey(0)).toBeUndefined();
    queue.push(step(1));
    queue.advance(0);
    queue.settle('e1', 'created', 0);
    expect(queue.checkpointKey(600_000)).toBe('e1');
    expect(queue.checkpointKey(600_001)).toBeUndefined();
  });
});

describe('whole passes', () => {
  it('hand over all events of a pass at once, and commit them together', () => {
    const queue = handover({ batch: true });
    for (const at of [1, 2, 3]) queue.push(step(at));
    queue.push({ patches: [cursor(4)] });
    expect(shown(queue.advance(0))).toEqual([]);
    queue.flush();
    const [emit] = queue.advance(0);
    expect(shown(emit ? [emit] : [])).toEqual(['emit e1+e2+e3']);
    const key = emit?.kind === 'emit' ? emit.key : '';
    expect(key).toMatch(/^navin-k8s-/);
    expect(shown(queue.settle(key, 'created', 1))).toEqual(['at 4']);
  });

  it('are split when they are too large', () => {
    const queue = handover({ batch: true });
    for (let at = 1; at <= 501; at += 1) queue.push(step(at));
    expect(queue.advance(0)).toHaveLength(1);
    queue.flush();
    expect(queue.advance(0)).toHaveLength(1);
  });
});

describe('whatever the order in which emits settle', () => {
  type Move =
    | { readonly do: 'push'; readonly key: number | undefined }
    | { readonly do: 'settle'; readonly pick: number; readonly outcome: Outcome }
    | { readonly do: 'time'; readonly ms: number };
  const moves: fc.Arbitrary<Move> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('push' as const),
        key: fc.option(fc.nat({ max: 400 }), { nil: undefined }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        pick: fc.nat(),
        outcome: fc.constantFrom<Outcome>('created', 'created', 'duplicate', 'rejected', 'stopped'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1, 500, 3000, 11_000) }),
    },
  );

  it('nothing is committed before it is handed over, no key flies twice, and everything is handed over in the end', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 300, size: 'max' }), (story) => {
        const queue = handover();
        const flying = new Map<string, number>();
        const over = new Set<string>();
        const pushed: (string | undefined)[] = [];
        let committed = 0;
        let now = 0;
        const wrong: string[] = [];
        const apply = (effects: readonly Effect[]): void => {
          for (const effect of effects) {
            if (effect.kind === 'emit') {
              if (flying.has(effect.key)) wrong.push(`${effect.key} flies twice`);
              flying.set(effect.key, now);
            }
            if (effect.kind !== 'commit') continue;
            const [to = committed] = effect.patches
              .flatMap((patch) => (patch.kind === 'cursor' ? [Number(patch.cursor)] : []))
              .slice(-1);
            for (const key of pushed.slice(committed, to)) {
              const since = flying.get(key ?? '');
              const old = since !== undefined && now - since >= COUNTS_AS_CREATED_MS;
              if (key !== undefined && !over.has(key) && !old) wrong.push(`${key} is committed and not handed over`);
              // What the state has moved past counts, also when it is repeated after all.
              if (key !== undefined) over.add(key);
            }
            committed = to;
          }
        };
        const settle = (key: string, outcome: Outcome): void => {
          flying.delete(key);
          if (outcome === 'created' || outcome === 'duplicate') over.add(key);
          apply(queue.settle(key, outcome, now));
        };
        for (const move of story) {
          if (move.do === 'push') {
            const key = move.key === undefined ? undefined : `k${move.key}`;
            pushed.push(key);
            queue.push(key === undefined ? { patches: [cursor(pushed.length)] } : step(pushed.length, key));
          } else if (move.do === 'settle') {
            const keys = [...flying.keys()];
            const key = keys[move.pick % Math.max(keys.length, 1)];
            if (key !== undefined) settle(key, move.outcome);
          } else now += move.ms;
          apply(queue.advance(now));
        }
        for (let round = 0; round < 1000 && committed < pushed.length; round += 1) {
          now += 1000;
          for (const key of [...flying.keys()]) settle(key, 'created');
          apply(queue.advance(now));
        }
        expect(wrong).toEqual([]);
        expect(committed).toBe(pushed.length);
      }),
      runs(1),
    );
  });
});
