import { expect, it } from '@jest/globals';
import { isRegistryHost } from './reference';

it.each(['ghcr.io', 'registry.example:5000', '10.1.2.3', 'a'])('%s may be listed as a registry', (host) => {
  expect(isRegistryHost(host)).toBe(true);
});

it.each([
  '',
  'https://ghcr.io',
  'ghcr.io/charts',
  'GHCR.io',
  'user@ghcr.io',
  'ghcr.io:',
  'ghcr.io:99999',
  '*.example',
  '-a',
  'a b',
])('%j may not', (host) => {
  expect(isRegistryHost(host)).toBe(false);
});
