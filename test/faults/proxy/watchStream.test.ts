import { describe, expect, it } from '@jest/globals';
import type { WatchFault } from './plan';
import { WatchStream, type StreamStep } from './watchStream';

const bookmark = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"4"}}}\n';
const lines = [event(1), event(2), event(3)];

function event(version: number): string {
  return `{"type":"ADDED","object":{"metadata":{"resourceVersion":"${version}"}}}\n`;
}

/** What a client gets of three events and a bookmark, and how it ends. */
function got(fault: WatchFault | undefined): {
  readonly pieces: readonly string[];
  readonly rest: readonly StreamStep[];
} {
  const stream = new WatchStream(fault);
  const steps = [
    ...stream.begin(),
    ...[...lines, bookmark].flatMap((line) => stream.line(Buffer.from(line))),
    ...stream.end(),
  ];
  return {
    pieces: steps.flatMap((step) => (step.do === 'send' ? [step.bytes.toString()] : [])),
    rest: steps.filter((step) => step.do !== 'send'),
  };
}

describe('a watch through the proxy', () => {
  it.each<[string, WatchFault | undefined, readonly string[], readonly StreamStep[]]>([
    ['goes through as it is', undefined, [...lines, bookmark], [{ do: 'end' }]],
    ['ends early', { kind: 'end', after: 2 }, lines.slice(0, 2), [{ do: 'end' }]],
    ['is reset before the first line', { kind: 'reset-after', after: 0 }, [], [{ do: 'reset' }]],
    ['stands still', { kind: 'stall-after', after: 1 }, lines.slice(0, 1), [{ do: 'stall' }]],
    ['is cut in a line', { kind: 'truncate', after: 1, share: 0.1 }, [event(1), event(2).slice(0, 7)], [{ do: 'end' }]],
    ['holds what is no event', { kind: 'garble', after: 0 }, [`<html>${event(1)}`], [{ do: 'end' }]],
    [
      'repeats each line',
      { kind: 'repeat', times: 2 },
      [...lines, bookmark].flatMap((line) => [line, line]),
      [{ do: 'end' }],
    ],
    [
      'repeats all lines',
      { kind: 'again', after: 2 },
      [...lines.slice(0, 2), ...lines.slice(0, 2), event(3), bookmark],
      [{ do: 'end' }],
    ],
    ['has no bookmarks', { kind: 'no-bookmarks' }, lines, [{ do: 'end' }]],
    ['comes in lumps', { kind: 'glue', lines: 3 }, [lines.join(''), bookmark], [{ do: 'end' }]],
  ])('%s', (_, fault, pieces, rest) => {
    expect(got(fault)).toEqual({ pieces, rest });
  });

  it('comes in crumbs, and nothing is missing', () => {
    const { pieces } = got({ kind: 'split', bytes: 7 });
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(7);
    expect(pieces.join('')).toBe([...lines, bookmark].join(''));
  });

  it('says that history is gone, and after what', () => {
    const stream = new WatchStream({ kind: 'error-event', after: 2, as: 'expired' });
    const steps = lines.flatMap((line) => stream.line(Buffer.from(line)));
    expect(steps.at(-1)).toEqual({ do: 'end' });
    expect(steps.at(-2)).toMatchObject({ do: 'send' });
    expect([stream.expired, stream.reached]).toEqual([true, 2]);
  });
});
