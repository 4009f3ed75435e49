// Get Many of 50 pods through the built node, in turn with a plain keep-alive GET and JSON.parse of the same page in the
// same process. Prints the medians in milliseconds.
const { readFileSync } = require('node:fs');
const https = require('node:https');
const { join } = require('node:path');
const { context, median, named } = require('./nodeContext.js');
const root = join(__dirname, '..');
const { Kubernetes } = require(join(root, 'dist', 'nodes', 'Kubernetes', 'Kubernetes.node.js'));

const ROUNDS = 400;
const WARM_UP = 100;
const { BENCH_SERVER, BENCH_NAMESPACE, BENCH_TOKEN, BENCH_CA } = process.env;

const parameters = {
  resource: 'pod',
  operation: 'getAll',
  namespace: named(BENCH_NAMESPACE),
  returnAll: false,
  limit: 50,
  simplify: false,
  options: {},
};

const agent = new https.Agent({ keepAlive: true, ca: readFileSync(BENCH_CA, 'utf8') });
const url = new URL(`${BENCH_SERVER}/api/v1/namespaces/${BENCH_NAMESPACE}/pods?limit=50`);

function plain() {
  return new Promise((resolve, reject) => {
    https
      .get(
        url,
        { agent, headers: { authorization: `Bearer ${BENCH_TOKEN}`, accept: 'application/json' } },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        },
      )
      .on('error', reject);
  });
}

async function main() {
  const node = new Kubernetes();
  const times = { node: [], plain: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const t0 = performance.now();
    const [items] = await node.execute.call(context(parameters));
    const t1 = performance.now();
    const list = await plain();
    const t2 = performance.now();
    if (items.length !== 50 || list.items.length !== 50)
      throw new Error(`50 pods expected, got ${items.length} and ${list.items.length}`);
    if (round >= WARM_UP) {
      times.node.push(t1 - t0);
      times.plain.push(t2 - t1);
    }
  }
  console.log(JSON.stringify({ node: median(times.node), plain: median(times.plain) }));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
