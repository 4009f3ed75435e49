// Lists all pods of a namespace to items by the built client, as Get Many with Return All does. Prints the number of
// items and the peak of the resident set in MiB.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const core = join(__dirname, '..', 'dist', 'core');
const { loadEgressPolicy } = require(join(core, 'egress.js'));
const { targetFromKubeconfig } = require(join(core, 'kubeconfig.js'));
const { KubeClient, RESOURCES } = require(join(core, 'kube.js'));

async function main() {
  const egress = loadEgressPolicy(process.env);
  const { target } = targetFromKubeconfig({
    kubeconfig: readFileSync(process.env.BENCH_KUBECONFIG, 'utf8'),
    server: process.env.BENCH_SERVER,
    devApiServer: egress.devApiServer,
  });
  const client = new KubeClient({ target, egress });
  const items = [];
  const options = { namespace: process.env.BENCH_NAMESPACE, dropManagedFields: true };
  for await (const page of client.pages(RESOURCES.pods, options)) {
    for (const object of page.items) items.push({ json: object });
  }
  client.close();
  console.log(JSON.stringify({ items: items.length, peakMiB: process.resourceUsage().maxRSS / 1024 }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
