import { describe, expect, it } from '@jest/globals';
import { checkServerUrl } from '../../../core/egress';
import { reachOf } from './reach';

const REACH = reachOf(['registry.example:5000', 'ghcr.io', '10.1.2.3']);

async function verdict(url: string, address: string): Promise<string> {
  const resolver = (): Promise<{ address: string; family: 4 }[]> => Promise.resolve([{ address, family: 4 }]);
  const target = new URL(url);
  return checkServerUrl(REACH.policyFor(target), target, { resolver }).then(
    () => 'allowed',
    () => 'refused',
  );
}

describe('Docker Hub', () => {
  it.each(['docker.io', 'registry-1.docker.io'])('is listed as %s', (name) => {
    const reach = reachOf([name]);
    const listed = ['registry-1.docker.io', 'auth.docker.io', 'docker.io'].filter((host) =>
      reach.isListed(new URL(`https://${host}/`)),
    );
    expect(listed).toEqual(['registry-1.docker.io']);
  });
});

describe('where registries may be reached', () => {
  it.each([
    ['https://registry.example:5000/v2/', '10.0.0.5', 'allowed'],
    ['https://registry.example:5001/v2/', '10.0.0.5', 'refused'],
    ['https://ghcr.io/v2/', '192.168.1.1', 'allowed'],
    ['https://ghcr.io:443/v2/', '8.8.8.8', 'allowed'],
    ['https://10.1.2.3/v2/', '10.1.2.3', 'allowed'],
    ['https://10.1.2.4/v2/', '10.1.2.4', 'refused'],
    ['https://storage.example/blob', '8.8.8.8', 'allowed'],
    ['https://storage.example/blob', '10.0.0.5', 'refused'],
    ['https://ghcr.io/v2/', '127.0.0.1', 'refused'],
    ['https://ghcr.io/v2/', '169.254.169.254', 'refused'],
    ['http://ghcr.io/v2/', '8.8.8.8', 'refused'],
  ])('%s at %s is %s', async (url, address, expected) => {
    expect(await verdict(url, address)).toBe(expected);
  });
});
