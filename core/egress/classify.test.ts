import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RANGES, type AddressClass } from './classes';
import { classifyAddress, classifyHostname } from './classify';
import { addressNumber, addressText, bounds, canonical } from './testing/arithmetic';

/** First and last address of every range, the one before and the one after: IPv4. */
const IPV4_BORDERS: readonly (readonly [AddressClass, ...string[]])[] = [
  ['public', '1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['public', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ['public', '191.255.255.255', '192.0.1.0', '192.0.1.255', '192.0.3.0', '192.88.98.255', '192.88.100.0'],
  ['public', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0'],
  ['public', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8', '1.1.1.1'],
  ['unspecified', '0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['shared', '100.64.0.0', '100.127.255.255', '100.100.100.199', '100.100.100.201'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.254.169.253', '169.254.169.255', '169.254.170.1'],
  ['link-local', '169.254.170.3', '169.254.170.22', '169.254.170.24'],
  ['metadata', '169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ['reserved', '192.0.0.0', '192.0.0.255', '192.0.0.191', '192.0.0.193', '192.88.99.0', '192.88.99.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['documentation', '192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  ['benchmark', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
];

const F5 = 'ffff:ffff:ffff:ffff:ffff';
const F6 = `ffff:${F5}`;

/** The same of IPv6. Carriers begin and end with 0.0.0.0 and 255.255.255.255 inside. */
const IPV6_BORDERS: readonly (readonly [AddressClass, ...string[]])[] = [
  ['unspecified', '::', '::2', '::ffff:0:0', '::ffff:0:0:0', '64:ff9b::', '64:ff9b:1::', '2002::'],
  ['unspecified', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['loopback', '::1'],
  ['broadcast', '::ffff:ffff', '::ffff:ffff:ffff', '::ffff:0:ffff:ffff', '64:ff9b::ffff:ffff', '2001::'],
  ['broadcast', `2002:ffff:ffff:${F5}`, `64:ff9b:1:${F5}`],
  ['reserved', '::1:0:0', '::fffe:ffff:ffff', '::1:0:0:0', '::fffe:ffff:ffff:ffff', '::ffff:1:0:0'],
  ['reserved', `64:ff9a:${F6}`, '64:ff9b::1:0:0', `64:ff9b:0:${F5}`, '64:ff9b:2::', `ff:ffff:${F6}`],
  ['reserved', '100:0:0:1::', `1fff:ffff:${F6}`, '2001:1::', `2001:1ff:${F6}`, '4000::', '5f00::1'],
  ['reserved', `fbff:ffff:${F6}`, 'fe00::', `fe7f:ffff:${F6}`],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['public', '2000::', `2000:ffff:${F6}`, '2001:200::', `2001:db7:${F6}`, '2001:db9::', `2001:ffff:${F6}`, '2003::'],
  ['public', `3ffe:ffff:${F6}`, '3fff:1000::', `3fff:ffff:${F6}`, '2606:4700::1111'],
  ['documentation', '2001:db8::', `2001:db8:${F6}`, '3fff::', `3fff:fff:${F6}`],
  ['unique-local', 'fc00::', `fdff:ffff:${F6}`, 'fd00:ec2::253', 'fd00:ec2::255', 'fd00:ec2::22', 'fd00:ec2::24'],
  ['unique-local', 'fd20:ce::253', 'fd20:ce::255'],
  ['metadata', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
  ['link-local', 'fe80::', `febf:ffff:${F6}`],
  ['site-local', 'fec0::', `feff:ffff:${F6}`],
  ['multicast', 'ff00::', `ffff:ffff:${F6}`],
];

const VERDICTS: Readonly<Record<AddressClass, string>> = {
  public: 'allow',
  private: 'grantable',
  shared: 'grantable',
  benchmark: 'grantable',
  'unique-local': 'grantable',
  loopback: 'never',
  unspecified: 'never',
  'link-local': 'never',
  metadata: 'never',
  multicast: 'never',
  broadcast: 'never',
  reserved: 'never',
  documentation: 'never',
  'site-local': 'never',
  discard: 'never',
  invalid: 'never',
};

const BORDERS = [...IPV4_BORDERS, ...IPV6_BORDERS].flatMap(([expected, ...addresses]) =>
  addresses.map((address) => ({ address, expected })),
);

describe('classes of addresses and their borders', () => {
  it.each(BORDERS)('$address is $expected', ({ address, expected }) => {
    expect(classifyAddress(address)).toMatchObject({ class: expected, verdict: VERDICTS[expected] });
  });

  it('tests both borders of every range of the table, inside and outside', () => {
    const tested = new Set(BORDERS.map(({ address }) => canonical(address)));
    const wanted = RANGES.flatMap(({ cidr }) => {
      const { first, last, family } = bounds(cidr);
      const highest = (1n << (family === 4 ? 32n : 128n)) - 1n;
      return [first - 1n, first, last, last + 1n]
        .filter((value) => value >= 0n && value <= highest)
        .map((value) => addressText(value, family));
    });
    expect(wanted.filter((address) => !tested.has(address))).toEqual([]);
  });

  it('gives the canonical spelling', () => {
    expect(classifyAddress('2606:4700:0:0:0:0:0:1111')).toEqual({
      class: 'public',
      verdict: 'allow',
      address: '2606:4700::1111',
    });
  });

  it.each([
    '',
    ' ',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '010.8.8.8',
    '2130706433',
    '1.2.3.4 ',
    '1.2.3.4/32',
    '[::1]',
    '::1%lo',
    'fe80::1%eth0',
    '::ffff:1.2.3',
    '1::2::3',
    'localhost',
    '1'.repeat(100_000),
  ])('is never without throwing for what is not the text of an address: %p', (text) => {
    expect(classifyAddress(text)).toEqual({ class: 'invalid', verdict: 'never', address: text });
  });
});

/** Every way to put an IPv4 address into an IPv6 address that leaves it in the last 32 bits, and the others. */
const CARRIERS: Readonly<Record<string, (ipv4: bigint) => bigint>> = {
  'IPv4-compatible': (ipv4) => ipv4,
  'IPv4-mapped': (ipv4) => (0xffffn << 32n) | ipv4,
  'IPv4-translated': (ipv4) => (0xffffn << 48n) | ipv4,
  NAT64: (ipv4) => addressNumber('64:ff9b::') | ipv4,
  'local NAT64 /96': (ipv4) => addressNumber('64:ff9b:1::') | ipv4,
  'local NAT64 /96 below a subnet': (ipv4) => addressNumber('64:ff9b:1:0:0:1::') | ipv4,
  '6to4': (ipv4) => (0x2002n << 112n) | (ipv4 << 80n) | 1n,
  Teredo: (ipv4) => addressNumber('2001:0:4136:e378:8000:63bf::') | (ipv4 ^ 0xffffffffn),
  ISATAP: (ipv4) => addressNumber('2606:4700::5efe:0:0') | ipv4,
  'ISATAP, global': (ipv4) => addressNumber('2606:4700::200:5efe:0:0') | ipv4,
  'ISATAP in a private network': (ipv4) => addressNumber('fd12:3456::5efe:0:0') | ipv4,
};

/** RFC 6052, 2.2: places of prefixes of 48, 56 and 64 bits, around the zero byte 8. They cannot hold 0.0.0.0/8. */
const NAT64_PLACES: Readonly<Record<string, (ipv4: bigint) => bigint>> = {
  'local NAT64 /48': (ipv4) => addressNumber('64:ff9b:1::') | ((ipv4 >> 16n) << 64n) | ((ipv4 & 0xffffn) << 40n),
  'local NAT64 /56': (ipv4) => addressNumber('64:ff9b:1::') | ((ipv4 >> 24n) << 64n) | ((ipv4 & 0xffffffn) << 32n),
  'local NAT64 /64': (ipv4) => addressNumber('64:ff9b:1::') | (ipv4 << 24n),
};

const inClass = (classes: readonly AddressClass[]): fc.Arbitrary<bigint> =>
  fc
    .constantFrom(...RANGES.filter((range) => range.cidr.includes('.') && classes.includes(range.class)))
    .chain(({ cidr }) => fc.bigInt({ min: bounds(cidr).first, max: bounds(cidr).last }));

const NEVER_CLASSES = (Object.keys(VERDICTS) as AddressClass[]).filter((name) => VERDICTS[name] === 'never');

describe('IPv4 addresses inside IPv6 addresses', () => {
  it.each(Object.keys({ ...CARRIERS, ...NAT64_PLACES }))('never admits a never-address in the form %s', (form) => {
    const embed = { ...CARRIERS, ...NAT64_PLACES }[form];
    if (embed === undefined) throw new Error('No such form');
    fc.assert(
      fc.property(inClass(NEVER_CLASSES), (ipv4) => {
        fc.pre(form in CARRIERS || ipv4 >> 24n !== 0n);
        expect(classifyAddress(addressText(embed(ipv4), 6)).verdict).toBe('never');
      }),
    );
  });

  it.each(Object.keys(CARRIERS))('asks for the grant of the private address in the form %s', (form) => {
    fc.assert(
      fc.property(inClass(['private', 'benchmark']), (ipv4) => {
        const found = classifyAddress(addressText(CARRIERS[form]?.(ipv4) ?? 0n, 6));
        expect(found.verdict).toBe('grantable');
        if (form !== 'ISATAP in a private network') expect(found.embedded).toBe(addressText(ipv4, 4));
      }),
    );
  });

  it.each(Object.keys(CARRIERS).filter((form) => form !== 'ISATAP in a private network'))(
    'admits a public address in the form %s',
    (form) => {
      const found = classifyAddress(addressText(CARRIERS[form]?.(addressNumber('8.8.8.8')) ?? 0n, 6));
      expect(found).toMatchObject({ class: 'public', verdict: 'allow', embedded: '8.8.8.8' });
    },
  );

  it('keeps the class of the IPv6 range where that is as bad as what is inside', () => {
    expect(classifyAddress('fe80::5efe:10.0.0.1')).toEqual({
      class: 'link-local',
      verdict: 'never',
      address: 'fe80::5efe:a00:1',
    });
    expect(classifyAddress('fd12:3456::5efe:10.0.0.1')).not.toHaveProperty('embedded');
  });

  it('does not take zeros for an address in the local NAT64 range', () => {
    expect(classifyAddress('64:ff9b:1::8.8.8.8')).toMatchObject({ verdict: 'allow', embedded: '8.8.8.8' });
    expect(classifyAddress('64:ff9b:1::10.0.0.1')).toMatchObject({ class: 'private', embedded: '10.0.0.1' });
  });
});

describe('spellings', () => {
  const ipv6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
  const ipv4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });

  it('classifies every spelling of an IPv6 address alike', () => {
    const anyIpv6 = fc.oneof(ipv6, ipv4, ...Object.values(CARRIERS).map((embed) => ipv4.map(embed)));
    fc.assert(
      fc.property(anyIpv6, (value) => {
        const short = addressText(value, 6);
        const groups = Array.from({ length: 8 }, (_, index) =>
          ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
        );
        const dotted = addressText(value & 0xffffffffn, 4);
        const spellings = [
          groups.join(':'),
          groups.map((group) => group.padStart(4, '0')).join(':'),
          groups.join(':').toUpperCase(),
          `${groups.slice(0, 6).join(':')}:${dotted}`,
        ];
        const found = classifyAddress(short);
        for (const spelling of spellings) expect(classifyAddress(spelling)).toEqual(found);
        expect(classifyHostname(`[${groups.join(':')}]`)).toEqual(found);
      }),
    );
  });

  it('classifies every spelling of an IPv4 address in a URL alike', () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        const bytes = [24n, 16n, 8n, 0n].map((shift) => Number((value >> shift) & 0xffn));
        const [a = 0, b = 0, c = 0, d = 0] = bytes;
        const spellings = [
          bytes.join('.'),
          `${bytes.join('.')}.`,
          bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
          bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
          bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
          String(value),
          `0x${value.toString(16)}`,
          `0X${value.toString(16).toUpperCase()}`,
          `${a}.${b}.${(c << 8) | d}`,
          `${a}.${value & 0xffffffn}`,
          bytes.join('。'),
          bytes.join('.').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
          bytes.join('.').replace(/\d/g, (digit) => `%3${digit}`),
        ];
        const found = classifyAddress(addressText(value, 4));
        for (const spelling of spellings) expect(classifyHostname(spelling)).toEqual(found);
      }),
    );
  });
});

describe('classes of host names', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    'a.b.LocalHost.',
    'localhost.localdomain',
    'localhost6',
    'ip6-localhost',
    'ip6-loopback',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'ｌｏｃａｌｈｏｓｔ',
    'local%68ost',
    'local\u00adhost',
  ])('%s is the host itself', (name) => {
    expect(classifyHostname(name)).toMatchObject({ class: 'loopback', verdict: 'never' });
  });

  it.each([
    'metadata',
    'Metadata.',
    'metadata.google.internal',
    'METADATA.GOOGLE.INTERNAL.',
    'metadata.goog',
    'instance-data',
    'instance-data.ec2.internal',
    'metadata。google。internal',
  ])('%s is a metadata service', (name) => {
    expect(classifyHostname(name)).toMatchObject({ class: 'metadata', verdict: 'never' });
  });

  it.each([
    '',
    '.',
    '..',
    'localhost..',
    '127.0.0.1..',
    '.localhost',
    'a..b',
    'a b',
    'local\thost',
    'local\nhost',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a@b',
    'a:6443',
    '[::1',
    '::1]',
    '[[::1]]',
    '[localhost]',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '256.0.0.1',
    '1.2.3.4.5',
    '08.8.8.8',
    '4294967296',
    'a'.repeat(300),
    `${'㎏'.repeat(130)}.example`,
  ])('is never for what is not a host: %p', (name) => {
    expect(classifyHostname(name)).toMatchObject({ class: 'invalid', verdict: 'never' });
  });

  it.each([
    'example.com',
    'example.com.',
    'localhost.example.com',
    'notlocalhost',
    'mylocalhost.',
    'metadata.example.com',
    'my-metadata',
    '127.0.0.1.example.com',
    '127.0.0.1.nip.io',
    'kubernetes.default.svc',
    'a_b.example',
    'bücher.example',
  ])('leaves %s to DNS', (name) => {
    expect(classifyHostname(name)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(classifyAddress(text).verdict).toMatch(/^(allow|grantable|never)$/);
        expect(classifyHostname(text)?.verdict ?? 'allow').toMatch(/^(allow|grantable|never)$/);
      }),
    );
  });
});
