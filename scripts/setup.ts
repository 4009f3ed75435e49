/** Makes everything the other commands need, so that they start at once: the programs of the cluster, a registry, n8n, helm. */
import { prepare } from './prepare';

prepare({ cluster: true, n8n: true, helm: true, registry: true }).then(
  () => {
    console.log('Ready: npm run demo, npm test, npm run cluster, npm run bench');
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
