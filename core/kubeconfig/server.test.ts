import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { KubeconfigError } from './errors';
import { parseServerUrl } from './server';

describe('the address of an API server', () => {
  it.each([
    ['https://api.example', 'https://api.example', 'api.example', 443, ''],
    ['https://API.example:443/', 'https://api.example', 'api.example', 443, ''],
    [
      'https://api.example:06443/k8s/clusters/c-m-abc/',
      'https://api.example:6443/k8s/clusters/c-m-abc',
      'api.example',
      6443,
      '/k8s/clusters/c-m-abc',
    ],
    ['https://10.0.0.1:6443', 'https://10.0.0.1:6443', '10.0.0.1', 6443, ''],
    ['https://[2001:4860:0:0::1]:8443/x', 'https://[2001:4860::1]:8443/x', '2001:4860::1', 8443, '/x'],
    ['https://Bücher.example', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example', 443, ''],
    ['https://api_1.example', 'https://api_1.example', 'api_1.example', 443, ''],
    ['https://kubernetes', 'https://kubernetes', 'kubernetes', 443, ''],
  ])('%s is read', (text, href, host, port, path) => {
    expect(parseServerUrl(text)).toEqual({ href, host, port, path });
  });

  it.each([
    ['https://a..example', 'host'],
    ['https://-a.example', 'host'],
    ['https://*.example', 'host'],
    [`https://${'a'.repeat(64)}.example`, 'host'],
    ['https://256.0.0.1', 'host'],
    ['https://1.2.3', 'host'],
    ['https://[::1', 'form'],
    ['https://[v1.x]', 'host'],
    ['https://h.example/a b', 'spaces'],
    ['https://h.example/é', 'path'],
    ['https://h.example/a//b', 'path'],
    [`https://h.example/${'a'.repeat(2100)}`, 'longer'],
  ])('%s is refused for its %s', (text, why) => {
    expect(() => parseServerUrl(text)).toThrow(KubeconfigError);
    expect(() => parseServerUrl(text, 'The registered API server')).toThrow(
      new RegExp(`^The registered API server .*${why}`),
    );
  });

  it('has one reading: it means what WHATWG URL says, and is its own canonical form', () => {
    const piece = fc.constantFrom(
      'https://',
      'a',
      'B.example',
      '127.0.0.1',
      '0x7f',
      '[::1]',
      ':',
      '6443',
      '/',
      '//',
      '..',
      '@',
      '\\',
      '%2e',
      '?',
      '#',
      ' ',
      '\t',
      'é',
      '。',
      '.',
      '-',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl(),
          fc.array(piece, { maxLength: 9 }).map((all) => `https://${all.join('')}`),
        ),
        (text) => {
          let found;
          try {
            found = parseServerUrl(text);
          } catch (error) {
            expect(error).toBeInstanceOf(KubeconfigError);
            return;
          }
          const url = new URL(text);
          const host = isIP(found.host) === 6 ? `[${found.host}]` : found.host;
          expect([url.protocol, url.hostname, url.port || '443', url.pathname.replace(/\/$/, '')]).toEqual([
            'https:',
            host,
            String(found.port),
            found.path,
          ]);
          expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
          expect(parseServerUrl(found.href)).toEqual(found);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
