import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { NavinError } from '../errors';
import { checkAddress, checkServerUrl, resolveDestination } from './check';
import { destinationOf, type Destination } from './destination';
import { EgressRefusedError } from './errors';
import type { Grant } from './grant';
import type { EgressPolicy } from './policy';
import { lookupResolver, type Resolver } from './resolver';
import { errorOf, refusalOf } from './testing/errors';

const NO_GRANTS: EgressPolicy = { grants: [] };
const DEV: EgressPolicy = { grants: [], devApiServer: { address: '127.0.0.1', port: 6443 } };
const at = (host: string, port = 6443, credentialId?: string): Destination => ({
  host,
  port,
  ...(credentialId === undefined ? {} : { credentialId }),
});
const withGrants = (...grants: Grant[]): EgressPolicy => ({ grants });
const answering =
  (...addresses: string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

function refusal(policy: EgressPolicy, address: string, destination: Destination): EgressRefusedError {
  try {
    checkAddress(policy, address, destination);
  } catch (error) {
    if (error instanceof EgressRefusedError) return error;
    throw error;
  }
  throw new Error(`${address} was admitted`);
}

describe('an address', () => {
  it('that is public is admitted on any port', () => {
    expect(checkAddress(NO_GRANTS, '8.8.8.8', at('example.com', 12345))).toEqual({
      address: '8.8.8.8',
      family: 4,
      port: 12345,
      class: 'public',
      admittedBy: 'public',
    });
    expect(checkAddress(NO_GRANTS, '2606:4700::1', at('example.com')).family).toBe(6);
  });

  it('that is private is admitted by a grant that covers it, its port and its credential', () => {
    const grant = { cidr: '10.0.0.0/8', ports: [443, 6443], credentialIds: ['cred1', 'cred2'] };
    const checked = checkAddress(withGrants(grant), '10.255.255.255', at('a.example', 6443, 'cred2'));
    expect(checked).toMatchObject({ address: '10.255.255.255', class: 'private', admittedBy: grant });
  });

  it('inside an IPv6 address is admitted by the grant of the IPv4 address', () => {
    const policy = withGrants({ cidr: '10.0.0.0/8', ports: [6443] });
    for (const address of ['::ffff:10.1.2.3', '64:ff9b::10.1.2.3']) {
      expect(checkAddress(policy, address, at('a.example'))).toMatchObject({ family: 6, class: 'private' });
    }
  });

  it('is looked for in every grant', () => {
    const policy = withGrants(
      { cidr: '10.0.0.0/8', ports: [443] },
      { cidr: '10.1.0.0/16', ports: [6443], credentialIds: ['other'] },
      { cidr: 'fd12::/16', ports: [6443] },
      { cidr: '10.1.2.0/24', ports: [6443], credentialIds: ['mine'] },
    );
    expect(checkAddress(policy, '10.1.2.3', at('10.1.2.3', 6443, 'mine')).admittedBy).toBe(policy.grants[3]);
    expect(checkAddress(policy, 'fd12::1', at('fd12::1')).admittedBy).toBe(policy.grants[2]);
  });

  it.each([
    ['outside of the range', '11.0.0.1', at('x'), 'public'],
    ['just before the range', '10.0.0.255', at('x'), 'no-grant'],
    ['just after the range', '10.0.2.0', at('x'), 'no-grant'],
    ['on another port', '10.0.1.7', at('x', 443, 'mine'), 'grant-port'],
    ['for another credential', '10.0.1.7', at('x', 6443, 'other'), 'grant-credential'],
    ['for no credential', '10.0.1.7', at('x'), 'grant-credential'],
    ['of another family', 'fd00::a00:107', at('x', 6443, 'mine'), 'no-grant'],
  ])('%s is not admitted by a grant', (_case, address, destination, reason) => {
    const policy = withGrants({ cidr: '10.0.1.0/24', ports: [6443], credentialIds: ['mine'] });
    if (reason === 'public') expect(checkAddress(policy, address, destination).admittedBy).toBe('public');
    else expect(refusal(policy, address, destination).reason).toBe(reason);
  });

  it('that is never allowed is not admitted by a grant somebody built', () => {
    const everything = withGrants({ cidr: '0.0.0.0/0', ports: [80] }, { cidr: '::/0', ports: [80] });
    for (const address of ['169.254.169.254', '127.0.0.1', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254', 'fe80::1', '']) {
      expect(refusal(everything, address, at('x', 80)).reason).toBe('never');
    }
    expect(refusal(withGrants({ cidr: 'nonsense', ports: [80] }), '10.0.0.1', at('x', 80)).reason).toBe('no-grant');
  });

  it('of development is admitted with exactly its port', () => {
    expect(checkAddress(DEV, '127.0.0.1', at('127.0.0.1'))).toMatchObject({
      class: 'loopback',
      admittedBy: 'development',
    });
    for (const [address, port] of [
      ['127.0.0.1', 6444],
      ['127.0.0.2', 6443],
      ['::1', 6443],
      ['::ffff:127.0.0.1', 6443],
      ['::127.0.0.1', 6443],
      ['0.0.0.0', 6443],
    ] as const) {
      expect(refusal(DEV, address, at('x', port)).reason).toBe('never');
    }
  });

  it('of development must be loopback whatever built the policy', () => {
    const devApiServer = { address: '169.254.169.254', port: 80 };
    expect(refusal({ grants: [], devApiServer }, '169.254.169.254', at('x', 80)).addressClass).toBe('metadata');
  });
});

describe('what a refusal says', () => {
  it('of a private address: host, port, class, and the grant that would admit it', () => {
    const error = refusal(NO_GRANTS, '10.1.2.3', at('api.example.com', 6443, 'AbC123'));
    expect(error).toMatchObject({
      name: 'EgressRefusedError',
      code: 'k8s_egress_refused',
      message:
        'api.example.com:6443 resolves to 10.1.2.3, a private address, and no grant of the administrator of the n8n host admits it.',
      hint: 'The administrator of the n8n host can admit it by adding {"cidr":"10.1.2.3/32","ports":[6443],"credentials":["AbC123"]} to the list in NAVIN_PRIVATE_NETWORKS (docs/private-networks.md).',
      details: {
        reason: 'no-grant',
        class: 'private',
        host: 'api.example.com',
        port: 6443,
        address: '10.1.2.3',
        grant: { cidr: '10.1.2.3/32', ports: [6443], credentials: ['AbC123'] },
      },
    });
  });

  it('of the literal address itself: no word of DNS', () => {
    expect(refusal(NO_GRANTS, 'fd12::1', at('[fd12::1]')).message).toBe(
      '[fd12::1]:6443 is a private IPv6 address (unique local), and no grant of the administrator of the n8n host admits it.',
    );
    expect(refusal(NO_GRANTS, 'fd12::1', at('FD12:0::1')).grants).toEqual([{ cidr: 'fd12::1/128', ports: [6443] }]);
  });

  it('of an address that a grant nearly admits: what is missing', () => {
    const policy = withGrants({ cidr: '10.0.0.0/8', ports: [443], credentialIds: ['a'] });
    expect(refusal(policy, '10.1.2.3', at('10.1.2.3', 6443)).message).toBe(
      '10.1.2.3:6443 is a private address, and the grant that covers it does not name port 6443.',
    );
    expect(refusal(policy, '10.1.2.3', at('10.1.2.3', 443)).message).toBe(
      '10.1.2.3:443 is a private address, and the grant that covers it is for other credentials.',
    );
  });

  it('of a never-address: that no grant can admit it', () => {
    const error = refusal(NO_GRANTS, '169.254.169.254', at('evil.example', 80));
    expect(error.message).toBe(
      'evil.example:80 resolves to 169.254.169.254, the address of a cloud metadata service. It is never connected to, and no grant can admit it.',
    );
    expect(error.details).not.toHaveProperty('grant');
    expect(error.hint).not.toContain('NAVIN_PRIVATE_NETWORKS');
  });

  it('of an IPv4 address inside: both addresses', () => {
    expect(refusal(NO_GRANTS, '64:ff9b::7f00:1', at('a.example')).message).toBe(
      'a.example:6443 resolves to 64:ff9b::7f00:1, which holds the IPv4 address 127.0.0.1, a loopback address (the n8n host itself). It is never connected to, and no grant can admit it.',
    );
    const mapped = refusal(NO_GRANTS, '::ffff:10.0.0.1', at('::ffff:10.0.0.1'));
    expect(mapped.message).toContain('[::ffff:a00:1]:6443 holds the IPv4 address 10.0.0.1, a private address');
    expect(mapped.details).toMatchObject({ embedded: '10.0.0.1', grant: { cidr: '10.0.0.1/32', ports: [6443] } });
  });

  it('of loopback: the setting for development', () => {
    expect(refusal(NO_GRANTS, '127.0.0.1', at('127.0.0.1')).hint).toContain('NAVIN_DEV_API_SERVER=127.0.0.1:6443');
  });

  it('admits when the administrator does what it says', async () => {
    const host = 'a.example';
    const resolver = answering('10.1.2.3', 'fd12::7', '64:ff9b::192.168.0.9');
    const refused = await refusalOf(resolveDestination(NO_GRANTS, at(host, 6443, 'id1'), resolver));
    expect(refused.grants).toHaveLength(3);
    const checked = await resolveDestination(withGrants(...refused.grants), at(host, 6443, 'id1'), resolver);
    expect(checked.map(({ address }) => address)).toEqual(['10.1.2.3', 'fd12::7', '64:ff9b::c0a8:9']);
  });

  it('leaves out a credential id that cannot be one, and a host that is none', () => {
    const odd = refusal(NO_GRANTS, '10.0.0.1', at('10.0.0.1', 1, '"}] sh -c'));
    expect(odd.grants).toEqual([{ cidr: '10.0.0.1/32', ports: [1] }]);
    const noHost = refusal(NO_GRANTS, '10.0.0.1', at('Bearer abc\n'));
    expect(noHost.message).toContain('(not a host):6443 resolves to');
    expect(JSON.stringify(noHost.details)).not.toContain('Bearer');
    const noAddress = refusal(NO_GRANTS, 'Bearer abc', at('a.example'));
    expect(noAddress.message).toContain('a.example:6443 resolves to (not a host), not a valid host or address.');
    expect(JSON.stringify(noAddress.details)).not.toContain('Bearer');
  });

  it('is short however many addresses a name has', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `10.0.0.${index}`);
    const error = await refusalOf(resolveDestination(NO_GRANTS, at('a.example'), answering(...many)));
    expect(error.grants).toHaveLength(8);
    expect(error.hint).toContain('The name has 200 such addresses: grant their range.');
  });
});

