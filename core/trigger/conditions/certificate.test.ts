import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509CertificateGenerator } from '@peculiar/x509';
import { RESOURCES, type KubeObject } from '../../kube';
import { runPass, type Observation } from '../pass';
import { checkSettings } from '../settings';
import { contextOf, listed, newState, NOW, objectOf, watched } from '../testing/objects';
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

  it('counts to its end, and tells its dates and nothing else', () => {
    const [finding] = certificateExpiring.examine(tls(pem), 'Secret').findings;
    expect(finding).toEqual({
      slot: 'tls.crt',
      key: expect.stringMatching(/^[0-9a-f]{24}$/),
      since: END.getTime(),
      facts: { validFrom: '2026-01-01T00:00:00.000Z', expiresAt: '2026-03-01T00:00:00.000Z' },
    });
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

  it('is told when so many days are left, once, and its end when it was renewed', async () => {
    const settings = checkSettings({
      resource: RESOURCES.secrets,
      namespaces: [],
      watch: { kind: 'condition', condition: 'certificateExpiring', days: 14, tellEnd: true },
    });
    const renewed = tls(await certificate(new Date('2027-03-01T00:00:00Z')));
    const later: KubeObject = { ...renewed, metadata: { ...renewed.metadata, resourceVersion: '200' } };
    const at = (text: string, ...observations: readonly Observation[]) =>
      [Date.parse(text) - NOW, observations] as const;
    const time: Observation = { kind: 'time', objects: new Map([['uid-tls', tls(pem)]]) };
    let state = newState(settings);
    const told = [
      at('2026-01-10T00:00:00Z', listed(100, [tls(pem)])),
      at('2026-02-14T23:59:59Z', time),
      at('2026-02-15T00:00:00Z', time),
      at('2026-02-16T00:00:00Z', time),
      at('2026-02-17T00:00:00Z', watched('MODIFIED', later)),
      at('2027-02-14T23:59:59Z', { kind: 'time', objects: new Map([['uid-tls', later]]) }),
      at('2027-02-15T00:00:00Z', { kind: 'time', objects: new Map([['uid-tls', later]]) }),
    ].map(([afterMs, observations]) => {
      const result = runPass(state, observations, contextOf(settings, afterMs));
      ({ state } = result);
      expect(JSON.stringify(result.events)).not.toMatch(/c2VjcmV0|BEGIN|shop\.example/);
      return result.events.map(({ type, object }) => `${type} ${object?.kind ?? ''}`);
    });
    expect(told).toEqual([[], [], ['started Secret'], [], ['ended Secret'], [], ['started Secret']]);
  });

  it('never shows the data of its Secret', () => {
    expect(withoutData(tls(pem))).toEqual({
      type: 'kubernetes.io/tls',
      metadata: expect.objectContaining({ name: 'tls', annotations: { kept: 'yes' } }),
    });
  });
});
