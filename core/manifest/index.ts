/** Manifests: YAML or JSON documents, read as kubectl reads them. */
export { readManifest } from './documents';
export { ManifestError } from './error';
