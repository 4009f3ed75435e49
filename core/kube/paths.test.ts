import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RESOURCES } from './apiResource';
import { checkInteger, checkNamespace, collectionPath, objectPath, queryOf, segment } from './paths';

describe('paths', () => {
  it.each([
    [collectionPath(RESOURCES.pods, undefined), '/api/v1/pods'],
    [collectionPath(RESOURCES.pods, 'shop'), '/api/v1/namespaces/shop/pods'],
    [collectionPath(RESOURCES.nodes, 'shop'), '/api/v1/nodes'],
    [collectionPath(RESOURCES.deployments, 'shop'), '/apis/apps/v1/namespaces/shop/deployments'],
    [objectPath(RESOURCES.pods, { namespace: 'shop', name: 'web' }), '/api/v1/namespaces/shop/pods/web'],
    [
      objectPath(RESOURCES.pods, { namespace: 'shop', name: 'web', subresource: 'log' }),
      '/api/v1/namespaces/shop/pods/web/log',
    ],
    [objectPath(RESOURCES.namespaces, { namespace: undefined, name: 'shop' }), '/api/v1/namespaces/shop'],
    [
      objectPath(RESOURCES.clusterroles, { namespace: undefined, name: 'system:auth?#\\ü' }),
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aauth%3F%23%5C%C3%BC',
    ],
  ])('%s', (path, expected) => {
    expect(path).toBe(expected);
  });

  it.each([
    '',
    '.',
    '..',
    'a..b',
    '../secrets/x',
    'a/b',
    'a%2fb',
    '%2e%2e',
    'a b',
    'a\nb',
    'a\u0000b',
    'a\u009fb',
    '\ud800',
    'x'.repeat(1025),
  ])('refuses the name %j', (name) => {
    expect(() => segment('name', name)).toThrow(
      expect.objectContaining({ code: 'k8s_parameter_invalid', details: { parameter: 'name' } }),
    );
  });

  it('never lets a name leave its place in the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        let path: string;
        try {
          path = objectPath(RESOURCES.pods, { namespace: 'shop', name });
        } catch {
          return;
        }
        const url = new URL(`https://host.example/prefix${path}?x=1`);
        expect(url.pathname.split('/')).toHaveLength(8);
        expect(decodeURIComponent(url.pathname)).toBe(`/prefix/api/v1/namespaces/shop/pods/${name}`);
      }),
    );
  });

  it.each(['Shop', 'a_b', '-a', 'a-', '', 'a.b', '../x', 'x'.repeat(64)])('refuses the namespace %j', (namespace) => {
    expect(() => checkNamespace(namespace)).toThrow(expect.objectContaining({ code: 'k8s_parameter_invalid' }));
  });

  it.each(['a', 'kube-system', '0', 'x'.repeat(63)])('takes the namespace %s', (namespace) => {
    expect(checkNamespace(namespace)).toBe(namespace);
  });

  it('leaves out what is not given', () => {
    expect(queryOf({ a: 1, b: undefined, c: '', d: true, e: 'x=1,y in (a, b)' }).toString()).toBe(
      'a=1&d=true&e=x%3D1%2Cy+in+%28a%2C+b%29',
    );
    expect(() => queryOf({ labelSelector: 'x'.repeat(20_000) })).toThrow(
      expect.objectContaining({ code: 'k8s_parameter_invalid' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, 11])('refuses the number %p', (value) => {
    expect(() => checkInteger('limit', value, 1, 10)).toThrow(
      expect.objectContaining({ details: { parameter: 'limit' } }),
    );
  });
});
