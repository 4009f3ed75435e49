export { LruCache } from './lruCache';
