// Discovers the cluster by the built node's code, as a first run does. Prints how many nodes it found and the peak of the
// resident set in MiB.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const core = join(__dirname, '..', 'dist', 'core');
const { loadEgressPolicy } = require(join(core, 'egress.js'));
const { readInventory } = require(join(core, 'inventory.js'));
const { targetFromKubeconfig } = require(join(core, 'kubeconfig.js'));
const { KubeClient } = require(join(core, 'kube.js'));

async function main() {
  const egress = loadEgressPolicy(process.env);
  const { target } = targetFromKubeconfig({
    kubeconfig: readFileSync(process.env.BENCH_KUBECONFIG, 'utf8'),
    server: process.env.BENCH_SERVER,
    devApiServer: egress.devApiServer,
  });
  const client = new KubeClient({ target, egress });
  const { nodes, notRead } = await readInventory(client, Date.now());
  client.close();
  if (notRead) throw new Error('not everything could be read');
  console.log(JSON.stringify({ nodes: nodes.length, peakMiB: process.resourceUsage().maxRSS / 1024 }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
