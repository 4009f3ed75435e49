import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('ingress');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
  const to = (name: string, port: object) => ({ service: { name, port } });
  await cluster.api.create(path, {
    metadata: { name: 'shop', labels: { app: 'shop' } },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['shop.example'], secretName: 'shop-tls' }],
      rules: [
        {
          host: 'shop.example',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: to('web', { number: 80 }) },
              { path: '/api', pathType: 'Exact', backend: to('api', { name: 'http' }) },
            ],
          },
        },
        {
          http: {
            paths: [
              {
                path: '/static',
                pathType: 'ImplementationSpecific',
                backend: { resource: { apiGroup: 'k8s.example.com', kind: 'Bucket', name: 'static' } },
              },
            ],
          },
        },
      ],
    },
  });
  await cluster.api.patch(`${path}/shop/status`, {
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }, { hostname: 'lb.example' }] } },
  });
  await cluster.api.create(path, {
    metadata: { name: 'old', annotations: { 'kubernetes.io/ingress.class': 'haproxy' } },
    spec: { defaultBackend: to('web', { number: 80 }) },
  });
});

describe('Ingress: Get and Get Many', () => {
  it('gives hosts, paths with their backends, addresses and what has TLS', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'ingress', operation: 'get', name: named('shop') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'shop',
        namespace,
        class: 'nginx',
        hosts: ['shop.example', '*'],
        rules: [
          { host: 'shop.example', path: '/', pathType: 'Prefix', backend: 'web:80' },
          { host: 'shop.example', path: '/api', pathType: 'Exact', backend: 'api:http' },
          { host: '*', path: '/static', pathType: 'ImplementationSpecific', backend: 'Bucket/static' },
        ],
        addresses: ['203.0.113.7', 'lb.example'],
        tlsHosts: ['shop.example'],
        tlsSecrets: ['shop-tls'],
        createdAt: expect.any(String),
        labels: { app: 'shop' },
      },
    ]);
  });

  it('lists all, and knows the class that was an annotation once', async () => {
    const { credential } = test();
    const parameters = { resource: 'ingress', operation: 'getAll' };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { name: 'old', class: 'haproxy', hosts: [], defaultBackend: 'web:80' },
      { name: 'shop' },
    ]);
  });

  it('says which ingress is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'ingress', operation: 'get', name: named('nothing') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