describe('the answers for a name', () => {
  it('are all given, each once, in their order', async () => {
    const checked = await resolveDestination(
      NO_GRANTS,
      at('a.example', 443),
      answering('2606:4700::2', '8.8.8.8', '8.8.8.8', '1.1.1.1'),
    );
    expect(checked.map(({ address, family, port }) => [address, family, port])).toEqual([
      ['2606:4700::2', 6, 443],
      ['8.8.8.8', 4, 443],
      ['1.1.1.1', 4, 443],
    ]);
  });

  it.each([
    ['public, then private', ['8.8.8.8', '10.0.0.1'], 'no-grant', 'private'],
    ['public A and loopback AAAA', ['8.8.8.8', '::1'], 'never', 'loopback'],
    ['private, then metadata: the worse one is named', ['10.0.0.1', '169.254.169.254'], 'never', 'metadata'],
    ['something that is no address', ['8.8.8.8', '127.1'], 'never', 'invalid'],
    ['a zone', ['fe80::1%eth0'], 'never', 'invalid'],
  ])('are refused as a whole for one of them: %s', async (_case, addresses, reason, addressClass) => {
    const error = await refusalOf(resolveDestination(NO_GRANTS, at('a.example'), answering(...addresses)));
    expect([error.reason, error.addressClass]).toEqual([reason, addressClass]);
  });

  it('are refused for one that no grant admits beside one that a grant admits', async () => {
    const policy = withGrants({ cidr: '10.0.0.0/24', ports: [6443] });
    const error = await refusalOf(resolveDestination(policy, at('a.example'), answering('10.0.0.1', '10.0.1.1')));
    expect(error.grants).toEqual([{ cidr: '10.0.1.1/32', ports: [6443] }]);
  });

  it('are asked for by the name as it is, with its dot', async () => {
    const asked: string[] = [];
    const resolver: Resolver = (name) => {
      asked.push(name);
      return Promise.resolve([{ address: '8.8.8.8', family: 4 }]);
    };
    await resolveDestination(NO_GRANTS, at('API.Example.com.'), resolver);
    await resolveDestination(NO_GRANTS, at('bücher.example'), resolver);
    expect(asked).toEqual(['api.example.com.', 'xn--bcher-kva.example']);
  });

  it.each(['8.8.8.8', '[2606:4700::1]', '0x08080808', '8.8.8.8.'])('are not asked for the literal %s', async (host) => {
    const resolver: Resolver = () => Promise.reject(new Error('asked'));
    expect(await resolveDestination(NO_GRANTS, at(host), resolver)).toHaveLength(1);
  });

  it.each([
    ['localhost', 'loopback'],
    ['LOCALHOST.', 'loopback'],
    ['x.localhost', 'loopback'],
    ['metadata.google.internal', 'metadata'],
    ['a b', 'invalid'],
    ['', 'invalid'],
  ])('are not asked for the name %p', async (host, addressClass) => {
    const resolver: Resolver = () => Promise.reject(new Error('asked'));
    const error = await refusalOf(resolveDestination(DEV, at(host), resolver));
    expect([error.reason, error.addressClass]).toEqual(['never', addressClass]);
  });

  it('that are none, or beyond counting, are a failure of DNS', async () => {
    const many = Array.from({ length: 257 }, (_, index) => `8.8.${index >> 8}.${index & 0xff}`);
    for (const resolver of [answering(), answering(...many)]) {
      const error = await errorOf(resolveDestination(NO_GRANTS, at('a.example'), resolver));
      expect([error.code, error.message]).toEqual([
        'k8s_dns_failed',
        'The API server a.example:6443 has a name that does not resolve.',
      ]);
    }
  });

  it('that fail are a failure of DNS', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND a.example'), { code: 'ENOTFOUND' });
    const error = await errorOf(resolveDestination(NO_GRANTS, at('a.example'), () => Promise.reject(cause)));
    expect(error).toMatchObject({ code: 'k8s_dns_failed', cause, details: { host: 'a.example', port: 6443 } });
  });

  it('come from the operating system by default', async () => {
    const error = await errorOf(resolveDestination(NO_GRANTS, at('does-not-exist.invalid')));
    expect(error.code).toBe('k8s_dns_failed');
  });
});

