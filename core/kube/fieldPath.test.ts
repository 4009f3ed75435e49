import { describe, expect, it } from '@jest/globals';
import { parseFieldPath, readField } from './fieldPath';

describe('field paths', () => {
  const object = {
    spec: {
      replicas: 3,
      template: {
        containers: [
          { name: 'app', image: 'a:1' },
          { name: 'side', image: 'b:2' },
        ],
      },
    },
    metadata: { labels: { 'app.kubernetes.io/name': 'shop' } },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
  it.each([
    ['spec.replicas', 3],
    ['$.spec.replicas', 3],
    ['.spec.replicas', 3],
    ['metadata.labels["app.kubernetes.io/name"]', 'shop'],
    ["metadata.labels['app.kubernetes.io/name']", 'shop'],
    ['spec.template.containers[1].image', 'b:2'],
    ['spec.template.containers[name=app].image', 'a:1'],
    ['status.conditions[type="Ready"].status', 'True'],
    ['{.status.conditions[?(@.type=="Ready")].status}', 'True'],
    ["$.status.conditions[?(@.type=='Ready')].status", 'True'],
    ['{.metadata.labels.app\\.kubernetes\\.io/name}', 'shop'],
    ['spec.template.containers[name=gone].image', undefined],
    ['spec.replicas.deeper', undefined],
    ['spec.toString', undefined],
    ['spec.template.containers.length', undefined],
  ])('%s', (path, value) => {
    expect(readField(object, parseFieldPath(path))).toBe(value);
  });

  it.each([
    '',
    ' ',
    'a..b',
    'a[',
    'a[]',
    'a[*]',
    'a.*',
    'a b',
    'a]',
    '[',
    '{a',
    '{}',
    'a[?(@.b==1)]',
    'x'.repeat(201),
    'a.'.repeat(40) + 'a',
  ])('%j is refused', (path) => {
    expect(() => parseFieldPath(path)).toThrow(/field path/i);
  });
});
