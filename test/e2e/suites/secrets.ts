import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import type { World } from '../world';

interface Kubeconfig {
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

/** Runs last: looks through everything that n8n has said so far. */
export function secrets(world: () => World): void {
  /** The secret parts of a text: whole, and decoded where it is base64 of a PEM block. */
  const partsOf = (secret: string): readonly string[] => {
    const decoded = Buffer.from(secret, 'base64').toString('utf8');
    return decoded.startsWith('-----BEGIN') ? [secret, decoded, ...decoded.split('\n').slice(1, 3)] : [secret];
  };
  const known = (): readonly string[] => {
    const { account, cluster } = world();
    const admin = (load(cluster.adminKubeconfig) as Kubeconfig).users[0]?.user['client-key-data'] ?? '';
    // The signature of a token is what makes it a secret.
    const signature = account.token.split('.')[2] ?? '';
    return [account.token, signature, ...partsOf(admin)];
  };

  describe('a secret', () => {
    it('is in no answer of n8n, no execution and no log', async () => {
      const { n8n } = world();
      // Also those that nobody has asked for yet, such as the assistant's.
      const { results } = (await n8n.rest('GET', '/rest/executions?limit=100')) as {
        results: readonly { id: string }[];
      };
      for (const { id } of results) await n8n.rest('GET', `/rest/executions/${id}`);
      expect(results.length).toBeGreaterThan(20);
      const places = { answers: n8n.client.transcript, logs: [n8n.logs()] };

      for (const secret of known()) expect(secret.length).toBeGreaterThan(20);
      for (const [place, texts] of Object.entries(places)) {
        const found = texts.filter((text) => known().some((secret) => text.includes(secret)));
        expect({ place, found: found.map((text) => text.slice(0, 200)) }).toEqual({ place, found: [] });
      }
    });

    it('would have been found: the search covers executions, failures and the log', () => {
      const { n8n } = world();
      // Not by toContain: it would print all of it.
      const answered = (text: string): boolean => n8n.client.transcript.some((answer) => answer.includes(text));

      expect(answered('no-such-pod')).toBe(true);
      expect(answered('k8s_tls_untrusted')).toBe(true);
      expect(n8n.logs().includes('Editor is now accessible')).toBe(true);
    });
  });
}
