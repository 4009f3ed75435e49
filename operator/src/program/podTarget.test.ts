import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../core/clock/testing/fakeClock';
import { checkServerUrl } from '../../../core/egress';
import { CertificateAuthority } from '../../../test/certificates';
import type { ClusterAccess } from './clusterAccess';
import { findCluster } from './target';
import { UsageError } from './usageError';

const clock = new FakeClock();
let directory: string;
let ca: string;
let faults: unknown[] = [];

beforeAll(async () => {
  ({ certificate: ca } = await CertificateAuthority.create());
  directory = mkdtempSync(join(tmpdir(), 'navin-account-'));
  write('token', 'pod-token-1\n');
  write('ca.crt', ca);
  write('namespace', 'navin-system');
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

function inPod(host: string, port = '443', serviceAccountDir = directory): Promise<ClusterAccess> {
  faults = [];
  const env = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port };
  return findCluster(undefined, { env, clock, serviceAccountDir, onTokenFault: (error) => faults.push(error) });
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('Not refused');
}

const tokenOf = ({ target: { identity } }: ClusterAccess): string => (identity.type === 'token' ? identity.token : '');

/** Whether an address may be connected to for a URL. */
async function verdict({ egress }: ClusterAccess, url: string, address: string): Promise<string> {
  const resolver = (): Promise<{ address: string; family: 4 | 6 }[]> => Promise.resolve([{ address, family: 4 }]);
  return checkServerUrl(egress, new URL(url), { resolver }).then(
    () => 'allowed',
    () => 'refused',
  );
}

describe('the cluster of a Pod', () => {
  it.each([
    ['10.96.0.1', '443', 'https://10.96.0.1', [{ cidr: '10.96.0.1/32', ports: [443] }]],
    ['10.43.0.1', '6443', 'https://10.43.0.1:6443', [{ cidr: '10.43.0.1/32', ports: [6443] }]],
    ['fd00:10:96::1', '443', 'https://[fd00:10:96::1]', [{ cidr: 'fd00:10:96::1/128', ports: [443] }]],
    ['8.8.8.8', '443', 'https://8.8.8.8', []],
  ])('at %s port %s is granted alone', async (host, port, server, grants) => {
    const { target, egress, warnings } = await inPod(host, port);
    expect([target.server, target.namespace, target.ca]).toEqual([server, 'navin-system', ca]);
    expect(egress).toEqual({ grants });
    expect(warnings).toEqual([]);
  });

  it('may be named, as some clouds do', async () => {
    const access = await inPod('x.privatelink.azmk8s.example');
    const url = access.target.server;
    expect(url).toBe('https://x.privatelink.azmk8s.example');
    expect(await verdict(access, url, '10.1.2.3')).toBe('allowed');
    expect(await verdict(access, url, '169.254.169.254')).toBe('refused');
    expect(await verdict(access, `${url}:8443`, '10.1.2.3')).toBe('refused');
  });

  it('is spoken to with the token as it is now, or the last good one', async () => {
    const access = await inPod('10.96.0.1');
    expect(tokenOf(access)).toBe('pod-token-1');
    write('token', 'pod-token-2');
    await clock.advance(60_000);
    expect(tokenOf(access)).toBe('pod-token-2');
    write('token', '');
    await clock.advance(60_000);
    expect([tokenOf(access), tokenOf(access)]).toEqual(['pod-token-2', 'pod-token-2']);
    write('token', 'with a\nline');
    await clock.advance(60_000);
    expect([tokenOf(access), faults.length]).toEqual(['pod-token-2', 2]);
    write('token', 'pod-token-1');
  });

  it.each([
    ['10.96.0.1', '0'],
    ['10.96.0.1', ''],
    ['10.96.0.1', '65536'],
    ['a/b', '443'],
    ['user@host', '443'],
  ])('is nowhere at %s port "%s"', async (host, port) => {
    expect(await problemOf(inPod(host, port))).toBe(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be the address of the API server.',
    );
  });

  it.each(['127.0.0.1', '169.254.169.254', '::1', 'metadata.google.internal'])('is never at %s', async (host) => {
    expect(await problemOf(inPod(host))).toMatch(
      /^The ServiceAccount of the Pod: The API server is never connected to/,
    );
  });

  it('cannot be had without the files of its ServiceAccount', async () => {
    expect(await problemOf(inPod('10.96.0.1', '443', join(directory, 'none')))).toBe(
      'The ServiceAccount of the Pod (ca.crt) names a file that cannot be read (ENOENT).',
    );
    write('ca.crt', 'no certificate');
    expect(await problemOf(inPod('10.96.0.1'))).toMatch(/^The ServiceAccount of the Pod: The CA is not PEM text\. /);
    write('ca.crt', ca);
  });
});
