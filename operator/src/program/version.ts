import { version } from '../../package.json';

/** The version of the operator. */
export const VERSION = version;
