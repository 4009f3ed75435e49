import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { IExecuteFunctions, NodeEgressFilter } from 'n8n-workflow';
import { CertificateAuthority } from '../../certificates';
import { Kubernetes } from '../../../nodes/Kubernetes/Kubernetes.node';
import { execute, executionContext, named } from '../testing/context';
import { TOKEN, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'pod', operation: 'get', name: named('web') };
const POD = { json: { kind: 'Pod', metadata: { name: 'web' } } };

type Helpers = Partial<IExecuteFunctions['helpers']>;

/** n8n's egress filter that refuses or not. */
function filter(refuse: boolean, seen: string[] = []): Helpers {
  const lookupOf: LookupFunction = (hostname, options, callback) => {
    seen.push(hostname);
    lookup(hostname, options, callback);
  };
  const own: Partial<NodeEgressFilter> = {
    validateUrl: async (url) => {
      seen.push(String(url));
      return await Promise.resolve(
        refuse ? { ok: false, error: new Error('blocked') } : { ok: true, result: undefined },
      );
    },
    createSecureLookup: () => lookupOf,
  };
  return { getSecureEgressFilter: () => own as NodeEgressFilter };
}

afterEach(() => {
  delete process.env.NAVIN_PRIVATE_NETWORKS;
});

describe('the connection to the cluster', () => {
  it('says in the log of the host, once, that a loopback address is admitted', async () => {
    api().answer(() => POD);
    const logs: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const context = executionContext({ credential: api().credential(), parameters: PARAMETERS });
      await new Kubernetes().execute.call(context);
      logs.push(...context.logged);
    }
    expect(logs).toEqual([
      `NAVIN_DEV_API_SERVER admits 127.0.0.1:${String(api().port)} as API server, for development only`,
    ]);
  });

  it("asks n8n's own egress filter where the context has it", async () => {
    api().answer(() => POD);
    const seen: string[] = [];
    await execute({ credential: api().credential(), parameters: PARAMETERS, helpers: filter(false, seen) });
    expect(seen).toEqual([`${api().url}/`]);
  });

  it("does not connect when n8n's egress filter refuses", async () => {
    api().answer(() => POD);
    const running = execute({
      // A credential of its own, so that no connection made before is used.
      credential: api().credential({ token: 'another-token-0123456789' }),
      parameters: PARAMETERS,
      helpers: filter(true),
    });
    await expect(running).rejects.toMatchObject({
      description: expect.stringContaining('N8N_SSRF_ALLOWED'),
      context: { code: 'k8s_egress_refused' },
    });
    expect(api().requests).toEqual([]);
  });

  it('names the grant that would admit a private address', async () => {
    const credential = api().credential({ apiServer: 'https://10.0.12.4:6443' });
    await expect(execute({ credential, parameters: PARAMETERS })).rejects.toMatchObject({
      description: expect.stringContaining('"cidr":"10.0.12.4/32","ports":[6443]'),
      context: { code: 'k8s_egress_refused', details: { class: 'private', port: 6_443 } },
    });
  });

  it('uses a grant for its credential only, known by its id', async () => {
    process.env.NAVIN_PRIVATE_NETWORKS = JSON.stringify([
      { cidr: '10.0.12.4/32', ports: [6443], credentials: ['cred-2'] },
    ]);
    const credential = api().credential({ apiServer: 'https://10.0.12.4:6443' });
    await expect(execute({ credential, parameters: PARAMETERS })).rejects.toMatchObject({
      message: expect.stringContaining('is for other credentials'),
      context: { code: 'k8s_egress_refused' },
    });
  });

  it('says at each use that the settings of private networks are not valid', async () => {
    process.env.NAVIN_PRIVATE_NETWORKS = 'not JSON';
    for (let time = 0; time < 2; time += 1) {
      await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
        context: { code: 'k8s_egress_policy_invalid', details: { variable: 'NAVIN_PRIVATE_NETWORKS' } },
      });
    }
  });

  it('runs the guard before anything is connected to', async () => {
    const kubeconfig = `apiVersion: v1\nkind: Config\nusers: [{name: u, user: {exec: {command: ${TOKEN}}}}]`;
    const credential = api().credential({ authentication: 'kubeconfig', kubeconfig });
    const error = await execute({ credential, parameters: PARAMETERS }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ context: { code: 'k8s_kubeconfig_invalid' } });
    expect(JSON.stringify(error)).not.toContain(TOKEN);
    expect(api().requests).toEqual([]);
  });

  it('shows no token when the certificate is not trusted', async () => {
    const credential = api().credential({ ca: (await CertificateAuthority.create()).certificate });
    const error = await execute({ credential, parameters: PARAMETERS }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'NodeApiError', context: { code: 'k8s_tls_untrusted' } });
    expect(JSON.stringify(error)).not.toContain(TOKEN);
  });
});
