// The same list by @kubernetes/client-node, paged by 500 as its documentation advises.
import { readFileSync } from 'node:fs';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromString(readFileSync(process.env.BENCH_KUBECONFIG, 'utf8'));
const api = config.makeApiClient(CoreV1Api);
const items = [];
let next;
do {
  const page = await api.listNamespacedPod({
    namespace: process.env.BENCH_NAMESPACE,
    limit: 500,
    ...(next ? { _continue: next } : {}),
  });
  for (const pod of page.items) items.push({ json: pod });
  next = page.metadata?._continue;
} while (next);
console.log(JSON.stringify({ items: items.length, peakMiB: process.resourceUsage().maxRSS / 1024 }));
