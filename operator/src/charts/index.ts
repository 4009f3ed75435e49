/** Charts: where they come from, checked before anybody renders them. */
export { chartOfArchive, type Chart } from './chart';
export { ChartError, renderFailed, shownName } from './error';
export { MAX_ARCHIVE_BYTES, sha256, type ChartFiles } from './files';
export { ChartStore, type ChartSource, type ChartStoreOptions } from './chartStore';
