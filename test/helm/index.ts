/** The helm that tests render charts with. */
export { findHelm, type FindHelmOptions, type HelmProgress } from './install';
