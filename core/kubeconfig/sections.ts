import type { YamlNode } from './document';
import type { DocsSection } from './rules';

/** Programs that cloud kubeconfigs run for a token, and the names of auth providers. */
const PLUGINS: Readonly<Record<string, DocsSection>> = {
  aws: 'eks',
  'aws-iam-authenticator': 'eks',
  gcloud: 'gke',
  'gke-gcloud-auth-plugin': 'gke',
  gcp: 'gke',
  kubelogin: 'aks',
  azure: 'aks',
  oc: 'openshift',
};

/** How tools for local clusters name their contexts. */
const LOCAL: readonly (readonly [RegExp, DocsSection])[] = [
  [/^kind-/, 'kind'],
  [/^k3d-/, 'k3d'],
  [/^minikube$/, 'minikube'],
  [/^default$/, 'k3s'],
];

/** The section of docs/kubeconfig.md for the cluster whose kubeconfig has this `exec` or `auth-provider`. */
export function sectionForPlugin(plugin: YamlNode): DocsSection | undefined {
  if (plugin.kind !== 'mapping') return undefined;
  const node = plugin.entries.get('command') ?? plugin.entries.get('name');
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const program = node.value
    .slice(node.value.search(/[^/\\]*$/))
    .toLowerCase()
    .replace(/\.exe$/, '');
  return Object.hasOwn(PLUGINS, program) ? PLUGINS[program] : undefined;
}

/** The section for a context whose server is an address of the machine the kubeconfig comes from. */
export function sectionForContext(name: string): DocsSection | undefined {
  return LOCAL.find(([pattern]) => pattern.test(name))?.[1];
}
