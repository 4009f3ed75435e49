/** An independent watcher: holds what the operator does and says against what the cluster shows. */
export type { Judged, Rule, Wrong } from './wrong';
export { Watcher, type Verdict, type WatcherOptions } from './watcher';
