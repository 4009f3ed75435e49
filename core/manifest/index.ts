/** Manifests: YAML or JSON documents, read as kubectl reads them, and the order in which their objects are written. */
export { readManifest } from './documents';
export { ManifestError } from './error';
export { inPhases } from './phases';
