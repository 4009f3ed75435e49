// Get Many of 50 pods through the built node, in turn with a plain keep-alive GET and JSON.parse of the same page in the
// same process. Prints the medians in milliseconds.
const { readFileSync } = require('node:fs');
const https = require('node:https');
const { join } = require('node:path');
const root = join(__dirname, '..');
const { Kubernetes } = require(join(root, 'dist', 'nodes', 'Kubernetes', 'Kubernetes.node.js'));

const ROUNDS = 400;
const WARM_UP = 100;
const { BENCH_KUBECONFIG, BENCH_SERVER, BENCH_NAMESPACE, BENCH_TOKEN, BENCH_CA } = process.env;
const kubeconfig = readFileSync(BENCH_KUBECONFIG, 'utf8');

/** What n8n gives a node, as far as Get Many uses it. */
const context = () => {
  const parameters = {
    resource: 'pod',
    operation: 'getAll',
    namespace: { __rl: true, mode: 'name', value: BENCH_NAMESPACE },
    returnAll: false,
    limit: 50,
    simplify: false,
    options: {},
  };
  const node = {
    id: '1',
    name: 'Kubernetes',
    type: 'kubernetes',
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials: { navinKubernetesApi: { id: 'bench', name: 'bench' } },
  };
  return {
    getInputData: () => [{ json: {} }],
    getNode: () => node,
    getNodeParameter: (name, index, fallback, options) => {
      const value = parameters[name];
      if (value === undefined) return fallback;
      return options?.extractValue && value !== null && typeof value === 'object' && value.__rl ? value.value : value;
    },
    getCredentials: async () => ({
      authentication: 'kubeconfig',
      kubeconfig,
      apiServer: BENCH_SERVER,
      namespace: BENCH_NAMESPACE,
      rightsToCheck: ['read'],
    }),
    getWorkflow: () => ({ id: 'bench', name: 'bench', active: false }),
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => false,
    helpers: {},
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
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

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function main() {
  const node = new Kubernetes();
  const times = { node: [], plain: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const t0 = performance.now();
    const [items] = await node.execute.call(context());
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
