import { beforeAll, describe, expect, it } from '@jest/globals';
import { CREDENTIAL_TYPE, kubeconfigCredential, NODE_TYPE } from '../package';
import { byName, SHOP, type World } from '../world';

interface ListPage {
  readonly results: readonly { readonly name: string; readonly value: string }[];
  readonly paginationToken?: string;
}

const CROWD = 'crowd';
/** More than a page of the list. */
const CROWD_SIZE = 205;

/** What the editor offers under "From List". */
export function lists(world: () => World): void {
  const list = async (methodName: string, path: string, more: object = {}, namespace = SHOP): Promise<ListPage> => {
    const { n8n, credential } = world();
    return (await n8n.rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
      path,
      methodName,
      nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
      currentNodeParameters: { resource: 'pod', operation: 'get', namespace: byName(namespace) },
      credentials: { [CREDENTIAL_TYPE]: credential },
      ...more,
    })) as ListPage;
  };
  const names = ({ results }: ListPage): readonly string[] => results.map(({ value }) => value);

  describe('the lists of the editor', () => {
    beforeAll(async () => {
      const { cluster } = world();
      await cluster.namespace(CROWD);
      // Held back by a gate, they cost the scheduler nothing.
      const pod = (index: number): object => ({
        metadata: { name: `pod-${String(index).padStart(3, '0')}` },
        spec: { schedulingGates: [{ name: 'navin.test/never' }], containers: [{ name: 'main', image: 'none' }] },
      });
      const all = Array.from({ length: CROWD_SIZE }, (_, index) => pod(index));
      await Promise.all(all.map(async (body) => cluster.api.create(`/api/v1/namespaces/${CROWD}/pods`, body)));
    }, 120_000);

    it('show the namespaces, and those that hold the filter', async () => {
      expect(names(await list('searchNamespaces', 'namespace'))).toEqual(
        expect.arrayContaining(['default', 'kube-system', SHOP, CROWD]),
      );
      expect(names(await list('searchNamespaces', 'namespace', { filter: 'HO' }))).toEqual([SHOP]);
    });

    it('show the pods of the chosen namespace page by page', async () => {
      const first = await list('searchPods', 'name', {}, CROWD);
      expect(first.results).toHaveLength(200);
      expect(first.paginationToken).toEqual(expect.any(String));

      const second = await list('searchPods', 'name', { paginationToken: first.paginationToken }, CROWD);
      expect(names(second)).toEqual(['pod-200', 'pod-201', 'pod-202', 'pod-203', 'pod-204']);
      expect(second.paginationToken).toBeUndefined();
    });

    it('find a pod beyond the first page by the filter', async () => {
      expect(names(await list('searchPods', 'name', { filter: '-203' }, CROWD))).toEqual(['pod-203']);
    });

    it('show the containers of the chosen deployment', async () => {
      const currentNodeParameters = {
        resource: 'deployment',
        operation: 'setImage',
        namespace: byName(SHOP),
        name: byName('api'),
      };

      expect(names(await list('searchContainers', 'container', { currentNodeParameters }))).toEqual([
        'api',
        'log-shipper',
      ]);
    });

    it('show the own namespace to an account that may not list them', async () => {
      const { cluster, n8n } = world();
      const limited = await cluster.serviceAccount({ namespace: SHOP, rules: [] });
      const data = kubeconfigCredential(cluster.server, limited.kubeconfig);
      const credential = await n8n.addCredential('limited', CREDENTIAL_TYPE, data);

      const page = await list('searchNamespaces', 'namespace', { credentials: { [CREDENTIAL_TYPE]: credential } });
      await n8n.removeCredential(credential);

      expect(names(page)).toEqual([SHOP]);
    });
  });
}
