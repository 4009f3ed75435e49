import { beforeAll, describe, expect, it } from '@jest/globals';
import { chain } from '../n8n';
import { CREDENTIAL_TYPE, NODE_TYPE } from '../package';
import { byName, itemsOf, kubernetes, type World } from '../world';

/** A namespace that these tests change as they like. */
const GARDEN = 'garden';

/** A kind that only this cluster has. */
const PLANTS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: plants.garden.example }
spec:
  group: garden.example
  scope: Namespaced
  names: { kind: Plant, singular: plant, plural: plants }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { height: { type: integer } } }
`;

/** Who may work in the garden. */
function gardener({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: gardener }
rules: [{ apiGroups: [garden.example], resources: [plants], verbs: [get, list, create, patch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: gardener }
subjects: [{ kind: ServiceAccount, name: ${name}, namespace: ${namespace} }]
roleRef: { kind: ClusterRole, name: gardener, apiGroup: rbac.authorization.k8s.io }
`;
}

const BED = `
apiVersion: garden.example/v1
kind: Plant
metadata: { name: rose }
spec: { height: 90 }
---
apiVersion: garden.example/v1
kind: Plant
metadata: { name: tulip }
spec: { height: 40 }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: bed }
data: { soil: loam }
`;

/** Objects of any kind, custom resources included, where n8n itself takes part: lists, schemas, items, error items. */
export function anyResource(world: () => World): void {
  const list = async (methodName: string, path: string, parameters: object, filter: string): Promise<unknown> =>
    world().n8n.rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
      path,
      methodName,
      filter,
      nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
      currentNodeParameters: { resource: 'any', operation: 'get', ...parameters },
      credentials: { [CREDENTIAL_TYPE]: world().credential },
    });

  describe('objects of any kind', () => {
    beforeAll(async () => {
      const { cluster, account } = world();
      await cluster.namespace(GARDEN);
      await cluster.apply(`${PLANTS}---${gardener(account)}`);
      await cluster.kubectl(['wait', '--for=condition=Established', 'crd/plants.garden.example', '--timeout=60s']);
    }, 120_000);

    it('are applied from one text of several documents, an item each', async () => {
      const [first, ...others] = await itemsOf(world(), {
        resource: 'any',
        operation: 'apply',
        manifestFrom: 'text',
        manifest: BED,
        namespace: byName(GARDEN),
        options: { reportOutcome: true },
      });

      expect([first, ...others].map((item) => [item?.kind, item?.name, item?.outcome])).toEqual([
        ['Plant', 'rose', 'created'],
        ['Plant', 'tulip', 'created'],
        ['ConfigMap', 'bed', 'created'],
      ]);
      const rose = await world().cluster.api.get(`/apis/garden.example/v1/namespaces/${GARDEN}/plants/rose`);
      expect(rose.spec).toEqual({ height: 90 });
    });

    it('are picked from lists, kind and name, also where the kind is one of this cluster alone', async () => {
      expect(await list('searchKinds', 'kind', {}, 'plant')).toMatchObject({
        results: [{ name: expect.stringContaining('Plant') as unknown, value: 'plants.garden.example' }],
      });
      const chosen = { kind: byName('plants.garden.example'), namespace: byName(GARDEN) };
      expect(await list('searchObjectsOfKind', 'name', chosen, 'tul')).toMatchObject({
        results: [{ name: 'tulip', value: 'tulip' }],
      });
    });

    it('that are missing become error items, each paired with its item, and the others go on', async () => {
      const { n8n } = world();
      const names = { mode: 'raw', jsonOutput: JSON.stringify({ names: ['rose', 'thistle', 'tulip'] }), options: {} };
      const execution = await n8n.runOnce(
        chain('plants by name', [
          { name: 'Names', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: names },
          {
            name: 'Split',
            type: 'n8n-nodes-base.splitOut',
            typeVersion: 1,
            parameters: { fieldToSplitOut: 'names', options: {} },
          },
          kubernetes(
            world(),
            {
              resource: 'any',
              operation: 'get',
              kind: byName('plants.garden.example'),
              namespace: byName(GARDEN),
              name: byName('={{ $json.names }}'),
            },
            { onError: 'continueErrorOutput' },
          ),
        ]),
      );

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const [found = [], failed = []] = execution.outputs('Kubernetes');
      const nameOf = (json: Readonly<Record<string, unknown>>): unknown => (json.metadata as { name: string }).name;
      expect(found.map(({ json, pairedItem }) => [nameOf(json), pairedItem])).toEqual([
        ['rose', { item: 0 }],
        ['tulip', { item: 2 }],
      ]);
      expect(failed).toMatchObject([
        {
          json: { error: expect.stringContaining('thistle'), details: { code: 'k8s_not_found' } },
          pairedItem: { item: 1 },
        },
      ]);
    });

    // The editor of 2.41 asks without encoding the slash of a scoped name and finds nothing; what n8n itself asks is found.
    it('have fields that are known before the first run', async () => {
      const path = `/schemas/${encodeURIComponent(NODE_TYPE)}/1.0.0/any/diff.json`;
      const { status, data } = await world().n8n.client.ask('GET', path);

      expect(status).toBe(200);
      expect(data).toMatchObject({
        type: 'object',
        properties: { action: { type: 'string' }, changes: { type: 'array' }, conflicts: { type: 'array' } },
      });
    });
  });
}
