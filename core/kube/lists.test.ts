import { describe, expect, it } from '@jest/globals';
import { RESOURCES } from './apiResource';
import { listRequest, tokenInHead } from './lists';

describe('listRequest', () => {
  it.each([
    [undefined, '/api/v1/pods', undefined],
    ['*', '/api/v1/pods', undefined],
    ['', '/api/v1/pods', undefined],
    ['shop', '/api/v1/namespaces/shop/pods', 'shop'],
  ])('namespace %p', (namespace, path, subject) => {
    const request = listRequest(RESOURCES.pods, { namespace });
    expect([request.path, request.subject?.namespace]).toEqual([path, subject]);
  });

  it('asks a continued list for its version no more', () => {
    const request = listRequest(RESOURCES.pods, {
      resourceVersion: '5',
      resourceVersionMatch: 'Exact',
      continue: 'a',
      limit: 2,
    });
    expect(request.query?.toString()).toBe('limit=2&continue=a');
  });

  it('asks for metadata only', () => {
    expect(listRequest(RESOURCES.secrets, { metadataOnly: true })).toMatchObject({
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
      secret: true,
    });
  });
});

describe('tokenInHead', () => {
  it.each([
    [
      '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"eyJ2Ij-_.+/=","remainingItemCount":5},"items":[',
      'eyJ2Ij-_.+/=',
    ],
    [
      '{"apiVersion":"apps/v1","kind":"DeploymentList","metadata":{"continue":"a","resourceVersion":"7"},"items":[',
      'a',
    ],
    ['{"metadata":{"continue":"a"}', 'a'],
    [
      '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"continue":"b"}}]',
      undefined,
    ],
    ['{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":""},"items":[', undefined],
    ['{"apiVersion":"shop.example/v1","items":[{"x":"\\"metadata\\":{\\"continue\\":\\"b\\""}]', undefined],
    ['{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","conti', undefined],
    ['[]', undefined],
    ['', undefined],
  ])('%s', (head, token) => {
    expect(tokenInHead(Buffer.from(head))).toBe(token);
  });
});
