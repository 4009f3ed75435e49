export { readCaBundle } from './ca';
export { KubeconfigError, type Place, ServerMismatchError } from './errors';
export {
  type GuardResult,
  type KubeconfigInput,
  targetFromKubeconfig,
  targetFromToken,
  type TokenInput,
} from './guard';
export type { BearerTokenIdentity, ClientCertificateIdentity, Identity } from './identity';
export { type TokenSource, withRotatingToken } from './rotation';
export { type DocsSection, KUBECONFIG_RULES, kubeconfigRulesMarkdown, type RuleName } from './rules';
export { parseServerUrl, type ServerUrl } from './server';
export type { ClusterTarget } from './target';
