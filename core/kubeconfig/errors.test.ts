import { beforeAll, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { NavinError } from '../errors';
import { KubeconfigError, ServerMismatchError } from './errors';
import { targetFromKubeconfig } from './guard';
import { fields, text } from './testing/cases/case';
import { config, SERVER, yaml } from './testing/kubeconfig';
import { makeCa, type TestCa } from './testing/pki';

let ca: TestCa;
beforeAll(async () => {
  ca = await makeCa('kubernetes');
});

describe('what a refusal tells', () => {
  it('names entry and line, what to do instead, and the section of the documentation', () => {
    const kubeconfig = yaml(config(ca.certificate, { user: { 'client-certificate': '/root/client.crt' } }));
    const error = failure(() => targetFromKubeconfig(text(kubeconfig)));
    expect(error).toBeInstanceOf(KubeconfigError);
    expect(error.code).toBe('k8s_kubeconfig_invalid');
    expect(error.message).toBe(
      'users[0].user.client-certificate (line 12) is refused: it names a file of another machine',
    );
    expect(error.hint).toBe(
      'Embed the files (`…-data`): `kubectl config view --raw --minify --flatten` does it. See docs/kubeconfig.md#what-a-self-contained-kubeconfig-is',
    );
    expect(error.details).toEqual({
      rule: 'file-reference',
      docs: 'docs/kubeconfig.md#what-a-self-contained-kubeconfig-is',
      path: 'users[0].user.client-certificate',
      line: 12,
    });
    expect(kubeconfig.split('\n')[11]).toContain('client-certificate: /root/client.crt');
  });

  it.each([
    ['aws', 'eks'],
    ['C:\\Program Files\\Amazon\\AWS.exe', 'eks'],
    ['/usr/lib/google-cloud-sdk/bin/gke-gcloud-auth-plugin', 'gke'],
    ['kubelogin', 'aks'],
    ['/home/me/bin/oc', 'openshift'],
    ['constructor', 'recipe'],
    ['corp-login', 'recipe'],
  ])('leads from the plugin %s to the section %s', (command, section) => {
    const error = failure(() => targetFromKubeconfig(fields(config(ca.certificate, { user: { exec: { command } } }))));
    expect(error.details.docs).toBe(`docs/kubeconfig.md#${section}`);
    expect(error.message).toMatch(/^users\[0\]\.user\.exec \(line \d+\) is refused: it names a program to run$/);
  });

  it.each([
    ['kind-prod', 'kind'],
    ['k3d-prod', 'k3d'],
    ['minikube', 'minikube'],
    ['default', 'k3s'],
    ['prod', 'the-address-of-the-api-server'],
  ])('leads from the loopback address in the context %s to the section %s', (name, section) => {
    const base = config(ca.certificate, { cluster: { server: 'https://127.0.0.1:41234' } });
    const value = {
      ...base,
      contexts: [{ name, context: { cluster: 'prod', user: 'navin' } }],
      'current-context': name,
    };
    const error = failure(() => targetFromKubeconfig(fields(value)));
    expect(error.details.docs).toBe(`docs/kubeconfig.md#${section}`);
    expect(error.message).toMatch(/is never connected to \(loopback\): https:\/\/127\.0\.0\.1:41234$/);
  });

  it('names a key whose spelling is off, and no other', () => {
    const message = (key: string): string =>
      failure(() => targetFromKubeconfig(fields(config(ca.certificate, { cluster: { [key]: 'x' } })))).message;
    expect(message('certificateAuthorityData')).toMatch(/it is written certificate-authority-data$/);
    expect(message('ca')).toMatch(/^clusters\[0\]\.cluster \(line \d+\) has a key that is not known$/);
  });

  it('shows both servers when they differ, and which part does', () => {
    const input = fields(config(ca.certificate, { cluster: { server: 'https://evil.example:6443/x' } }));
    const error = failure(() => targetFromKubeconfig(input));
    expect(error).toBeInstanceOf(ServerMismatchError);
    expect(error.code).toBe('k8s_server_mismatch');
    expect(error.message).toContain('https://evil.example:6443/x');
    expect(error.message).toContain(SERVER);
    expect(error.details.differs).toEqual(['host', 'path']);
  });

  it('has no cause: parsers put the text into their errors', () => {
    const error = failure(() => targetFromKubeconfig(text('a: "secret-value')));
    expect([error.cause, inspect(error).includes('secret-value')]).toEqual([undefined, false]);
  });

  it('is given for anything that is not text', () => {
    for (const kubeconfig of [undefined, null, 1, {}, [], Buffer.from('x')] as unknown as string[]) {
      expect(failure(() => targetFromKubeconfig(text(kubeconfig))).details.rule).toBe('wrong-type');
    }
  });
});

function failure(work: () => unknown): NavinError {
  try {
    work();
  } catch (error) {
    if (error instanceof NavinError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
