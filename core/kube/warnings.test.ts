import { expect, it } from '@jest/globals';
import { NOTHING_SENT } from './serverText';
import { warningsOf } from './warnings';

it.each<[string, string | undefined, readonly string[]]>([
  ['none', undefined, []],
  ['one', '299 - "v1 ComponentStatus is deprecated in v1.19+"', ['v1 ComponentStatus is deprecated in v1.19+']],
  ['several, with commas and quotes in them', '299 - "a, b", 299 - "say \\"c\\""', ['a, b', 'say "c"']],
  ['the same twice', '299 - "a", 299 - "a"', ['a']],
  ['other codes', '199 - "a", 299 - "b"', ['b']],
  ['something else', 'deprecated', []],
])('%s', (_name, header, warnings) => {
  expect(warningsOf(header, NOTHING_SENT)).toEqual(warnings);
});

it('shows nothing that was sent, nothing about Secrets, and no more than ten', () => {
  const header = Array.from({ length: 20 }, (_, index) => `299 - "number ${index} of hunter2"`).join(', ');
  const shown = warningsOf(header, { silent: false, concealed: () => ['hunter2'] });
  expect(shown).toHaveLength(10);
  expect(shown[0]).toBe('number 0 of …');
  expect(warningsOf(header, { silent: true, concealed: () => [] })).toEqual([]);
});
