import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAddress } from './check';
import { RANGES } from './classes';
import { classifyAddress } from './classify';
import { EgressPolicyError } from './errors';
import { loadEgressPolicy } from './policy';
import { addressText, bounds } from './testing/arithmetic';

const grants = (value: unknown): Record<string, string> => ({ NAVIN_PRIVATE_NETWORKS: JSON.stringify(value) });

function problemOf(env: Record<string, string | undefined>, readFile?: (path: string) => string): EgressPolicyError {
  try {
    loadEgressPolicy(env, readFile);
  } catch (error) {
    if (error instanceof EgressPolicyError) return error;
    throw error;
  }
  throw new Error('The policy was accepted');
}

describe('the list of grants', () => {
  it('is empty without settings, and with empty ones', () => {
    expect(loadEgressPolicy({})).toEqual({ grants: [] });
    const empty = { NAVIN_PRIVATE_NETWORKS: ' ', NAVIN_PRIVATE_NETWORKS_FILE: '', NAVIN_DEV_API_SERVER: '' };
    expect(loadEgressPolicy(empty)).toEqual({ grants: [] });
    expect(loadEgressPolicy(grants([]))).toEqual({ grants: [] });
  });

  it('reads ranges, ports and credentials, each range in its canonical spelling', () => {
    const policy = loadEgressPolicy(
      grants([
        { cidr: '10.20.0.0/16', ports: [443, 6443] },
        { cidr: 'FD12:3456:0:0::/64', ports: [6443], credentials: ['AbC123xyz_-', '7'] },
      ]),
    );
    expect(policy).toEqual({
      grants: [
        { cidr: '10.20.0.0/16', ports: [443, 6443] },
        { cidr: 'fd12:3456::/64', ports: [6443], credentialIds: ['AbC123xyz_-', '7'] },
      ],
    });
  });

  it.each([
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/11',
    '100.101.0.0/16',
    '198.18.0.0/15',
    'fc00::/8',
    'fd12:3456:789a::/48',
    '10.1.2.3/32',
    'fd12::1/128',
  ])('accepts %s', (cidr) => {
    expect(loadEgressPolicy(grants([{ cidr, ports: [6443] }])).grants).toHaveLength(1);
  });

  it.each([
    ['0.0.0.0/0', '169.254.169.254/32'],
    ['::/0', 'fd00:ec2::254/128'],
    ['127.0.0.0/8', '127.0.0.0/8'],
    ['127.0.0.1/32', '127.0.0.0/8'],
    ['126.0.0.0/7', '127.0.0.0/8'],
    ['0.0.0.0/4', '0.0.0.0/8'],
    ['169.254.0.0/16', '169.254.169.254/32'],
    ['100.64.0.0/10', '100.100.100.200/32'],
    ['100.100.100.200/32', '100.100.100.200/32'],
    ['fc00::/7', 'fd00:ec2::254/128'],
    ['fd00::/8', 'fd00:ec2::254/128'],
    ['fd20:ce::/32', 'fd20:ce::254/128'],
    ['224.0.0.0/4', '224.0.0.0/4'],
    ['::1/128', '::1/128'],
    ['::/96', '::/128'],
    ['fe80::/10', 'fe80::/10'],
    ['192.168.0.0/15', undefined],
    ['192.0.0.0/9', '192.0.0.192/32'],
  ])('refuses %s because it holds %s', (cidr, never) => {
    const { message } = problemOf(grants([{ cidr, ports: [6443] }]));
    expect(message).toContain(`entry 1 grants ${cidr}`);
    if (never !== undefined) expect(message).toContain(`contains ${never}:`);
  });

  it.each([
    '10.0.0.0/7',
    '172.0.0.0/11',
    '192.168.0.0/15',
    '198.16.0.0/14',
    '8.8.8.0/24',
    '8.8.8.8/32',
    '2606:4700::/32',
    '::ffff:168.0.0.0/103',
    '::ffff:10.0.0.0/104',
    '::ffff:0:0/96',
    '64:ff9b::a00:0/104',
    '64:ff9b:1::/48',
    '2002:a00::/24',
    '2001::/32',
  ])('refuses %s, which is not wholly in a private range', (cidr) => {
    expect(problemOf(grants([{ cidr, ports: [6443] }])).message).toMatch(
      new RegExp(`grants ${cidr.replaceAll('.', '\\.')}, which (is not wholly inside a private range|contains )`),
    );
  });

  const BITS = 'whose bits after the prefix are zero, like "10.0.0.0/24"';
  const EXAMPLE = 'like "10.0.0.0/24"';

  it.each([
    ['10.0.0.1', 'with a prefix: write "10.0.0.1/32" for this one address'],
    ['fd12::1', 'with a prefix: write "fd12::1/128" for this one address'],
    ['10.0.0.5/8', BITS],
    ['fd12::1/64', BITS],
    ['10.0.0.0/33', BITS],
    ['10.0.0.0/08', BITS],
    ['10.0.0.0/', BITS],
    ['10.0.0/8', EXAMPLE],
    ['012.0.0.0/8', EXAMPLE],
    ['fd12::%eth0/64', EXAMPLE],
    ['example.com/24', EXAMPLE],
    ['', EXAMPLE],
    [10, EXAMPLE],
    [undefined, EXAMPLE],
  ])('says what is wrong with the range %p', (cidr, problem) => {
    const { message } = problemOf(grants([{ cidr, ports: [6443] }]));
    expect(message).toBe(`NAVIN_PRIVATE_NETWORKS entry 1 needs a cidr ${problem}.`);
  });

  it.each([undefined, [], 6443, ['6443'], [0], [65536], [-1], [1.5], [null], Array.from({ length: 65 }, () => 1)])(
    'refuses the ports %p',
    (ports) => {
      expect(problemOf(grants([{ cidr: '10.0.0.0/8', ports }])).message).toBe(
        'NAVIN_PRIVATE_NETWORKS entry 1 needs ports: a list of 1 to 64 numbers from 1 to 65535, like [6443].',
      );
    },
  );

  it.each([
    [[]],
    ['abc'],
    [[1]],
    [['']],
    [['a b']],
    [['x'.repeat(65)]],
    [null],
    [Array.from({ length: 257 }, () => 'a')],
  ])('refuses the credentials %p', (credentials) => {
    expect(problemOf(grants([{ cidr: '10.0.0.0/8', ports: [1], credentials }])).message).toContain(
      'entry 1 has credentials that are not a list of 1 to 256 credential ids',
    );
  });

  it.each(['credential', 'credentialIds', 'port', 'host', '__proto__'])(
    'refuses the unknown key %s, which would be meant and not heard',
    (key) => {
      const text = `[{"cidr":"10.0.0.0/8","ports":[1],"${key}":["a"]}]`;
      expect(problemOf({ NAVIN_PRIVATE_NETWORKS: text }).message).toContain('entry 1 has an unknown key');
    },
  );

  it.each([[null], ['10.0.0.0/8'], [['10.0.0.0/8']], [1]])('refuses the entry %p', (entry) => {
    const good = { cidr: '10.0.0.0/8', ports: [1] };
    expect(problemOf(grants([good, entry])).message).toContain('NAVIN_PRIVATE_NETWORKS entry 2 must be an object');
  });

  it.each([['{}'], ['null'], ['"10.0.0.0/8"'], ['{"cidr":"10.0.0.0/8","ports":[1]}']])(
    'refuses %s, not a list',
    (text) => {
      expect(problemOf({ NAVIN_PRIVATE_NETWORKS: text }).message).toContain('must be a JSON list');
    },
  );

  it('refuses a list that is too long', () => {
    const one = { cidr: '10.0.0.0/8', ports: [1] };
    expect(loadEgressPolicy(grants(Array.from({ length: 256 }, () => one))).grants).toHaveLength(256);
    expect(problemOf(grants(Array.from({ length: 257 }, () => one))).message).toContain('more than 256 grants');
    expect(problemOf(grants(['x'.repeat(64 * 1024)])).message).toContain('more than 64 KiB');
  });

  it('is never accepted with a range that holds a never-address', () => {
    const never = RANGES.filter(({ cidr }) => classifyAddress(cidr.split('/')[0] ?? '').verdict === 'never');
    const anyAddress = fc.constantFrom(...never).chain(({ cidr }) => {
      const { first, last, family } = bounds(cidr);
      return fc.record({ value: fc.bigInt({ min: first, max: last }), family: fc.constant(family) });
    });
    fc.assert(
      fc.property(anyAddress, fc.nat(128), ({ value, family }, size) => {
        const bits = family === 4 ? 32 : 128;
        const prefix = Math.min(size, bits);
        const host = BigInt(bits - prefix);
        const cidr = `${addressText((value >> host) << host, family)}/${prefix}`;
        fc.pre(classifyAddress(addressText(value, family)).verdict === 'never');
        expect(problemOf(grants([{ cidr, ports: [1] }])).code).toBe('k8s_egress_policy_invalid');
      }),
    );
  });

  it('never admits by an accepted grant what is not grantable', () => {
    const private4 = fc.constantFrom('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15', '100.64.0.0/11');
    fc.assert(
      fc.property(private4, fc.bigInt({ min: 0n, max: 0xffffffffn }), (cidr, value) => {
        const policy = loadEgressPolicy(grants([{ cidr, ports: [6443] }]));
        const address = addressText(value, 4);
        const { first, last } = bounds(cidr);
        const expected = classifyAddress(address).verdict === 'allow' || (value >= first && value <= last);
        let admitted = true;
        try {
          checkAddress(policy, address, { host: address, port: 6443 });
        } catch {
          admitted = false;
        }
        expect(admitted).toBe(expected);
      }),
    );
  });
});

