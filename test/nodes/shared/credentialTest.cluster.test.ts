import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../testing/cluster';
import { testConnection } from '../testing/context';

const test = useTestCluster('cred-test');

describe('the connection test on a real cluster', () => {
  it('takes the kubeconfig of an administrator for all groups', async () => {
    const { cluster } = test();
    const rightsToCheck = ['read', 'workloads', 'jobs', 'delete', 'cluster'];
    const fields = { authentication: 'kubeconfig', apiServer: cluster.server, kubeconfig: cluster.adminKubeconfig };
    expect(await testConnection({ ...fields, rightsToCheck })).toMatchObject({
      status: 'OK',
      message: expect.stringMatching(/^Connected to Kubernetes 1\.\d+/),
    });
  });

  it('names what a ServiceAccount without a Role lacks', async () => {
    const { cluster, namespace } = test();
    const result = await testConnection(await credentialFor(cluster, { namespace }));
    expect(result).toMatchObject({ status: 'Error' });
    expect(result.message).toMatch(
      new RegExp(`^Connected to Kubernetes 1\\.\\d+\\. Missing: .*get pods/log in ${namespace}.*; `),
    );
  });

  it('refuses a token that the server does not know', async () => {
    const { credential } = test();
    const result = await testConnection({ ...credential, token: 'not-a-token-of-this-cluster' });
    expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/Code: k8s_unauthorized$/) });
  });

  it('refuses a kubeconfig that points to another server than the registered one', async () => {
    const { cluster } = test();
    const fields = { authentication: 'kubeconfig', kubeconfig: cluster.adminKubeconfig };
    expect(await testConnection({ ...fields, apiServer: 'https://127.0.0.1:1' })).toMatchObject({
      status: 'Error',
      message: expect.stringMatching(/Code: k8s_(server_mismatch|kubeconfig_invalid)$/),
    });
  });
});
