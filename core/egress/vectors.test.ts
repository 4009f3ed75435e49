import { describe, expect, it } from '@jest/globals';
import type { AddressClass, Verdict } from './classes';
import { classifyHostname } from './classify';
import { checkServerUrl } from './check';
import { nextHop } from './redirect';
import type { Resolver } from './resolver';
import { refusalOf } from './testing/errors';

/**
 * Public ways around filters of addresses. The number is the one of the collection they were written down in; the host
 * is what the WHATWG parser makes of the URL, and what the class and verdict are of.
 */
interface Vector {
  readonly number: number;
  readonly url: string;
  /** Undefined: the WHATWG parser refuses the URL. */
  readonly host: string | undefined;
  readonly class: AddressClass;
  readonly verdict: Verdict;
}

function vectors(
  addressClass: AddressClass,
  verdict: Verdict,
  rows: readonly (readonly [number: number, url: string, host: string | undefined])[],
): Vector[] {
  return rows.map(([number, url, host]) => ({ number, url, host, class: addressClass, verdict }));
}

const LITERALS: readonly Vector[] = [
  ...vectors('loopback', 'never', [
    [1, 'http://127.0.0.1/', '127.0.0.1'],
    [2, 'http://127.1/', '127.0.0.1'],
    [3, 'http://127.0.1/', '127.0.0.1'],
    [4, 'http://2130706433/', '127.0.0.1'],
    [5, 'http://0x7f000001/', '127.0.0.1'],
    [6, 'http://0x7f.0.0.1/', '127.0.0.1'],
    [7, 'http://0177.0.0.1/', '127.0.0.1'],
    [8, 'http://017700000001/', '127.0.0.1'],
    [9, 'http://0x7f.1/', '127.0.0.1'],
    [12, 'http://127.127.127.127/', '127.127.127.127'],
    [13, 'http://127.0.0.1./', '127.0.0.1'],
    [14, 'http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
    [15, 'http://127。0。0。1/', '127.0.0.1'],
    [16, 'http://１２７.0.0.1/', '127.0.0.1'],
    [21, 'http://[::1]/', '[::1]'],
    [22, 'http://[0000::1]/', '[::1]'],
    [24, 'http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
    [25, 'http://[0:0:0:0:0:ffff:7f00:1]/', '[::ffff:7f00:1]'],
    [26, 'http://[::127.0.0.1]/', '[::7f00:1]'],
    [28, 'http://[::ffff:0:127.0.0.1]/', '[::ffff:0:7f00:1]'],
    [29, 'http://[64:ff9b::7f00:1]/', '[64:ff9b::7f00:1]'],
    [32, 'http://[2002:7f00:1::]/', '[2002:7f00:1::]'],
    [70, 'http://%31%32%37.0.0.1/', '127.0.0.1'],
    [71, 'http://127.0.0.1:80\\@example.com/', '127.0.0.1'],
    [72, 'http://example.com@127.0.0.1/', '127.0.0.1'],
    [73, 'http://example.com;@127.0.0.1/', '127.0.0.1'],
    [74, 'http:127.0.0.1/', '127.0.0.1'],
    [74, 'http:///127.0.0.1', '127.0.0.1'],
    [74, 'http:\\\\127.0.0.1\\', '127.0.0.1'],
  ]),
  ...vectors('unspecified', 'never', [
    [10, 'http://0/', '0.0.0.0'],
    [11, 'http://0.0.0.0/', '0.0.0.0'],
    [23, 'http://[::]/', '[::]'],
  ]),
  ...vectors('metadata', 'never', [
    [27, 'http://[::a9fe:a9fe]/', '[::a9fe:a9fe]'],
    [30, 'http://[64:ff9b::169.254.169.254]/', '[64:ff9b::a9fe:a9fe]'],
    [31, 'http://[64:ff9b:1::a9fe:a9fe]/', '[64:ff9b:1::a9fe:a9fe]'],
    [33, 'http://[2002:a9fe:a9fe::]/', '[2002:a9fe:a9fe::]'],
    [34, 'http://[2001::5601:5601]/', '[2001::5601:5601]'],
    [40, 'http://169.254.169.254/', '169.254.169.254'],
    [41, 'http://0xA9FEA9FE/', '169.254.169.254'],
    [42, 'http://2852039166/', '169.254.169.254'],
    [43, 'http://0251.0376.0251.0376/', '169.254.169.254'],
    [44, 'http://0251.00376.000251.0000376/', '169.254.169.254'],
    [45, 'http://169.254.43518/', '169.254.169.254'],
    [46, 'http://0251.254.169.254/', '169.254.169.254'],
    [47, 'http://[::ffff:a9fe:a9fe]/', '[::ffff:a9fe:a9fe]'],
    [48, 'http://[0:0:0:0:0:ffff:169.254.169.254]/', '[::ffff:a9fe:a9fe]'],
    [49, 'http://169.254.170.2/', '169.254.170.2'],
    [50, 'http://100.100.100.200/', '100.100.100.200'],
    [51, 'http://192.0.0.192/', '192.0.0.192'],
    [52, 'http://168.63.129.16/', '168.63.129.16'],
    [53, 'http://[fd00:ec2::254]/', '[fd00:ec2::254]'],
    [54, 'http://[fd20:ce::254]/', '[fd20:ce::254]'],
  ]),
  ...vectors('link-local', 'never', [[35, 'http://[fe80::1]/', '[fe80::1]']]),
  ...vectors('site-local', 'never', [[36, 'http://[fec0::1]/', '[fec0::1]']]),
  ...vectors('unique-local', 'grantable', [[37, 'http://[fc00::1]/', '[fc00::1]']]),
  ...vectors('private', 'grantable', [
    [58, 'http://10.0.0.1/', '10.0.0.1'],
    [59, 'http://172.31.255.255/', '172.31.255.255'],
    [60, 'http://192.168.0.1/', '192.168.0.1'],
  ]),
  ...vectors('shared', 'grantable', [[61, 'http://100.64.0.1/', '100.64.0.1']]),
  ...vectors('benchmark', 'grantable', [[62, 'http://198.18.0.1/', '198.18.0.1']]),
  ...vectors('documentation', 'never', [
    [63, 'http://192.0.2.1/', '192.0.2.1'],
    [63, 'http://203.0.113.1/', '203.0.113.1'],
    [63, 'http://198.51.100.1/', '198.51.100.1'],
    [68, 'http://[2001:db8::1]/', '[2001:db8::1]'],
  ]),
  ...vectors('multicast', 'never', [
    [64, 'http://224.0.0.1/', '224.0.0.1'],
    [64, 'http://239.255.255.250/', '239.255.255.250'],
    [67, 'http://[ff02::1]/', '[ff02::1]'],
  ]),
  ...vectors('reserved', 'never', [
    [65, 'http://240.0.0.1/', '240.0.0.1'],
    [66, 'http://192.88.99.1/', '192.88.99.1'],
    [68, 'http://[5f00::1]/', '[5f00::1]'],
  ]),
  ...vectors('broadcast', 'never', [[65, 'http://255.255.255.255/', '255.255.255.255']]),
  ...vectors('discard', 'never', [[68, 'http://[100::1]/', '[100::1]']]),
  ...vectors('public', 'allow', [
    [59, 'http://172.32.0.1/', '172.32.0.1'],
    [61, 'http://100.128.0.1/', '100.128.0.1'],
    [78, 'http://010.8.8.8/', '8.8.8.8'],
  ]),
];

const NAMES: readonly Vector[] = [
  ...vectors('loopback', 'never', [
    [17, 'http://localhost/', 'localhost'],
    [18, 'http://LOCALHOST./', 'localhost.'],
    [19, 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'localhost'],
    [20, 'http://ℓocalhost/', 'localhost'],
  ]),
  ...vectors('metadata', 'never', [
    [55, 'http://metadata.google.internal/', 'metadata.google.internal'],
    [56, 'http://METADATA.google.internal./', 'metadata.google.internal.'],
    [57, 'http://instance-data/', 'instance-data'],
  ]),
];

/** The WHATWG parser refuses these; as the text of a host they are invalid. */
const INVALID: readonly Vector[] = vectors('invalid', 'never', [
  [38, 'http://[fe80::1%25eth0]/', undefined],
  [38, 'http://[::1%1]/', undefined],
  [76, 'http://425.510.425.510/', undefined],
  [76, 'http://256.0.0.1/', undefined],
  [77, 'http://7147006462/', undefined],
  [77, 'http://4294967296/', undefined],
  [77, 'http://0x100007f000001/', undefined],
  [78, 'http://08.8.8.8/', undefined],
]);

const POLICY = { grants: [] };

/** No row may get as far as DNS unless it says so. */
const noResolver: Resolver = (hostname) => Promise.reject(new Error(`${hostname} must not be resolved`));

/** The same URL by https, the only scheme the check accepts. */
function byHttps(url: string): URL {
  const parsed = new URL(url);
  parsed.protocol = 'https:';
  return parsed;
}

describe('the 80 public cases: hosts', () => {
  it.each([...LITERALS, ...NAMES])('$number $url is $class: $verdict', async (vector) => {
    const host = new URL(vector.url).hostname;
    expect(host).toBe(vector.host);
    expect(classifyHostname(host)).toMatchObject({ class: vector.class, verdict: vector.verdict });

    const checked = checkServerUrl(POLICY, byHttps(vector.url), { resolver: noResolver });
    if (vector.verdict === 'allow') {
      expect((await checked).map(({ address }) => address)).toEqual([host]);
    } else {
      const refusal = await refusalOf(checked);
      const expected = new URL(vector.url).username === '' ? vector.class : 'invalid';
      expect([refusal.code, refusal.addressClass]).toEqual(['k8s_egress_refused', expected]);
    }
  });

  it.each([...LITERALS, ...NAMES])('$number $url is refused as http', async ({ url }) => {
    expect((await refusalOf(checkServerUrl(POLICY, new URL(url), { resolver: noResolver }))).reason).toBe('scheme');
  });

  it.each(INVALID)('$number $url is no URL, and its host is invalid', ({ url }) => {
    expect(() => new URL(url)).toThrow('Invalid URL');
    const host = url.slice('http://'.length, -1);
    expect(classifyHostname(host)).toEqual({ class: 'invalid', verdict: 'never', address: host });
  });

  it.each([
    [72, 'https://example.com@127.0.0.1/'],
    [73, 'https://example.com;@127.0.0.1/'],
    [73, 'https://:secret@8.8.8.8/'],
  ])('%i %s is refused for its user name or password, which is not repeated', async (_number, url) => {
    const refusal = await refusalOf(checkServerUrl(POLICY, new URL(url), { resolver: noResolver }));
    expect(refusal.reason).toBe('userinfo');
    expect(`${refusal.message} ${JSON.stringify(refusal.details)}`).not.toMatch(/secret|example/);
  });

  it.each([
    [39, 'file:///etc/passwd'],
    [39, 'gopher://127.0.0.1:6379/_x'],
    [39, 'ftp://8.8.8.8/'],
    [39, 'ws://8.8.8.8/'],
  ])('%i %s is refused for its scheme', async (_number, url) => {
    const refusal = await refusalOf(checkServerUrl(POLICY, new URL(url), { resolver: noResolver }));
    expect(refusal.reason).toBe('scheme');
  });
});

describe('the 80 public cases: names that DNS decides about', () => {
  it.each([
    [69, 'https://127.0.0.1%2eexample.com/', '127.0.0.1.example.com'],
    [75, 'https://127.0.0.1.nip.io/', '127.0.0.1.nip.io'],
    [75, 'https://localtest.me/', 'localtest.me'],
  ])('%i %s is resolved, and refused for the answer 127.0.0.1', async (_number, url, host) => {
    expect(new URL(url).hostname).toBe(host);
    expect(classifyHostname(host)).toBeUndefined();
    const asked: string[] = [];
    const resolver: Resolver = (hostname) => {
      asked.push(hostname);
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const refusal = await refusalOf(checkServerUrl(POLICY, new URL(url), { resolver }));
    expect([asked, refusal.reason, refusal.addressClass]).toEqual([[host], 'never', 'loopback']);
  });

  it('69 admits the same name with a public answer', async () => {
    const resolver: Resolver = () => Promise.resolve([{ address: '8.8.8.8', family: 4 }]);
    const checked = await checkServerUrl(POLICY, new URL('https://127.0.0.1%2eexample.com/'), { resolver });
    expect(checked.map(({ address }) => address)).toEqual(['8.8.8.8']);
  });
});

describe('the 80 public cases: redirects (79)', () => {
  it.each([
    ['302 from a public host to loopback', 'https://127.0.0.1/', 'never', 'loopback'],
    ['307 to another port of loopback', '//127.0.0.1:10250/exec', 'never', 'loopback'],
    ['from https to http', 'http://8.8.8.8/', 'scheme', 'invalid'],
    ['to a private address', 'https://10.0.0.1/', 'no-grant', 'private'],
  ])('%s is refused', async (_case, location, reason, addressClass) => {
    const hop = nextHop(POLICY, new URL('https://8.8.8.8/'), location, { followed: 0, resolver: noResolver });
    const refusal = await refusalOf(hop);
    expect([refusal.reason, refusal.addressClass]).toEqual([reason, addressClass]);
  });
});

describe('the 80 public cases', () => {
  it('has a row for each number but 80, which rebinding.test.ts is about', () => {
    const tested = new Set([...LITERALS, ...NAMES, ...INVALID].map(({ number }) => number));
    const others = [39, 69, 75, 79];
    const missing = Array.from({ length: 79 }, (_, index) => index + 1).filter(
      (number) => !tested.has(number) && !others.includes(number),
    );
    expect(missing).toEqual([]);
  });
});
