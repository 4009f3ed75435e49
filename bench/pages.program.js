// Get Many with One Item per Page over all pods of a namespace, by the built node in a process that has n8n-workflow loaded,
// as n8n has, and with the flags of n8n's main process, which are none. Prints how many objects the pages had, and the most
// memory over that of the process when it had read one page of one object.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout } = require('node:timers/promises');
require('n8n-workflow');
const { context, memory, named } = require('./nodeContext.js');
const { Kubernetes } = require(join(__dirname, '..', 'dist', 'nodes', 'Kubernetes', 'Kubernetes.node.js'));

/** Any Resource gives whole objects, Pod what Simplify makes of them. */
const RESOURCES = {
  any: { resource: 'any', kind: named('pods') },
  pod: { resource: 'pod', simplify: true },
};

async function main() {
  const node = new Kubernetes();
  const list = async (limits) => {
    const of = { operation: 'getAll', namespace: named(process.env.BENCH_NAMESPACE), options: { onePerPage: true } };
    const [items] = await node.execute.call(context({ ...RESOURCES[process.argv[2]], ...of, ...limits }));
    return items;
  };
  await list({ returnAll: false, limit: 1 });
  await setTimeout(500);
  // Begins to count the most anew.
  writeFileSync('/proc/self/clear_refs', '5');
  const idleMiB = memory('VmRSS');
  const begin = performance.now();
  const items = await list({ returnAll: true });
  const seconds = (performance.now() - begin) / 1000;
  const objects = items.reduce((sum, { json }) => sum + json.count, 0);
  console.log(JSON.stringify({ objects, pages: items.length, seconds, idleMiB, overMiB: memory('VmHWM') - idleMiB }));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
