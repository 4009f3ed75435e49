import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogCursor } from './logCursor';

interface Line {
  readonly time: string;
  readonly text: string;
}

function at(milliseconds: number, text: string): Line {
  return { time: new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString(), text };
}

function read(cursor: LogCursor, lines: readonly Line[]): string[] {
  return lines.flatMap(({ time, text }) => {
    const line = Buffer.from(`${time} ${text}`, 'utf8');
    const start = cursor.accept(line);
    return start === undefined ? [] : [line.subarray(start).toString('utf8')];
  });
}

/** What an API server sends again: every line of the second of `since` and later. */
function since(lines: readonly Line[], cursor: LogCursor): readonly Line[] {
  const from = cursor.since;
  return from === undefined
    ? lines
    : lines.filter(({ time }) => Date.parse(time) >= Math.floor(Date.parse(from) / 1000) * 1000);
}

describe('LogCursor', () => {
  it('takes the timestamp off, of any precision and zone', () => {
    const cursor = new LogCursor('all');
    for (const time of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.123456789+02:00']) {
      expect(read(cursor, [{ time, text: 'ü a' }])).toEqual(['ü a']);
    }
  });

  it('goes on from a second before the newest line', () => {
    const cursor = new LogCursor('all');
    expect(cursor.since).toBeUndefined();
    read(cursor, [at(5000, 'a'), at(7250, 'b'), at(6900, 'late')]);
    expect(cursor.since).toBe('2026-01-01T00:00:06.000Z');
  });

  it('leaves out what was handed out, and keeps equal lines of one moment apart', () => {
    const cursor = new LogCursor('all');
    const lines = [at(1000, 'x'), at(1000, 'x'), at(1000, 'y'), at(1500, 'z'), at(1500, 'z')];
    expect(read(cursor, lines.slice(0, 4))).toEqual(['x', 'x', 'y', 'z']);
    cursor.beginReplay();
    expect(read(cursor, lines)).toEqual(['z']);
    expect(cursor.count).toBe(5);
  });

  it('does not hand out what is older than its first line where only the end was asked for', () => {
    const cursor = new LogCursor('end');
    read(cursor, [at(1900, 'tail')]);
    cursor.beginReplay();
    expect(read(cursor, [at(1100, 'before the tail'), at(1900, 'tail'), at(2000, 'new')])).toEqual(['new']);
  });

  it('gives lines that are out of order once', () => {
    const cursor = new LogCursor('all');
    const lines = [at(1000, 'a'), at(2400, 'stdout'), at(2300, 'stderr'), at(2500, 'b')];
    read(cursor, lines.slice(0, 2));
    cursor.beginReplay();
    expect(read(cursor, since(lines, cursor))).toEqual(['stderr', 'b']);
  });

  it('keeps what has no timestamp with the line before it', () => {
    const cursor = new LogCursor('all');
    const rest = Buffer.from('rest of a long line');
    read(cursor, [at(1000, 'a')]);
    expect(cursor.accept(rest)).toBe(0);
    cursor.beginReplay();
    read(cursor, [at(1000, 'a')]);
    expect(cursor.accept(rest)).toBeUndefined();
    expect(read(cursor, [{ time: '2026-99-01T00:00:00Z', text: 'no time at all' }])).toEqual([]);
  });

  it('repeats no line of a container that writes more in two seconds than is remembered', () => {
    const cursor = new LogCursor('all');
    const lines = Array.from({ length: 250_000 }, (_, index) => ({
      time: `2026-01-01T00:00:01.${String(index).padStart(9, '0')}Z`,
      text: 'x',
    }));
    expect(read(cursor, lines)).toHaveLength(250_000);
    cursor.beginReplay();
    expect(read(cursor, [...lines, at(2000, 'new')])).toEqual(['new']);
    expect(cursor.hasGap).toBe(false);
  });

  it('loses nothing and repeats nothing over any number of breaks, in order or not', () => {
    const log = fc.array(fc.record({ step: fc.nat({ max: 900 }), back: fc.nat({ max: 300 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(log, fc.array(fc.nat({ max: 20 }), { maxLength: 6 }), (steps, breaks) => {
        let clock = 1000;
        const lines = steps.map(({ step, back }, index) => {
          clock += step;
          return at(Math.max(1000, clock - back), `line ${index}`);
        });
        const cursor = new LogCursor('all');
        const got: string[] = [];
        for (const count of [...breaks, lines.length]) {
          cursor.beginReplay();
          const fresh = read(cursor, since(lines, cursor).slice(0, count));
          if (fresh.length > 0) expect(cursor.hasGap).toBe(false);
          got.push(...fresh);
        }
        cursor.beginReplay();
        got.push(...read(cursor, since(lines, cursor)));
        expect(cursor.hasGap).toBe(false);
        expect([...got].sort()).toEqual(lines.map(({ text }) => text).sort());
      }),
    );
  });
});
