import { describe, expect, it } from '@jest/globals';
import { NODES } from '../../../nodes/catalog';
import { CREDENTIAL_TYPE, NODE_TYPE, PACKAGE, TRIGGER_TYPE } from '../package';
import type { World } from '../world';

interface NodeType {
  readonly name: string;
  readonly displayName: string;
  readonly usableAsTool?: boolean;
  readonly outputs?: unknown;
  readonly properties: readonly { readonly name: string; readonly options?: readonly { readonly value: unknown }[] }[];
}

/** The nodes that act, as workflows name them. */
function actingTypes(): readonly string[] {
  return NODES.map(({ folder }) => `${PACKAGE}.${folder.charAt(0).toLowerCase()}${folder.slice(1)}`);
}

/** n8n loads the package as a person installs it. */
export function loading(world: () => World): void {
  describe('the package in n8n', () => {
    it('brings the node with its resources, and the variant of it that AI agents use', async () => {
      const types = (await world().n8n.rest('GET', '/types/nodes.json')) as readonly NodeType[];

      const node = types.find(({ name }) => name === NODE_TYPE);
      expect(node?.displayName).toBe('Kubernetes');
      const resources = node?.properties.find(({ name }) => name === 'resource')?.options?.map(({ value }) => value);
      expect(new Set(resources)).toEqual(
        new Set([
          ...['access', 'any', 'cluster', 'configmap', 'cronjob', 'daemonset', 'deployment', 'event'],
          ...['horizontalpodautoscaler', 'ingress', 'job', 'namespace', 'node', 'persistentvolumeclaim', 'pod'],
          ...['secret', 'service', 'serviceaccount', 'statefulset'],
        ]),
      );
      const tool = types.find(({ name }) => name === `${NODE_TYPE}Tool`);
      expect(tool?.outputs).toEqual(['ai_tool']);
    });

    it('brings every node that acts', async () => {
      const types = (await world().n8n.rest('GET', '/types/nodes.json')) as readonly NodeType[];

      expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining([...actingTypes()]));
    });

    it('brings the credential, which n8n keeps from all nodes but those of the package', async () => {
      const types = (await world().n8n.rest('GET', '/types/credentials.json')) as readonly {
        name: string;
        restrictToSupportedNodes?: boolean;
        supportedNodes?: readonly string[];
      }[];

      const credential = types.find(({ name }) => name === CREDENTIAL_TYPE);
      expect(credential?.restrictToSupportedNodes).toBe(true);
      expect(new Set(credential?.supportedNodes)).toEqual(new Set([...actingTypes(), TRIGGER_TYPE]));
    });

    it('shows its icons', async () => {
      const types = (await world().n8n.rest('GET', '/types/nodes.json')) as readonly (NodeType & {
        iconUrl: string | { light: string; dark: string };
      })[];
      const { iconUrl } = types.find(({ name }) => name === NODE_TYPE) ?? {};
      const urls = typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl];

      for (const url of urls) {
        const { status, data } = await world().n8n.client.ask('GET', `/${url ?? 'no icon'}`);
        expect(status).toBe(200);
        expect(data).toMatch(/^<svg/);
      }
      expect(urls).toHaveLength(2);
    });

    it('gives the secrets of a stored credential to nobody', async () => {
      const { n8n, credential } = world();

      const stored = (await n8n.rest('GET', `/rest/credentials/${credential.id ?? ''}?includeData=true`)) as {
        data: Record<string, unknown>;
      };

      expect(stored.data.kubeconfig).toMatch(/^__n8n_BLANK_VALUE_/);
      expect(stored.data.apiServer).toBe(world().cluster.server);
    });
  });
}
