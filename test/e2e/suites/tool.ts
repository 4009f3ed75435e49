import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpClient, type StoredWorkflow, type Workflow } from '../n8n';
import { CREDENTIAL_TYPE, NODE_TYPE } from '../package';
import { byName, SHOP, type World } from '../world';

/**
 * The variant of the node that AI agents call, driven as an assistant does it: n8n's MCP server offers it as a tool, an
 * MCP client calls it. No model is needed, and the parameters come from the caller as they do from a model.
 */
export function tool(world: () => World): void {
  const path = randomUUID();
  const fromAi = (name: string, what: string, type = 'string'): string =>
    `={{ $fromAI('${name}', '${what}', '${type}') }}`;

  const workflow = (): Workflow => {
    const credentials = { [CREDENTIAL_TYPE]: world().credential };
    const tools = [
      {
        name: 'list_pods',
        toolDescription: 'Lists the pods of a namespace',
        resource: 'pod',
        operation: 'getAll',
        namespace: byName(fromAi('namespace', 'Name of the namespace')),
        limit: fromAi('limit', 'How many pods at most', 'number'),
      },
      {
        name: 'scale_deployment',
        toolDescription: 'Sets how many pods a deployment runs',
        resource: 'deployment',
        operation: 'scale',
        namespace: byName(SHOP),
        name_: byName(fromAi('deployment', 'Name of the deployment')),
        replicas: fromAi('replicas', 'How many pods', 'number'),
      },
      {
        name: 'label_pods',
        toolDescription: 'Labels the pods that match a selector',
        resource: 'any',
        operation: 'label',
        kind: byName('pods'),
        namespace: byName(SHOP),
        select: 'selector',
        labelSelector: fromAi('selector', 'A label selector such as app.kubernetes.io/name=web'),
        set: { entry: [{ key: 'seen-by', value: fromAi('value', 'The value of the label seen-by') }] },
      },
      {
        // The author lets the agent choose the operation, too: what it may do at the most is fixed.
        name: 'look_at_pod',
        toolDescription: 'Reads a pod or its logs',
        resource: 'pod',
        operation: fromAi('operation', 'get or getLogs'),
        namespace: byName(SHOP),
        name_: byName(fromAi('pod', 'Name of the pod')),
        readOnly: true,
        // n8n wants every parameter filled that one of the operations needs.
        ...{ path: '/', script: 'true', labelSelector: 'a=b' },
      },
      {
        name: 'unlocked_by_agent',
        toolDescription: 'Deletes a pod',
        resource: 'pod',
        operation: 'delete',
        namespace: byName(SHOP),
        name_: byName(fromAi('pod', 'Name of the pod')),
        readOnly: fromAi('readOnly', 'Whether nothing may be changed', 'boolean'),
      },
    ];
    return {
      name: 'Kubernetes for assistants',
      nodes: [
        {
          id: randomUUID(),
          name: 'MCP Server',
          type: '@n8n/n8n-nodes-langchain.mcpTrigger',
          typeVersion: 2,
          position: [0, 0],
          parameters: { authentication: 'none', path },
          webhookId: randomUUID(),
        },
        ...tools.map(({ name, name_, ...parameters }, index) => ({
          id: randomUUID(),
          name,
          type: `${NODE_TYPE}Tool`,
          typeVersion: 1,
          position: [index * 200, 200] as const,
          parameters: { descriptionType: 'manual', ...parameters, ...(name_ === undefined ? {} : { name: name_ }) },
          credentials,
        })),
      ],
      connections: Object.fromEntries(
        tools.map(({ name }) => [name, { ai_tool: [[{ node: 'MCP Server', type: 'ai_tool', index: 0 }]] }]),
      ),
      settings: {},
    };
  };

  describe('the tool for AI agents', () => {
    let stored: StoredWorkflow | undefined;
    let client: McpClient;

    beforeAll(async () => {
      const { n8n } = world();
      stored = await n8n.addWorkflow(workflow());
      await n8n.publish(stored);
      client = await McpClient.connect(`${n8n.url}/mcp/${path}`);
    });
    afterAll(async () => {
      if (stored !== undefined) await world().n8n.unpublish(stored);
    });

    it('tells an assistant what it does and takes', async () => {
      const tools = await client.tools();

      expect(tools.map(({ name, description }) => [name, description])).toEqual(
        expect.arrayContaining([
          ['list_pods', 'Lists the pods of a namespace'],
          ['scale_deployment', 'Sets how many pods a deployment runs'],
        ]),
      );
      const listPods = tools.find(({ name }) => name === 'list_pods');
      expect(listPods?.inputSchema.properties).toMatchObject({
        namespace: { type: 'string', description: 'Name of the namespace' },
        limit: { type: 'number' },
      });
    });

    it('reads the cluster', async () => {
      const result = await client.callTool('list_pods', { namespace: SHOP, limit: 2 });

      const pods = JSON.parse(result.content[0]?.text ?? '') as readonly { namespace: string }[];
      expect(pods).toHaveLength(2);
      expect(pods[0]).toMatchObject({ namespace: SHOP, restarts: expect.any(Number) as unknown });
    });

    it('changes the cluster', async () => {
      const { api } = world().cluster;
      const scale = async (): Promise<unknown> =>
        ((await api.get(`/apis/apps/v1/namespaces/${SHOP}/deployments/api`)).spec as { replicas: number }).replicas;

      await client.callTool('scale_deployment', { deployment: 'api', replicas: 1 });
      expect(await scale()).toBe(1);

      await client.callTool('scale_deployment', { deployment: 'api', replicas: 2 });
      expect(await scale()).toBe(2);
    });

    it('labels what a selector finds, and gives the assistant what it changed', async () => {
      const selector = 'app.kubernetes.io/name=web';
      const result = await client.callTool('label_pods', { selector, value: 'assistant' });

      const labelled = JSON.parse(result.content[0]?.text ?? '') as readonly { labels: Record<string, string> }[];
      expect(labelled.map(({ labels }) => labels['seen-by'])).toEqual(['assistant', 'assistant', 'assistant']);
      const pods = await world().cluster.api.items(`/api/v1/namespaces/${SHOP}/pods?labelSelector=seen-by=assistant`);
      expect(pods).toHaveLength(3);
    });

    it('lets no assistant change anything where it is read only, whatever the assistant fills in', async () => {
      const path = `/api/v1/namespaces/${SHOP}/pods`;
      const { api } = world().cluster;
      const [pod] = await api.items(`${path}?labelSelector=app.kubernetes.io/name=api`);
      const name = pod?.metadata.name ?? '';

      const read = await client.callTool('look_at_pod', { operation: 'get', pod: name });
      const refused = await client.callTool('look_at_pod', { operation: 'delete', pod: name });
      const unlocked = await client.callTool('unlocked_by_agent', { pod: name, readOnly: false });

      expect(JSON.parse(read.content[0]?.text ?? '')).toMatchObject([{ name, namespace: SHOP }]);
      for (const { content } of [refused, unlocked]) {
        expect(content[0]?.text).toContain("'Delete pod' can change the cluster, and the node is read only");
      }
      expect((await api.get(`${path}/${name}`)).metadata).toMatchObject({ uid: pod?.metadata.uid });
      expect((await api.get(`${path}/${name}`)).metadata).not.toHaveProperty('deletionTimestamp');
    });

    it('tells the assistant what went wrong', async () => {
      const result = await client.callTool('scale_deployment', { deployment: 'no-such-thing', replicas: 1 });

      expect(result.content[0]?.text).toContain('no-such-thing');
    });
  });
}
