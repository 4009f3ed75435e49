import { describe, expect, it } from '@jest/globals';
import { parseOptions, type ProgramOptions } from './options';
import type { Place } from './place';
import { UsageError } from './usageError';

const POD: Place = { inCluster: true, namespace: 'navin-system' };
const OUTSIDE: Place = { inCluster: false };
const BY_FILE = ['--kubeconfig', 'k.yaml', '--api-server', 'https://api.example:6443', '--lease-namespace', 'navin'];

function run(args: readonly string[], place: Place = POD): ProgramOptions {
  const request = parseOptions(args, place);
  if ('run' in request) return request.run;
  throw new Error('Not asked to run');
}

function problem(args: readonly string[], place: Place = POD): string {
  try {
    parseOptions(args, place);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('Not refused');
}

describe('the flags', () => {
  it('are few in a cluster', () => {
    expect(run(['--namespaces', 'shop'])).toEqual({
      namespaces: ['shop'],
      chartsDir: '/charts',
      registries: [],
      pullSecrets: [],
      lease: { namespace: 'navin-system', name: 'navin-operator' },
      listen: { address: '0.0.0.0', port: 8080 },
      concurrency: 10,
      resyncMs: 600_000,
      logLevel: 'info',
    });
  });

  it('say everything outside of one', () => {
    const flags = {
      namespaces: ' shop , billing',
      'charts-dir': './charts',
      'oci-registries': 'ghcr.io,registry.example:5000',
      'registry-config': 'config.json',
      'registry-ca': 'ca.pem',
      'image-pull-secrets': 'pull.example,other',
      'lease-name': 'second',
      listen: '[::1]:0',
      concurrency: '100',
      resync: '1',
      'log-level': 'warn',
    };
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    expect(run([...args, ...BY_FILE], OUTSIDE)).toEqual({
      namespaces: ['shop', 'billing'],
      chartsDir: './charts',
      registries: ['ghcr.io', 'registry.example:5000'],
      registryConfig: 'config.json',
      registryCa: 'ca.pem',
      pullSecrets: ['pull.example', 'other'],
      cluster: { kubeconfig: 'k.yaml', apiServer: 'https://api.example:6443' },
      lease: { namespace: 'navin', name: 'second' },
      listen: { address: '::1', port: 0 },
      concurrency: 100,
      resyncMs: 60_000,
      logLevel: 'warn',
    });
  });

  it('choose a listening address that is right for where it runs', () => {
    expect(run(['--namespaces', 'shop', ...BY_FILE], OUTSIDE).listen).toEqual({ address: '127.0.0.1', port: 8080 });
    expect(run(['--namespaces', 'shop', ...BY_FILE], POD).listen).toEqual({ address: '0.0.0.0', port: 8080 });
  });

  it('do not take the namespace of the Pod for a cluster that it does not run in', () => {
    expect(problem(['--namespaces', 'shop', ...BY_FILE.slice(0, 4)])).toBe(
      '--lease-namespace is missing: name the namespace that holds the Lease of the operator.',
    );
  });

  it('are explained', () => {
    const request = parseOptions(['--help'], OUTSIDE);
    const text = 'print' in request ? request.print : '';
    const named = [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(named).toEqual([
      '--version',
      '--namespaces',
      '--charts-dir',
      '--oci-registries',
      '--registry-config',
      '--registry-ca',
      '--image-pull-secrets',
      '--kubeconfig',
      '--api-server',
      '--lease-namespace',
      '--lease-name',
      '--listen',
      '--concurrency',
      '--resync',
      '--log-level',
      '--help',
    ]);
    expect(text).toContain('navin-platform-operator --namespaces shop,billing');
    expect(text).toContain('--kubeconfig ./operator.kubeconfig --api-server');
    expect(parseOptions(['--version'], OUTSIDE)).toEqual({ print: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

const many = (count: number): string => Array.from({ length: count }, (_, index) => `n${index}`).join(',');

describe('flags that are wrong', () => {
  it.each<[string, readonly string[], string]>([
    ['no namespace', [], '--namespaces is missing: name the namespaces whose components are to be run.'],
    ['an empty list', ['--namespaces='], '--namespaces: entry 1 of the list must be the name of a namespace.'],
    ['a hole', ['--namespaces', 'a,,b'], '--namespaces: entry 2 of the list must be the name of a namespace.'],
    ['a name', ['--namespaces', 'a,B'], '--namespaces: entry 2 of the list must be the name of a namespace.'],
    ['a path', ['--namespaces', '../a'], '--namespaces: entry 1 of the list must be the name of a namespace.'],
    ['the same twice', ['--namespaces', 'a,b, a'], '--namespaces: entries 1 and 3 of the list are the same.'],
    ['too many', ['--namespaces', many(101)], '--namespaces has more than 100 entries.'],
    [
      'the own namespace',
      ['--namespaces', 'shop,navin-system'],
      '--namespaces must not have the namespace of the Lease (--lease-namespace): the operator has a namespace of its own.',
    ],
    [
      'the namespace of the lease',
      ['--namespaces', 'shop', '--lease-namespace', 'shop'],
      '--namespaces must not have the namespace of the Lease (--lease-namespace): the operator has a namespace of its own.',
    ],
    [
      'a URL',
      ['--oci-registries', 'https://ghcr.io'],
      '--oci-registries: entry 1 of the list must be a host like ghcr.io or registry.example:5000.',
    ],
    [
      'one registry by two names',
      ['--oci-registries', 'docker.io,registry-1.docker.io:443'],
      '--oci-registries: entries 1 and 2 of the list are the same.',
    ],
    ['too many registries', ['--oci-registries', many(65)], '--oci-registries has more than 64 entries.'],
    [
      'a Secret',
      ['--image-pull-secrets', 'a_b'],
      '--image-pull-secrets: entry 1 of the list must be the name of a Secret.',
    ],
    [
      'a kubeconfig alone',
      ['--namespaces', 'a', '--kubeconfig', 'k'],
      '--kubeconfig is given without --api-server: both are needed outside a cluster, none in one.',
    ],
    [
      'a server alone',
      ['--namespaces', 'a', '--api-server', 'https://user:s3cr3t@a'],
      '--api-server is given without --kubeconfig: both are needed outside a cluster, none in one.',
    ],
    ['a lease', ['--lease-name', 'A'], '--lease-name must be the name of a Lease.'],
    ['a name', ['--listen', 'localhost:80'], LISTEN()],
    ['no port', ['--listen', '127.0.0.1'], LISTEN()],
    ['a port', ['--listen', '127.0.0.1:65536'], LISTEN()],
    ['IPv6 without brackets', ['--listen', '::1:80'], LISTEN()],
    ['zero', ['--concurrency', '0'], '--concurrency must be a whole number from 1 to 100.'],
    ['a fraction', ['--resync', '1.5'], '--resync must be a whole number from 1 to 1440.'],
    ['a level', ['--log-level', 's3cr3t'], '--log-level must be one of trace, debug, info, warn, error.'],
    ['a flag twice', ['--resync', '1', '--resync', '2'], '--resync is given twice.'],
    ['a flag that is none', ['--token=s3cr3t'], "unknown option '--token' (--help explains the flags)"],
    [
      'a flag without its value',
      ['--namespaces'],
      "option '--namespaces <list>' argument missing (--help explains the flags)",
    ],
    ['a word', ['s3cr3t'], 'There is a word that belongs to no flag (--help explains the flags)'],
  ])('%s: %j', (_name, args, expected) => {
    expect(problem(args)).toBe(expected);
  });

  it('are told in one line that holds no value', () => {
    const nasty = 'a\n\u001b[31m\u202es3cr3t';
    for (const flag of ['namespaces', 'oci-registries', 'lease-name', 'listen', 'log-level', 'resync', nasty]) {
      const line = problem([`--${flag}=${nasty}`]);
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
      if (flag !== nasty) expect(line).not.toContain('s3cr3t');
    }
  });

  it('include a place without a cluster', () => {
    expect(problem(['--namespaces', 'shop'], OUTSIDE)).toBe(
      'There is no cluster to work in: run it in a Pod with a ServiceAccount, or give --kubeconfig and --api-server.',
    );
  });
});

function LISTEN(): string {
  return '--listen must be an IP address and a port, like 127.0.0.1:8080 or [::]:8080.';
}