describe('the file of grants', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'egress-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const file = (text: string | Buffer): Record<string, string> => {
    const path = join(folder, 'grants.json');
    writeFileSync(path, text);
    return { NAVIN_PRIVATE_NETWORKS_FILE: path };
  };

  it('is read', () => {
    const env = file('\n[{"cidr":"10.0.0.0/8","ports":[6443]}]\n');
    expect(loadEgressPolicy(env)).toEqual({ grants: [{ cidr: '10.0.0.0/8', ports: [6443] }] });
  });

  it('is read by the given function', () => {
    const policy = loadEgressPolicy({ NAVIN_PRIVATE_NETWORKS_FILE: '/etc/grants' }, (path) =>
      path === '/etc/grants' ? '[{"cidr":"10.0.0.0/8","ports":[1]}]' : '',
    );
    expect(policy.grants).toHaveLength(1);
    const huge = (): string => `[${' '.repeat(64 * 1024)}]`;
    expect(problemOf({ NAVIN_PRIVATE_NETWORKS_FILE: 'x' }, huge).message).toContain('more than 64 KiB');
  });

  it('must not be set beside the variable', () => {
    const { message } = problemOf({ ...file('[]'), ...grants([]) });
    expect(message).toContain('are both set');
  });

  it('that is missing, a folder or a pipe is refused at once', () => {
    expect(problemOf({ NAVIN_PRIVATE_NETWORKS_FILE: join(folder, 'none') }).message).toBe(
      'NAVIN_PRIVATE_NETWORKS_FILE names a file that cannot be read (ENOENT).',
    );
    expect(problemOf({ NAVIN_PRIVATE_NETWORKS_FILE: folder }).message).toContain('does not name a regular file');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(problemOf({ NAVIN_PRIVATE_NETWORKS_FILE: pipe }).message).toContain('does not name a regular file');
  });

  it('that is too large is refused', () => {
    expect(problemOf(file(`[${' '.repeat(1024 * 1024)}]`)).message).toContain('more than 64 KiB');
  });

  it.each(['token: s3cr3t-value', '["s3cr3t-value"', '[{"cidr":"s3cr3t-value","ports":[1]}]', '[{"s3cr3t-value":1}]'])(
    'named by mistake is not repeated in the error: %s',
    (text) => {
      const problem = problemOf(file(text));
      expect(`${problem.message} ${String(problem.hint)} ${JSON.stringify(problem.details)}`).not.toContain('s3cr3t');
      expect(problem.cause).toBeUndefined();
      expect(problem.details).toEqual({ variable: 'NAVIN_PRIVATE_NETWORKS_FILE' });
    },
  );
});

describe('the API server for development', () => {
  it.each([
    ['127.0.0.1:6443', { address: '127.0.0.1', port: 6443 }],
    [' 127.1.2.3:1 ', { address: '127.1.2.3', port: 1 }],
    ['[::1]:65535', { address: '::1', port: 65535 }],
    ['[0:0::1]:6443', { address: '::1', port: 6443 }],
  ])('is read from %p', (text, devApiServer) => {
    expect(loadEgressPolicy({ NAVIN_DEV_API_SERVER: text })).toEqual({ grants: [], devApiServer });
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:6443/',
    'https://127.0.0.1:6443',
    'localhost:6443',
    '127.1:6443',
    '::1:6443',
    '[127.0.0.1:6443',
    '0.0.0.0:6443',
    '10.0.0.1:6443',
    '8.8.8.8:443',
    '169.254.169.254:80',
    '[::ffff:127.0.0.1]:6443',
    '127.0.0.1:6443,127.0.0.1:6444',
  ])('is refused for %p', (text) => {
    expect(problemOf({ NAVIN_DEV_API_SERVER: text }).message).toBe(
      'NAVIN_DEV_API_SERVER must be one loopback address and port, like 127.0.0.1:6443 or [::1]:6443.',
    );
  });
});
