/** A real OCI registry, for the tests of charts. */
export { findRegistry, type FindRegistryOptions } from './build';
export { REGISTRY_USER, TestRegistry } from './registry';
