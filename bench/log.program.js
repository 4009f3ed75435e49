// The log of a pod by Get Logs as a file, in turn with `kubectl logs` into a file. Prints the medians in milliseconds and
// the most memory over that of the process before, in MiB.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { closeSync, openSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
require('n8n-workflow');
const { context, median, memory, named } = require('./nodeContext.js');
const { Kubernetes } = require(join(__dirname, '..', 'dist', 'nodes', 'Kubernetes', 'Kubernetes.node.js'));

const ROUNDS = 9;
const { BENCH_KUBECTL, BENCH_NAMESPACE, BENCH_POD, BENCH_FOLDER } = process.env;

async function byNode(tailLines) {
  const parameters = {
    resource: 'pod',
    operation: 'getLogs',
    namespace: named(BENCH_NAMESPACE),
    select: 'name',
    name: named(BENCH_POD),
    tailLines,
    output: 'file',
    options: { limitKiB: 65_536 },
  };
  const [[item]] = await new Kubernetes().execute.call(context(parameters));
  if (item.json.truncated) throw new Error('the log was cut');
  return item.binary.data.id;
}

async function byKubectl(file) {
  const output = openSync(file, 'w');
  const child = spawn(BENCH_KUBECTL, ['logs', '-n', BENCH_NAMESPACE, BENCH_POD], {
    stdio: ['ignore', output, 'inherit'],
  });
  const [code] = await once(child, 'close');
  closeSync(output);
  if (code !== 0) throw new Error(`kubectl ended with ${code}`);
}

async function main() {
  await byNode(1);
  const theirs = join(BENCH_FOLDER, 'kubectl.log');
  const times = { node: [], kubectl: [] };
  const over = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    writeFileSync('/proc/self/clear_refs', '5');
    const before = memory('VmRSS');
    const t0 = performance.now();
    const ours = await byNode(-1);
    const t1 = performance.now();
    over.push(memory('VmHWM') - before);
    await byKubectl(theirs);
    times.node.push(t1 - t0);
    times.kubectl.push(performance.now() - t1);
    // Only once: what is read here must not count.
    if (round === ROUNDS - 1 && !readFileSync(ours).equals(readFileSync(theirs))) throw new Error('the logs differ');
    rmSync(ours);
  }
  console.log(
    JSON.stringify({
      node: median(times.node),
      kubectl: median(times.kubectl),
      overMiB: Math.max(...over),
      rounds: ROUNDS,
    }),
  );
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
