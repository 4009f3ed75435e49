import { createServer as createPlainServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { OPERATIONS } from '../../../nodes/catalog';
import { testCredential } from '../../../nodes/shared/credentialTest';
import { CertificateAuthority } from '../../certificates';
import { testConnection } from '../testing/context';
import { type FakeAnswer, type FakeRequest, forbidden, statusAnswer, TOKEN, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const VERSION = { major: '1', minor: '37', gitVersion: 'v1.37.2+k3s1', platform: 'linux/amd64' };
const NO_PODS = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

/** Runs the test as n8n does. */
async function run(data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
  const result = await testConnection(data);
  expect(result.message).not.toContain(TOKEN);
  expect(result.message).not.toMatch(/[\r\n]/);
  return result;
}

interface Review {
  readonly spec: { readonly resourceAttributes: Readonly<Record<string, string>> };
}

/** A cluster that grants all rights but those that are named. */
function cluster(denied: readonly string[] = [], over: Readonly<Record<string, FakeAnswer>> = {}) {
  return ({ method, path, body }: FakeRequest): FakeAnswer | undefined => {
    const known = over[path];
    if (known !== undefined) return known;
    if (path === '/version') return { json: VERSION };
    if (path === '/api/v1/namespaces/shop/pods') return { json: NO_PODS };
    if (method === 'POST' && path.endsWith('/selfsubjectaccessreviews')) {
      const { verb, resource, subresource } = (body as Review).spec.resourceAttributes;
      const right = `${verb ?? ''} ${resource ?? ''}${subresource === undefined ? '' : `/${subresource}`}`;
      return { status: 201, json: { kind: 'SelfSubjectAccessReview', status: { allowed: !denied.includes(right) } } };
    }
    return undefined;
  };
}

describe('the connection test', () => {
  it('succeeds when the rights of the chosen groups are there', async () => {
    api().answer(cluster());
    expect(await run(api().credential())).toEqual({
      status: 'OK',
      message:
        'Connected to Kubernetes 1.37 (k3s). The address is admitted by NAVIN_DEV_API_SERVER, for development only',
    });
  });

  it('reads the version, one pod, and reviews each right once, and changes nothing', async () => {
    api().answer(cluster());
    await run(api().credential({ rightsToCheck: ['read', 'workloads', 'jobs', 'delete', 'cluster'] }));
    const seen = api().requests.map(
      ({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`,
    );
    expect(seen.slice(0, 2)).toEqual(['GET /version', 'GET /api/v1/namespaces/shop/pods?limit=1']);
    expect(new Set(seen.slice(2))).toEqual(new Set(['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']));
    const reviews = api()
      .requests.slice(2)
      .map(({ body }) => JSON.stringify((body as Review).spec));
    expect(new Set(reviews).size).toBe(reviews.length);
  });

  it('names each missing right of the chosen groups', async () => {
    api().answer(cluster(['patch deployments', 'patch deployments/scale', 'create jobs', 'list namespaces']));
    const result = await run(api().credential({ rightsToCheck: ['read', 'workloads', 'cluster'] }));
    expect(result).toEqual({
      status: 'Error',
      message:
        'Connected to Kubernetes 1.37 (k3s). Missing: patch deployments.apps in shop; patch deployments.apps/scale in shop; list namespaces in all namespaces. See docs/permissions.md for the Role. The address is admitted by NAVIN_DEV_API_SERVER, for development only',
    });
  });

  it('does not ask for rights of groups that are not chosen', async () => {
    api().answer(
      cluster(['list pods', 'patch deployments'], {
        '/api/v1/namespaces/shop/pods': forbidden('list', 'pods', 'shop'),
      }),
    );
    expect(await run(api().credential({ rightsToCheck: ['cluster'] }))).toMatchObject({ status: 'Error' });
    expect(await run(api().credential({ rightsToCheck: [] }))).toMatchObject({ status: 'OK' });
  });

  it('does not ask for what operations do without', async () => {
    api().answer(cluster(['list horizontalpodautoscalers', 'watch pods', 'watch jobs', 'watch deployments']));
    const rightsToCheck = ['read', 'workloads', 'jobs'];
    expect(await run(api().credential({ rightsToCheck }))).toMatchObject({ status: 'OK' });
  });
});

describe('the connection test tells failures apart', () => {
  it.each<[string, Readonly<Record<string, FakeAnswer>>, RegExp]>([
    ['401', { '/version': statusAnswer(401, 'Unauthorized', 'Unauthorized') }, /Code: k8s_unauthorized$/],
    [
      'a token that only /version takes',
      { '/api/v1/namespaces/shop/pods': statusAnswer(401, 'Unauthorized', 'Unauthorized') },
      /Code: k8s_unauthorized$/,
    ],
    ['403 on everything', { '/version': forbidden('get', 'version', '') }, /Code: k8s_forbidden$/],
    [
      'a web page',
      { '/version': { text: '<html>', headers: { 'content-type': 'text/html' } } },
      /Code: k8s_not_kubernetes$/,
    ],
    ['another API', { '/version': { json: { version: '1' } } }, /Code: k8s_not_kubernetes$/],
    [
      'a redirect',
      { '/version': { status: 302, headers: { location: 'https://login.example/' } } },
      /Code: k8s_not_kubernetes$/,
    ],
    [
      'a cluster that is too old',
      { '/version': { json: { ...VERSION, minor: '23', gitVersion: 'v1.23.17' } } },
      /^Kubernetes 1\.23 is too old: 1\.24 or later is needed\. Code: k8s_unsupported$/,
    ],
    ['a dropped connection', { '/version': { drop: true } }, /Code: k8s_unreachable$/],
    [
      'reviews that are no reviews',
      { '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': { json: { kind: 'Other' } } },
      /Code: k8s_response_invalid$/,
    ],
  ])('%s', async (_what, answers, message) => {
    api().answer(cluster([], answers));
    expect(await run(api().credential())).toEqual({ status: 'Error', message: expect.stringMatching(message) });
  });

  it('the wrong CA', async () => {
    const other = await CertificateAuthority.create();
    expect(await run(api().credential({ ca: other.certificate }))).toEqual({
      status: 'Error',
      message: expect.stringMatching(/CA.*Code: k8s_tls_untrusted$/),
    });
  });

  it('a name that does not resolve', async () => {
    const result = await run(api().credential({ apiServer: 'https://no-such-host.invalid:6443' }));
    expect(result).toEqual({
      status: 'Error',
      message: expect.stringMatching(/no-such-host\.invalid.*Code: k8s_dns_failed$/),
    });
  });

  it.each([
    [
      'a private address',
      'https://10.0.12.4:6443',
      /10\.0\.12\.4.*"cidr":"10\.0\.12\.4\/32","ports":\[6443\].*NAVIN_PRIVATE_NETWORKS/,
    ],
    ['another loopback port', 'https://127.0.0.1:1', /127\.0\.0\.1/],
    ['the address of cloud metadata', 'https://169.254.169.254', /169\.254\.169\.254/],
  ])('%s, and which grant would admit it', async (_what, apiServer, message) => {
    const result = await run(api().credential({ apiServer }));
    expect(result.status).toBe('Error');
    expect(result.message).toMatch(message);
    expect(result.message).toMatch(/Code: k8s_(egress_refused|kubeconfig_invalid)$/);
  });

  it.each<[string, ICredentialDataDecryptedObject, RegExp]>([
    ['no API server', { apiServer: '' }, /Code: k8s_kubeconfig_invalid$/],
    ['an API server without https', { apiServer: 'http://127.0.0.1' }, /Code: k8s_kubeconfig_invalid$/],
    ['no token', { token: ' ' }, /Code: k8s_kubeconfig_invalid$/],
    ['no CA', { ca: '' }, /Code: k8s_kubeconfig_invalid$/],
    ['a CA that is none', { ca: 'x' }, /Code: k8s_kubeconfig_invalid$/],
    ['an empty kubeconfig', { authentication: 'kubeconfig', kubeconfig: '' }, /Code: k8s_kubeconfig_invalid$/],
    ['a namespace that is no name', { namespace: '../x' }, /Code: k8s_/],
    ['a number as token', { token: 7 }, /^'Token' of the credential must be a text.*Code: k8s_parameter_invalid$/],
    [
      'another authentication',
      { authentication: 'password' },
      /^'Authentication' of the credential must be kubeconfig or token/,
    ],
    [
      'groups that do not exist',
      { rightsToCheck: ['root'] },
      /^'Rights to Check' of the credential holds a group that does not exist/,
    ],
    [
      'groups that are no list',
      { rightsToCheck: 'read' },
      /^'Rights to Check' of the credential holds a group that does not exist/,
    ],
  ])('%s', async (_what, fields, message) => {
    expect(await run(api().credential(fields))).toEqual({ status: 'Error', message: expect.stringMatching(message) });
    expect(api().requests).toEqual([]);
  });

  it('no data at all', async () => {
    expect(await testConnection()).toMatchObject({ status: 'Error' });
  });

  it('settings of private networks that cannot be read', async () => {
    process.env.NAVIN_PRIVATE_NETWORKS = '{';
    try {
      expect(await run(api().credential())).toMatchObject({
        message: expect.stringMatching(/Code: k8s_egress_policy_invalid$/),
      });
    } finally {
      delete process.env.NAVIN_PRIVATE_NETWORKS;
    }
  });

  it('a server that never answers, in the time it has', async () => {
    api().answer(cluster([], { '/version': { hang: true } }));
    const credential = { id: 'cred-1', name: 'c', type: 'navinKubernetesApi', data: api().credential() };
    expect(await testCredential(credential, OPERATIONS, 200)).toEqual({
      status: 'Error',
      message:
        'The API server did not answer within 0.2 s. Look at the load of the API server and the network. Code: k8s_timeout',
    });
  });
});

describe('what is not TLS', () => {
  let plain: Server | undefined;

  afterEach(() => {
    plain?.close();
  });

  it('is named as no Kubernetes API', async () => {
    const server = createPlainServer((_request, response) => response.end('ok'));
    plain = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    const before = process.env.NAVIN_DEV_API_SERVER;
    process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${port}`;
    try {
      const result = await run(api().credential({ apiServer: `https://127.0.0.1:${port}` }));
      expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/Code: k8s_not_kubernetes$/) });
    } finally {
      process.env.NAVIN_DEV_API_SERVER = before;
    }
  });
});
