/** What a cluster consists of, who built it, what changed since, and how the programs of the platform are on it. */
export { compareInventories, type Changes } from './changes';
export { comparableOf, type Comparable } from './comparable';
export { controllerStatus, flagOf } from './controllerStatus';
export { IMPORT_ACCOUNT, importAccessYaml } from './importAccess';
export { packInventory, unpackInventory } from './kept';
export { readInventory, type NotRead } from './read';
export { distributionOf } from './signs';
