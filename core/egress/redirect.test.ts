import { describe, expect, it } from '@jest/globals';
import type { EgressPolicy } from './policy';
import { MAX_REDIRECTS, nextHop } from './redirect';
import type { Resolver } from './resolver';
import { refusalOf } from './testing/errors';

const POLICY: EgressPolicy = {
  grants: [
    { cidr: '10.0.0.0/8', ports: [443] },
    { cidr: '192.168.0.0/16', ports: [443], credentialIds: ['mine'] },
  ],
};
const FROM = new URL('https://8.8.8.8:6443/api/v1?limit=1');
const resolver: Resolver = () => Promise.resolve([{ address: '1.1.1.1', family: 4 }]);
const FIRST = { followed: 0, resolver };

describe('a redirect', () => {
  it('to a public host may be followed without credentials', async () => {
    const hop = await nextHop(POLICY, FROM, 'https://other.example/x', FIRST);
    expect(hop).toEqual({
      url: new URL('https://other.example/x'),
      addresses: [{ address: '1.1.1.1', family: 4, port: 443, class: 'public', admittedBy: 'public' }],
      followed: 1,
      dropCredentials: true,
    });
  });

  it.each([
    ['/livez', 'https://8.8.8.8:6443/livez'],
    ['pods', 'https://8.8.8.8:6443/api/pods'],
    ['?limit=2', 'https://8.8.8.8:6443/api/v1?limit=2'],
    ['//other.example/x', 'https://other.example/x'],
    ['', 'https://8.8.8.8:6443/api/v1?limit=1'],
  ])('to %p leads to %s, also there without credentials', async (location, expected) => {
    const hop = await nextHop(POLICY, FROM, location, FIRST);
    expect([hop.url.href, hop.dropCredentials]).toEqual([expected, true]);
  });

  it('leaves the grants of the credential behind as well', async () => {
    expect((await nextHop(POLICY, FROM, 'https://10.0.0.1/', FIRST)).followed).toBe(1);
    const refusal = await refusalOf(nextHop(POLICY, FROM, 'https://192.168.0.1/', FIRST));
    expect(refusal.reason).toBe('grant-credential');
  });

  it.each([
    ['http://8.8.8.8:6443/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['https://user:secret@8.8.8.8/', 'userinfo'],
    ['https://', 'redirect'],
    ['https://256.0.0.1/', 'redirect'],
    ['https://[fe80::1%25eth0]/', 'redirect'],
    ['https://localhost:6443/', 'never'],
    ['https://2130706433/', 'never'],
    ['https:\\\\169.254.169.254\\latest', 'never'],
    ['https://10.0.0.1:6443/', 'grant-port'],
    ['https://172.16.0.1/', 'no-grant'],
  ])('to %s is refused (%s)', async (location, reason) => {
    const refusal = await refusalOf(nextHop(POLICY, FROM, location, FIRST));
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).not.toContain('secret');
  });

  it('is refused for one refused answer of DNS', async () => {
    const mixed: Resolver = () =>
      Promise.resolve([
        { address: '1.1.1.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const hop = nextHop(POLICY, FROM, 'https://other.example/', { followed: 0, resolver: mixed });
    expect((await refusalOf(hop)).addressClass).toBe('loopback');
  });

  it('is followed five times at most', async () => {
    let url = FROM;
    let followed = 0;
    for (let count = 1; count <= MAX_REDIRECTS; count += 1) {
      ({ url, followed } = await nextHop(POLICY, url, `https://h${count}.example/`, { followed, resolver }));
    }
    expect([url.hostname, followed]).toEqual(['h5.example', 5]);
    const refusal = await refusalOf(nextHop(POLICY, url, 'https://h6.example/', { followed, resolver }));
    expect([refusal.reason, refusal.message]).toEqual(['redirect', 'h5.example:443 redirects more than 5 times.']);
  });
});
