import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClusterPki, type ClusterPki } from './pki';

let directory: string;
let pki: ClusterPki;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'navin-pki-'));
  pki = await createClusterPki(directory);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const certificate = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

describe('the PKI of a cluster', () => {
  it('has an authority that signed everything', () => {
    const ca = new X509Certificate(pki.caPem);
    expect(ca.ca).toBe(true);
    for (const issued of [
      certificate(pki.files.apiServer.certificate),
      certificate(pki.files.kubelet.certificate),
      certificate(pki.files.kubeletClient.certificate),
      new X509Certificate(pki.admin.certificate),
    ]) {
      expect(issued.checkIssued(ca)).toBe(true);
      expect(issued.verify(ca.publicKey)).toBe(true);
      expect(issued.ca).toBe(false);
    }
  });

  it('lets the API server be reached by its address and by the names that Pods use', () => {
    const apiServer = certificate(pki.files.apiServer.certificate);
    expect(apiServer.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(apiServer.checkIP('10.96.0.1')).toBe('10.96.0.1');
    expect(apiServer.checkHost('localhost')).toBe('localhost');
    expect(apiServer.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
    expect(apiServer.checkHost('example.com')).toBeUndefined();
  });

  it('names user and group in client certificates, with the key that belongs to them', () => {
    const admin = new X509Certificate(pki.admin.certificate);
    expect(admin.subject).toBe('O=system:masters\nCN=admin');
    expect(admin.checkPrivateKey(createPrivateKey(pki.admin.key))).toBe(true);
    expect(new X509Certificate(pki.scheduler.certificate).subject).toBe('CN=system:kube-scheduler');
  });

  it('keeps private keys to their owner', () => {
    for (const file of [pki.files.caKey, pki.files.serviceAccountKey, pki.files.apiServer.key]) {
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    }
  });
});
