import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { kubeconfigOf } from '../test/cluster/access';
import { CertificateAuthority } from '../test/certificates';
import { ownTarget, type OwnClusterOptions } from './demoTarget';

/** Nothing is connected to here. */
const PRIVATE = 'https://10.0.0.5:6443';

describe('the demo on an own cluster', () => {
  let folder = '';
  let caPem = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'navin-demo-'));
    caPem = (await CertificateAuthority.create()).certificate;
  });
  afterEach(() => {
    delete process.env.NAVIN_PRIVATE_NETWORKS;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const optionsFor = (server: string, more: Partial<OwnClusterOptions> = {}): OwnClusterOptions => {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf({ server, caPem }, { token: 'a-token-of-the-test' }, 'staging'));
    return { kubeconfig, apiServer: server, allowChanges: false, ...more };
  };

  it('changes nothing and says so, unless changes are allowed', async () => {
    const target = await ownTarget(optionsFor(PRIVATE));

    expect(target).toMatchObject({ mayChange: false, namespace: 'staging', apiServer: PRIVATE });
    expect(target).not.toHaveProperty('deployment');
    expect(target.credential.rightsToCheck).toEqual(['read']);
    expect(target.announcement.join('\n')).toContain('Changes nothing');
    expect(target.announcement.join('\n')).not.toContain('a-token-of-the-test');
  });

  it('names each change before it makes it', async () => {
    const target = await ownTarget(optionsFor(PRIVATE, { allowChanges: true, deployment: 'web', namespace: 'shop' }));

    expect(target).toMatchObject({ mayChange: true, namespace: 'shop', deployment: 'web' });
    expect(target.credential.rightsToCheck).toEqual(['read', 'jobs', 'workloads']);
    expect(target.announcement).toContain('Restarts the Deployment web in shop.');
    expect(target.announcement.join('\n')).toContain('Creates one Job report-…');
  });

  it('grants exactly the private address of the server', async () => {
    const { env, announcement } = await ownTarget(optionsFor(PRIVATE));

    expect(env).toEqual({ NAVIN_PRIVATE_NETWORKS: '[{"cidr":"10.0.0.5/32","ports":[6443]}]' });
    expect(announcement.join('\n')).toContain('"10.0.0.5/32"');
  });

  it('admits a loopback address for development, as kind and k3d have one', async () => {
    const { env } = await ownTarget(optionsFor('https://127.0.0.1:40123'));

    expect(env).toEqual({ NAVIN_DEV_API_SERVER: '127.0.0.1:40123' });
  });

  it('leaves the grants to the environment where it has some', async () => {
    process.env.NAVIN_PRIVATE_NETWORKS = '[{"cidr":"10.0.0.0/16","ports":[6443]}]';

    const { env, announcement } = await ownTarget(optionsFor(PRIVATE));

    expect(env).toEqual({ NAVIN_PRIVATE_NETWORKS: '[{"cidr":"10.0.0.0/16","ports":[6443]}]' });
    expect(announcement.join('\n')).toContain('as NAVIN_PRIVATE_NETWORKS says');
  });

  it('tells what is wrong with what it was given, before anything is started', async () => {
    const wrong = async (options: OwnClusterOptions): Promise<void> => {
      await ownTarget(options);
    };

    await expect(wrong({ ...optionsFor(PRIVATE), kubeconfig: join(folder, 'none') })).rejects.toThrow('cannot be read');
    await expect(wrong({ ...optionsFor(PRIVATE), apiServer: 'http://10.0.0.5' })).rejects.toThrow('--api-server');
    await expect(wrong({ ...optionsFor(PRIVATE), apiServer: 'https://10.0.0.6:6443' })).rejects.toThrow(/10\.0\.0\.6/);
    writeFileSync(join(folder, 'large'), 'x'.repeat(300 * 1024));
    await expect(wrong({ ...optionsFor(PRIVATE), kubeconfig: join(folder, 'large') })).rejects.toThrow('256 KiB');
  });
});
