import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../../../core/errors';
import { renderFailed } from '../charts';
import { shownError, shownText } from './shownError';

const SECRET = 's3cr3t';

describe('an error in the log', () => {
  it('of ours has its code and message, and nothing that lies behind it', () => {
    const error = new NavinError('k8s_forbidden', 'A right is missing.', {
      hint: SECRET,
      details: { value: SECRET },
      cause: new Error(SECRET),
    });
    expect(shownError(error)).toEqual({ code: 'k8s_forbidden', message: 'A right is missing.' });
    expect(shownError(renderFailed('The chart fails.', { cause: new Error(SECRET) }))).toEqual({
      code: 'RenderFailed',
      message: 'The chart fails.',
    });
  });

  it('that nobody foresaw has its class, a bounded line, and where it comes from', () => {
    class OddError extends Error {
      override name = 'OddError';
      readonly token = SECRET;
    }
    const shown = shownError(new OddError(`first\nsecond\u0000\u001b[31m\u202e${'x'.repeat(2_000)}`));
    expect(shown.code).toBe('OddError');
    expect(shown.message).toMatch(/^first second \[31m x{481}…$/);
    expect(shown.at?.[0]).toMatch(/shownError\.test\.ts:\d+:\d+\)?$/);
    expect(shown.at?.length).toBeLessThanOrEqual(8);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });

  it.each<[string, () => unknown]>([
    ['a parser', () => JSON.parse(`{"password": ${SECRET}}`) as unknown],
    ['an argument check', () => Buffer.alloc(SECRET as unknown as number)],
    ['somebody who throws a text', () => throwIt(SECRET)],
    ['somebody who throws an object', () => throwIt({ message: SECRET, code: SECRET })],
  ])('of %s quotes nothing', (_name, fail) => {
    let thrown: unknown;
    try {
      fail();
    } catch (error) {
      thrown = error;
    }
    const { code, message } = shownError(thrown);
    expect(`${code} ${message}`).not.toContain(SECRET);
    expect(message).not.toBe('');
  });

  it('cannot break a line, whatever name it gives itself', () => {
    const error = Object.assign(new Error('a'), { name: 'A\nB', stack: `A\n    at ${'x'.repeat(400)}\nB ${SECRET}` });
    expect(shownError(error)).toEqual({ code: 'Error', message: 'a' });
    expect(shownText('a\r\n\u2028b\ud800c')).toBe('a b c');
  });
});

function throwIt(thrown: unknown): never {
  throw thrown;
}
