/** What an administrator applies to run the operator; `npm run generate` writes it to operator/config. */
export { manifestFiles } from './files';
