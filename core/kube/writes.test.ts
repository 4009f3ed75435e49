import { describe, expect, it } from '@jest/globals';
import { RESOURCES } from './apiResource';
import { createRequest, deleteRequest, patchRequest, replaceRequest, type Patch } from './writes';

const REF = { namespace: 'shop', name: 'web' };

describe('createRequest', () => {
  it('posts to the collection, as field manager navin', () => {
    const body = { metadata: { name: 'web' } };
    expect(createRequest(RESOURCES.configmaps, { namespace: 'shop' }, body, {})).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/shop/configmaps',
      query: new URLSearchParams('fieldManager=navin'),
      body: { contentType: 'application/json', value: body },
      subject: { verb: 'create', resource: 'configmaps', name: 'web', namespace: 'shop' },
      secret: false,
      write: true,
    });
  });

  it('posts a subresource to its object', () => {
    const request = createRequest(RESOURCES.pods, { ...REF, subresource: 'eviction' }, {}, {});
    expect(request.path).toBe('/api/v1/namespaces/shop/pods/web/eviction');
    expect(() => createRequest(RESOURCES.pods, { namespace: 'shop', subresource: 'eviction' }, {}, {})).toThrow(
      expect.objectContaining({ code: 'k8s_parameter_invalid' }),
    );
  });

  it('a dry run may be repeated like a read', () => {
    const request = createRequest(
      RESOURCES.secrets,
      { namespace: 'shop' },
      {},
      { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' },
    );
    expect(request.query?.toString()).toBe('fieldManager=me&dryRun=All&fieldValidation=Strict');
    expect([request.write, request.secret]).toEqual([false, true]);
  });
});

describe('patchRequest', () => {
  it.each<[Patch, string]>([
    [{ type: 'merge', body: { a: 1 } }, 'application/merge-patch+json'],
    [{ type: 'strategic', body: { a: 1 } }, 'application/strategic-merge-patch+json'],
    [{ type: 'json', body: [{ op: 'remove', path: '/a' }] }, 'application/json-patch+json'],
  ])('%j', (patch, contentType) => {
    const request = patchRequest(RESOURCES.deployments, REF, patch, {});
    expect(request.body).toEqual({ contentType, value: patch.body });
    expect(request.query?.toString()).toBe('fieldManager=navin');
    expect(request.path).toBe('/apis/apps/v1/namespaces/shop/deployments/web');
  });

  it('completes an apply, and forces only when told', () => {
    const request = patchRequest(RESOURCES.deployments, REF, { type: 'apply', body: { spec: { replicas: 0 } } }, {});
    expect(request.body).toEqual({
      contentType: 'application/apply-patch+yaml',
      value: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 0 } },
    });
    expect(request.query?.has('force')).toBe(false);
    const forced = patchRequest(
      RESOURCES.deployments,
      REF,
      { type: 'apply', body: { metadata: { labels: {} } }, force: true },
      {},
    );
    expect(forced.query?.get('force')).toBe('true');
    expect(forced.body?.value).toMatchObject({ metadata: { name: 'web', labels: {} } });
  });

  it('leaves the body of a subresource alone', () => {
    const body = { spec: { replicas: 0 } };
    const request = patchRequest(RESOURCES.deployments, { ...REF, subresource: 'scale' }, { type: 'apply', body }, {});
    expect(request.body?.value).toEqual(body);
    expect(request.subject).toMatchObject({ subresource: 'scale', verb: 'patch' });
  });
});

it('replaces by PUT', () => {
  expect(
    replaceRequest(RESOURCES.nodes, { namespace: undefined, name: 'n1', subresource: 'status' }, {}, {}),
  ).toMatchObject({
    method: 'PUT',
    path: '/api/v1/nodes/n1/status',
    subject: { verb: 'update', namespace: undefined },
  });
});

describe('deleteRequest', () => {
  it('carries its options in the body', () => {
    const request = deleteRequest(RESOURCES.pods, REF, {
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: true,
    });
    expect(request).toMatchObject({ method: 'DELETE', write: false, subject: { verb: 'delete' } });
    expect(request.body?.value).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    });
    expect(deleteRequest(RESOURCES.pods, REF, {}).body?.value).toEqual({ kind: 'DeleteOptions', apiVersion: 'v1' });
  });

  it.each([-1, 0.5])('refuses a grace period of %p', (gracePeriodSeconds) => {
    expect(() => deleteRequest(RESOURCES.pods, REF, { gracePeriodSeconds })).toThrow(
      expect.objectContaining({ code: 'k8s_parameter_invalid' }),
    );
  });
});