describe('a resolver that does not answer', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is given up after the time limit', async () => {
    jest.useFakeTimers();
    const waiting = errorOf(resolveDestination(NO_GRANTS, at('a.example'), () => new Promise(() => undefined), 5000));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await waiting).toMatchObject({ code: 'k8s_timeout', details: { phase: 'dns' } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when it answers', async () => {
    jest.useFakeTimers();
    await resolveDestination(NO_GRANTS, at('a.example'), answering('8.8.8.8'), 5000);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe("n8n's own lookup as the resolver", () => {
  const lookupGiving =
    (error: Error | null, address: string | { address: string; family: number }[], family?: number): LookupFunction =>
    (_hostname, _options, callback) => {
      callback(error as NodeJS.ErrnoException | null, address, family);
    };

  it('gives its answers to the same check', async () => {
    const both = lookupGiving(null, [
      { address: '8.8.8.8', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect((await refusalOf(resolveDestination(NO_GRANTS, at('a.example'), lookupResolver(both)))).reason).toBe(
      'never',
    );
    const one = lookupResolver(lookupGiving(null, '2606:4700::1', 6));
    expect(await one('a.example')).toEqual([{ address: '2606:4700::1', family: 6 }]);
  });

  it('may refuse, which is told apart from DNS', async () => {
    const blocked = new Error('The request was blocked because it resolves to a restricted IP address');
    const resolver = lookupResolver(lookupGiving(blocked, []));
    const error = await refusalOf(resolveDestination(NO_GRANTS, at('a.example'), resolver));
    expect([error.reason, error.message, error.cause]).toEqual([
      'external-filter',
      "a.example:6443 is refused by n8n's own egress filter.",
      blocked,
    ]);
  });

  it('may fail in DNS: the lookup of Node itself', async () => {
    const resolver = lookupResolver(lookup as LookupFunction);
    const error = await errorOf(resolveDestination(NO_GRANTS, at('does-not-exist.invalid'), resolver));
    expect(error.code).toBe('k8s_dns_failed');
  });
});

describe('the URL of an API server', () => {
  it('is checked with the port of https, unless it names one', async () => {
    expect((await checkServerUrl(NO_GRANTS, new URL('https://8.8.8.8/path')))[0]?.port).toBe(443);
    expect((await checkServerUrl(NO_GRANTS, new URL('https://8.8.8.8:6443')))[0]?.port).toBe(6443);
    expect(destinationOf(new URL('https://[fd12::1]:8443/'), 'id')).toEqual({
      host: '[fd12::1]',
      port: 8443,
      credentialId: 'id',
    });
  });

  it('is checked for its credential', async () => {
    const policy = withGrants({ cidr: '10.0.0.0/8', ports: [6443], credentialIds: ['mine'] });
    const url = new URL('https://10.0.0.1:6443');
    expect(await checkServerUrl(policy, url, { credentialId: 'mine' })).toHaveLength(1);
    expect((await refusalOf(checkServerUrl(policy, url))).reason).toBe('grant-credential');
  });

  it('is refused by http, which is named', async () => {
    const error: NavinError = await refusalOf(checkServerUrl(NO_GRANTS, new URL('http://8.8.8.8:6443')));
    expect(error.message).toBe('The URL of the API server 8.8.8.8:6443 begins with http: and only https is used.');
  });
});
