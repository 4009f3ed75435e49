import { describe, expect, it } from '@jest/globals';
import { parseManifest } from '../../../nodes/shared/manifest';

const parse = (text: string): unknown => parseManifest(text, 'manifest', 'Manifest');

describe('a manifest as a parameter', () => {
  it('is one document', () => {
    expect(parse('---\na: yes\n')).toEqual({ a: true });
  });

  it.each([
    ['is empty', '# nothing\n'],
    ['holds several documents; give one for each item', 'a: 1\n---\na: 2'],
    ['is not valid YAML or JSON, line 1: ', 'a: [1'],
  ])('that %s is refused by the name of the parameter', (what, text) => {
    expect(() => parse(text)).toThrow(`'Manifest' ${what}`);
  });
});
