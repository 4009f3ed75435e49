import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../test/certificates';
import { readRegistryFiles } from './registry';
import { UsageError } from './usageError';

const SECRET = 's3cr3t-password';
let folder: string;
let first: CertificateAuthority;
let second: CertificateAuthority;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navin-registry-'));
  first = await CertificateAuthority.create({ name: 'first' });
  second = await CertificateAuthority.create({ name: 'second' });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(text: string): string {
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return path;
}

async function problemOf(options: Parameters<typeof readRegistryFiles>[0]): Promise<string> {
  try {
    await readRegistryFiles(options);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('Not refused');
}

describe('the files about registries', () => {
  it('need not be there', async () => {
    expect(await readRegistryFiles({})).toEqual({ warnings: [] });
  });

  it('give credentials and certificates', async () => {
    const auths = { 'ghcr.io': { username: 'robot', password: SECRET } };
    const { credentials } = await readRegistryFiles({ registryConfig: file(JSON.stringify({ auths })) });
    expect([...(credentials ?? [])]).toEqual([['ghcr.io', { username: 'robot', password: SECRET }]]);
    const { ca } = await readRegistryFiles({ registryCa: file(`# two\n${first.certificate}\n${second.certificate}`) });
    expect(ca).toBe(`${first.certificate}${second.certificate}`);
  });

  it.each<[string, () => string]>([
    ['--registry-ca is not PEM text.', () => SECRET],
    ['--registry-ca is not PEM text.', () => ''],
    ['--registry-ca holds something else than certificates.', () => first.key],
    ['--registry-ca Certificate 2 cannot be read.', () => `${first.certificate}${broken(second.certificate)}`],
    ['--registry-ca names a file that is larger than 256 KiB.', () => 'x'.repeat(256 * 1024 + 1)],
  ])('%s', async (problem, text) => {
    expect(await problemOf({ registryCa: file(text()) })).toBe(problem);
  });

  it('are refused when they do not say what they should, without repeating it', async () => {
    expect(await problemOf({ registryConfig: file(`{"auths":{"a":"${SECRET}"}}`) })).toBe(
      '--registry-config has no usable credential in entry 1: auth, or username and password.',
    );
    expect(await problemOf({ registryConfig: file(' '.repeat(1024 * 1024 + 1)) })).toBe(
      '--registry-config names a file that is larger than 1024 KiB.',
    );
    expect(await problemOf({ registryConfig: folder })).toBe('--registry-config does not name a regular file.');
  });

  it('are not opened where that would wait for somebody to write', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await problemOf({ registryCa: pipe })).toBe('--registry-ca does not name a regular file.');
  });
});

/** PEM whose content is base64 of something else. */
function broken(pem: string): string {
  return pem.replace(/\n[^-]+\n/, `\n${Buffer.from(SECRET).toString('base64')}\n`);
}
