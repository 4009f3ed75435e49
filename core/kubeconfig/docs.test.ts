import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBECONFIG_RULES, kubeconfigRulesMarkdown } from './rules';
import { sectionForContext } from './sections';

const PAGE = readFileSync(join(__dirname, '../../docs/kubeconfig.md'), 'utf8');

/** Anchors as GitHub makes them from headings, and those written as HTML. */
const ANCHORS = new Set([
  ...[...PAGE.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replace(/ /g, '-'),
  ),
  ...[...PAGE.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
]);

describe('docs/kubeconfig.md', () => {
  it('has the table of the rules as they are', () => {
    const table = PAGE.split(/<!-- \/?generated:rules -->/)[1]?.trim();
    expect(table).toBe(kubeconfigRulesMarkdown());
  });

  it.each(Object.entries(KUBECONFIG_RULES))('has the section that the rule %s names', (_, { docs }) => {
    expect(ANCHORS).toContain(docs);
  });

  it.each(['eks', 'gke', 'aks', 'openshift', 'k3s', 'rke2', 'kubeadm', 'kind', 'k3d', 'minikube'])(
    'has a section for %s',
    (section) => {
      expect(ANCHORS).toContain(section);
    },
  );

  it('has every section that contexts lead to', () => {
    for (const name of ['kind-x', 'k3d-x', 'minikube', 'default']) expect(ANCHORS).toContain(sectionForContext(name));
  });

  it('leads nowhere that is not there', () => {
    const links = [...PAGE.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.filter((anchor) => !ANCHORS.has(anchor))).toEqual([]);
  });
});
