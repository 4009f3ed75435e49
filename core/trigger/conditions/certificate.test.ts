import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { KubeObject } from '../../kube';
import { objectOf } from '../testing/objects';
import { certificateExpiring, withoutData } from './certificate';

const END = new Date('2026-03-01T00:00:00Z');

async function certificate(notAfter: Date): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=shop.example',
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  return made.toString('pem');
}

function tls(pem: string, type = 'kubernetes.io/tls'): KubeObject {
  return objectOf('tls', 1, {
    type,
    metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'secret', kept: 'yes' } },
    data: { 'tls.crt': Buffer.from(pem).toString('base64'), 'tls.key': 'c2VjcmV0' },
    stringData: { more: 'secret' },
  });
}

describe('a certificate that ends', () => {
  let pem = '';
  beforeAll(async () => {
    pem = await certificate(END);
  });

  it('counts to its end, and tells what a certificate tells everybody', () => {
    const [finding] = certificateExpiring.examine(tls(pem), 'Secret').findings;
    expect(finding).toMatchObject({
      slot: 'tls.crt',
      since: END.getTime(),
      facts: { subject: 'CN=shop.example', expiresAt: '2026-03-01T00:00:00.000Z' },
    });
    expect(JSON.stringify(finding)).not.toContain('c2VjcmV0');
  });

  it('reads the first of a chain', async () => {
    const chain = `${pem}\n${await certificate(new Date('2030-01-01T00:00:00Z'))}`;
    expect(certificateExpiring.examine(tls(chain), 'Secret').findings[0]?.since).toBe(END.getTime());
  });

  it('is another one when it was renewed', async () => {
    const renewed = await certificate(END);
    const key = (text: string): string | undefined => certificateExpiring.examine(tls(text), 'Secret').findings[0]?.key;
    expect(key(renewed)).not.toBe(key(pem));
  });

  it.each([
    ['another type of Secret', (text: string) => tls(text, 'Opaque')],
    ['no certificate', () => tls('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')],
    ['nothing', () => objectOf('tls', 1, { type: 'kubernetes.io/tls' })],
    [
      'far too much',
      () => objectOf('tls', 1, { type: 'kubernetes.io/tls', data: { 'tls.crt': 'A'.repeat(2_000_000) } }),
    ],
  ])('is not seen in %s', (_, secret) => {
    expect(certificateExpiring.examine(secret(pem), 'Secret').findings).toEqual([]);
  });

  it('never shows the data of its Secret', () => {
    expect(withoutData(tls(pem))).toEqual({
      type: 'kubernetes.io/tls',
      metadata: expect.objectContaining({ name: 'tls', annotations: { kept: 'yes' } }),
    });
  });
});
