/** The name that n8n knows the package by. */
export const PACKAGE = '@navin/n8n-nodes-kubernetes';
/** The node as workflows name it. */
export const NODE_TYPE = `${PACKAGE}.kubernetes`;
/** The trigger as workflows name it. */
export const TRIGGER_TYPE = `${PACKAGE}.kubernetesTrigger`;
/** The node Navin Cluster as workflows name it. */
export const CLUSTER_NODE_TYPE = `${PACKAGE}.navinCluster`;
/** The type of the package's credential. */
export const CREDENTIAL_TYPE = 'navinKubernetesApi';
/** Name of the credential that the example workflows ask for: what n8n itself calls the first one. */
export const CREDENTIAL_NAME = 'Kubernetes account';

/** The fields of a credential by kubeconfig. */
export interface KubeconfigCredential {
  readonly [field: string]: unknown;
  readonly authentication: 'kubeconfig';
  readonly apiServer: string;
  readonly kubeconfig: string;
  /** Empty: the one of the kubeconfig. */
  readonly namespace: string;
  readonly rightsToCheck: readonly string[];
}

/** A credential by kubeconfig that checks the right to read. */
export function kubeconfigCredential(apiServer: string, kubeconfig: string, namespace = ''): KubeconfigCredential {
  return { authentication: 'kubeconfig', apiServer, kubeconfig, namespace, rightsToCheck: ['read'] };
}
