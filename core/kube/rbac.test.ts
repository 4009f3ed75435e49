import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { minimalRoles, rolesYaml, type AccessAttributes } from './rbac';

function right(verb: string, resource: string, group = '', namespace = 'shop', subresource?: string): AccessAttributes {
  return { verb, group, resource, namespace, ...(subresource === undefined ? {} : { subresource }) };
}

describe('minimalRoles', () => {
  it('puts resources of a group with the same verbs into one rule', () => {
    const rights = [
      right('list', 'pods'),
      right('get', 'pods'),
      right('get', 'pods'),
      right('get', 'services'),
      right('list', 'services'),
      right('get', 'pods', '', 'shop', 'log'),
      right('patch', 'deployments', 'apps'),
      right('patch', 'deployments', 'apps', 'shop', 'scale'),
    ];
    expect(minimalRoles(rights)).toEqual([
      {
        kind: 'Role',
        namespace: 'shop',
        rules: [
          { apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list'] },
          { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
          { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: ['patch'] },
        ],
      },
    ]);
  });

  it('makes one Role a namespace, and a ClusterRole for what has none', () => {
    const rights = [
      right('get', 'pods', '', 'b'),
      { verb: 'get', group: '', resource: 'nodes' },
      right('get', 'pods', '', 'a'),
    ];
    expect(minimalRoles(rights).map(({ kind, namespace }) => [kind, namespace])).toEqual([
      ['ClusterRole', undefined],
      ['Role', 'a'],
      ['Role', 'b'],
    ]);
  });

  it('needs nothing for no right', () => {
    expect(minimalRoles([])).toEqual([]);
    expect(rolesYaml([])).toBe('');
  });
});

describe('rolesYaml', () => {
  it('writes YAML that says the same', () => {
    const yaml = rolesYaml([right('get', 'pods'), right('*', '*', '*'), right('deletecollection', 'pods')], {
      name: 'n8n-true',
    });
    expect(load(yaml)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'n8n-true', namespace: 'shop' },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'deletecollection'] },
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      ],
    });
  });

  it('quotes what YAML would read as something else', () => {
    for (const name of ['true', 'no', 'null', '1', '1e3', 'a: b', '- a', '#a', '', 'a\nb', '"', "'", 'ü']) {
      const document = load(rolesYaml([right('get', 'pods')], { name })) as { metadata: { name: unknown } };
      expect(document.metadata.name).toBe(name);
    }
  });
});
