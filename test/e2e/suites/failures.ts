import { describe, expect, it } from '@jest/globals';
import { chain } from '../n8n';
import { CREDENTIAL_TYPE, kubeconfigCredential } from '../package';
import { byName, kubernetes, runNode, SHOP, type World } from '../world';

/** What a workflow sees when something goes wrong. */
export function failures(world: () => World): void {
  const missingPod = { resource: 'pod', operation: 'get', namespace: byName(SHOP), name: byName('no-such-pod') };

  describe('a failure', () => {
    it('stops the workflow with what happened, how to get unstuck, and the code', async () => {
      const execution = await runNode(world(), missingPod);

      expect(execution.status).toBe('error');
      expect(execution.error?.message).toContain('no-such-pod');
      expect(execution.error?.description).toContain('Code: k8s_not_found');
      expect(execution.error?.httpCode).toBe('404');
    });

    it('goes to the error branch as an item with its code', async () => {
      const execution = await runNode(world(), missingPod, { onError: 'continueErrorOutput' });

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const [regular, error] = execution.outputs('Kubernetes');
      expect(regular).toEqual([]);
      expect(error).toHaveLength(1);
      expect(error?.[0]?.json).toMatchObject({
        error: expect.stringContaining('no-such-pod') as unknown,
        details: { code: 'k8s_not_found', httpCode: 404 },
      });
    });

    it('goes on at the regular output when the node says so', async () => {
      const execution = await runNode(world(), missingPod, { onError: 'continueRegularOutput' });

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      expect(execution.items('Kubernetes')[0]?.json).toMatchObject({ details: { code: 'k8s_not_found' } });
    });

    it('names the rule to add when a right is missing', async () => {
      const { cluster, n8n } = world();
      const reader = await cluster.serviceAccount({
        namespace: SHOP,
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      });
      const data = kubeconfigCredential(cluster.server, reader.kubeconfig);
      const credential = await n8n.addCredential('reader', CREDENTIAL_TYPE, data);
      const restart = { resource: 'deployment', operation: 'restart', namespace: byName(SHOP), name: byName('web') };

      const node = kubernetes({ credential }, restart, { onError: 'continueErrorOutput' });
      const execution = await n8n.runOnce(chain('restart without the right', [node]));
      await n8n.removeCredential(credential);

      expect(execution.outputs('Kubernetes')[1]?.[0]?.json).toMatchObject({
        details: {
          code: 'k8s_forbidden',
          httpCode: 403,
          verb: 'get',
          resource: 'deployments',
          namespace: SHOP,
          description: expect.stringContaining('resources: [deployments]') as unknown,
        },
      });
    });

    it('is told by the parameter that caused it', async () => {
      const node = { ...missingPod, name: byName('../secrets/x') };

      const execution = await runNode(world(), node);

      expect(execution.error?.description).toContain('Code: k8s_parameter_invalid');
    });

    it('leaves n8n running and the next workflow untouched', async () => {
      const name = byName('={{ $json.nothing }}');
      expect((await runNode(world(), { ...missingPod, name })).status).toBe('error');

      const next = await runNode(world(), { resource: 'namespace', operation: 'get', name: byName(SHOP) });

      expect(next.status).toBe('success');
    });
  });
}
