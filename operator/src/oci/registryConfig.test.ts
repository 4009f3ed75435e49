import { describe, expect, it } from '@jest/globals';
import { parseRegistryConfig, RegistryConfigError } from './registryConfig';

const auth = (text: string): string => Buffer.from(text).toString('base64');

describe('a docker config.json', () => {
  it('gives credentials by host', () => {
    const auths = {
      'ghcr.io': { auth: auth('robot:pass:word') },
      'registry.example:5000': { username: 'a', password: 'b' },
      'https://Index.Example/v1/': { auth: auth('c:d') },
      'default.example:443': { auth: auth('e:f') },
      'https://index.docker.io/v1/': { auth: auth('g:h') },
    };
    expect([...parseRegistryConfig(JSON.stringify({ auths, HttpHeaders: {} }))]).toEqual([
      ['ghcr.io', { username: 'robot', password: 'pass:word' }],
      ['registry.example:5000', { username: 'a', password: 'b' }],
      ['index.example', { username: 'c', password: 'd' }],
      ['default.example', { username: 'e', password: 'f' }],
      ['registry-1.docker.io', { username: 'g', password: 'h' }],
    ]);
    expect(parseRegistryConfig('{}').size).toBe(0);
  });

  it.each([
    ['s3cr3t', 'is not JSON'],
    ['["s3cr3t"]', 'is not a docker config.json'],
    ['{"credsStore":"s3cr3t"}', 'names credential helpers (credsStore, credHelpers), which are not run: use auths'],
    [
      '{"credHelpers":{"a":"s3cr3t"}}',
      'names credential helpers (credsStore, credHelpers), which are not run: use auths',
    ],
    ['{"auths":{"a":{"auth":"s3cr3t"}}}', 'has no usable credential in entry 1: auth, or username and password'],
    [
      '{"auths":{"a":{"identitytoken":"s3cr3t"}}}',
      'has no usable credential in entry 1: auth, or username and password',
    ],
    ['{"auths":{"a":"s3cr3t"}}', 'has no usable credential in entry 1: auth, or username and password'],
    [`"${'a'.repeat(1024 * 1024)}"`, 'is larger than 1 MiB'],
  ])('that cannot be used is refused without repeating it: %.40s', (text, problem) => {
    expect(() => parseRegistryConfig(text)).toThrow(new RegistryConfigError(problem));
  });
});
