/** OCI registries: charts by digest, credentials to their host alone. */
export { registryHost } from './dockerHub';
export { RegistryClient, type RegistryOptions } from './registryClient';
export { parseRegistryConfig, RegistryConfigError, type RegistryCredential } from './registryConfig';
export { reachOf, type Reach } from './reach';
export { isRegistryHost } from './reference';
