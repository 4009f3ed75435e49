import { describe, expect, it } from '@jest/globals';
import { CertificateAuthority } from '../../certificates';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, kubeconfigCredential } from '../package';
import { SHOP, type World } from '../world';

interface TestResult {
  readonly status: 'OK' | 'Error';
  readonly message: string;
}

/** The connection test of the credential, asked for as the editor does. */
export function credentialTest(world: () => World): void {
  const test = async (data: Readonly<Record<string, unknown>>): Promise<TestResult> => {
    const credentials = { id: '', name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data };
    return (await world().n8n.rest('POST', '/rest/credentials/test', { credentials })) as TestResult;
  };
  const good = (): Record<string, unknown> => kubeconfigCredential(world().cluster.server, world().account.kubeconfig);

  describe('the connection test', () => {
    it('succeeds for a stored credential, and names the address that only development admits', async () => {
      const { n8n, credential } = world();

      const credentials = { id: credential.id, name: CREDENTIAL_NAME, type: CREDENTIAL_TYPE, data: good() };
      const result = await n8n.rest('POST', '/rest/credentials/test', { credentials });

      expect(result).toEqual({
        status: 'OK',
        message: expect.stringMatching(/^Connected to Kubernetes 1\.37\b.*NAVIN_DEV_API_SERVER/) as unknown,
      });
    });

    it('succeeds for all groups of rights when the account has them', async () => {
      const rightsToCheck = ['cluster', 'delete', 'jobs', 'read', 'workloads'];

      expect(await test({ ...good(), rightsToCheck })).toMatchObject({ status: 'OK' });
    });

    it('succeeds with server, CA and token, and with a client certificate', async () => {
      const { cluster, account } = world();
      const byToken = { authentication: 'token', apiServer: cluster.server, token: account.token, ca: cluster.caPem };
      const byCertificate = kubeconfigCredential(cluster.server, cluster.adminKubeconfig, SHOP);

      expect(await test({ ...byToken, namespace: SHOP, rightsToCheck: ['read'] })).toMatchObject({ status: 'OK' });
      expect(await test(byCertificate)).toMatchObject({ status: 'OK' });
    });

    it('names each missing right', async () => {
      const { cluster } = world();
      const viewer = await cluster.serviceAccount({
        namespace: SHOP,
        rules: [{ apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list'] }],
      });

      const result = await test({
        ...kubeconfigCredential(cluster.server, viewer.kubeconfig),
        rightsToCheck: ['read', 'delete'],
      });

      expect(result.status).toBe('Error');
      expect(result.message).toMatch(/^Connected to Kubernetes 1\.37\b.*Missing: /);
      for (const right of ['get pods/log', 'list deployments.apps', 'list events', 'delete pods']) {
        expect(result.message).toContain(`${right} in ${SHOP}`);
      }
      expect(result.message).not.toContain('list pods');
    });

    it('says that the certificate of another authority is not trusted', async () => {
      const { cluster, account } = world();
      const { certificate: ca } = await CertificateAuthority.create();

      const other = { authentication: 'token', apiServer: cluster.server, token: account.token, ca };
      const result = await test(other);

      expect(result.status).toBe('Error');
      expect(result.message).toContain('k8s_tls_untrusted');
    });

    it('says that a token is refused', async () => {
      const { cluster, account } = world();
      const token = `${account.token.slice(0, -8)}AAAAAAAA`;

      const result = await test({ authentication: 'token', apiServer: cluster.server, token, ca: cluster.caPem });

      expect(result).toMatchObject({
        status: 'Error',
        message: expect.stringContaining('k8s_unauthorized') as unknown,
      });
    });

    it('refuses a private address without a grant, and shows the grant that would admit it', async () => {
      const { account } = world();
      const server = 'https://10.20.30.40:6443';
      const kubeconfig = account.kubeconfig.replaceAll(world().cluster.server, server);

      const result = await test({ ...good(), apiServer: server, kubeconfig });

      expect(result.status).toBe('Error');
      expect(result.message).toContain('k8s_egress_refused');
      expect(result.message).toContain('"cidr":"10.20.30.40/32"');
    });

    it('refuses every loopback address but the one for development', async () => {
      const { cluster, account } = world();
      const server = `https://127.0.0.1:${cluster.facts.port + 1}`;
      const kubeconfig = account.kubeconfig.replaceAll(cluster.server, server);

      const result = await test({ ...good(), apiServer: server, kubeconfig });

      expect(result.status).toBe('Error');
      expect(result.message).toMatch(/k8s_egress_refused|k8s_kubeconfig_invalid/);
    });

    it('refuses a kubeconfig for another server than the registered one', async () => {
      const result = await test({ ...good(), apiServer: 'https://api.example.com:6443' });

      expect(result).toMatchObject({
        status: 'Error',
        message: expect.stringContaining('k8s_server_mismatch') as unknown,
      });
    });

    it('refuses a kubeconfig that runs a program, with what to do instead', async () => {
      const { cluster, account } = world();
      const exec = 'exec: { apiVersion: client.authentication.k8s.io/v1, command: aws }';
      const kubeconfig = account.kubeconfig.replace(/token: .*/, exec);

      const result = await test(kubeconfigCredential(cluster.server, kubeconfig));

      expect(result.status).toBe('Error');
      expect(result.message).toContain('k8s_kubeconfig_invalid');
      expect(result.message).toContain('docs/kubeconfig.md');
    });
  });
}
