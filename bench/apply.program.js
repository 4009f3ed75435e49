// Applies 200 objects by Any Resource: Apply, in turn with bare PATCH requests, eight at a time over keep-alive connections
// of the same kind, and with `kubectl apply --server-side`. Prints the medians in milliseconds.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { readFileSync } = require('node:fs');
const https = require('node:https');
const { join } = require('node:path');
require('n8n-workflow');
const { context, median, named } = require('./nodeContext.js');
const { Kubernetes } = require(join(__dirname, '..', 'dist', 'nodes', 'Kubernetes', 'Kubernetes.node.js'));

const OBJECTS = 200;
const AT_ONCE = 8;
const ROUNDS = 41;
const WARM_UP = 5;
/** kubectl takes longer: it is asked in some of the rounds. */
const KUBECTL_ROUNDS = 14;
const { BENCH_KUBECTL, BENCH_SERVER, BENCH_NAMESPACE, BENCH_TOKEN, BENCH_CA } = process.env;
const agent = new https.Agent({ keepAlive: true, maxSockets: AT_ONCE, ca: readFileSync(BENCH_CA, 'utf8') });

/** New ones each time, as many lines as a usual configuration has. */
function objects(prefix) {
  return Array.from({ length: OBJECTS }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${prefix}-${index}`, namespace: BENCH_NAMESPACE, labels: { app: 'shop', tier: 'front' } },
    data: { level: 'info', 'settings.yaml': `number: ${index}\n`.repeat(20) },
  }));
}

function request(method, path, contentType, value) {
  const body = JSON.stringify(value);
  const headers = {
    authorization: `Bearer ${BENCH_TOKEN}`,
    accept: 'application/json',
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    https
      .request(`${BENCH_SERVER}/api/v1/namespaces/${BENCH_NAMESPACE}/configmaps${path}`, { method, agent, headers })
      .on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const answer = JSON.parse(Buffer.concat(chunks).toString());
          if (response.statusCode < 300) resolve(answer);
          else reject(new Error(answer.message));
        });
      })
      .on('error', reject)
      .end(body);
  });
}

async function eightAtATime(list, act) {
  const waiting = list.values();
  const worker = async () => {
    for (const object of waiting) await act(object);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function byPatches(list) {
  await eightAtATime(list, (object) =>
    request('PATCH', `/${object.metadata.name}?fieldManager=bench&force=false`, 'application/apply-patch+yaml', object),
  );
}

async function byNode(list) {
  const parameters = {
    resource: 'any',
    operation: 'apply',
    manifest: list.map((object) => JSON.stringify(object)).join('\n---\n'),
    namespace: named(BENCH_NAMESPACE),
    force: false,
    simplify: true,
    options: {},
  };
  const [items] = await new Kubernetes().execute.call(context(parameters));
  if (items.length !== OBJECTS) throw new Error(`${OBJECTS} objects expected, got ${items.length}`);
}

async function byKubectl(list) {
  const child = spawn(BENCH_KUBECTL, ['apply', '--server-side', '-f', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: list }));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`kubectl ended with ${code}`);
}

async function timed(times, work, list) {
  const begin = performance.now();
  await work(list);
  times.push(performance.now() - begin);
}

async function main() {
  const times = { node: [], patches: [], kubectl: [] };
  for (let round = 0; round < WARM_UP; round += 1) {
    await byPatches(objects(`warm-patch-${round}`));
    await byNode(objects(`warm-node-${round}`));
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await timed(times.patches, byPatches, objects(`patch-${round}`));
    await timed(times.node, byNode, objects(`node-${round}`));
    if (round % 3 === 0) await timed(times.kubectl, byKubectl, objects(`kubectl-${round}`));
  }
  if (times.kubectl.length !== KUBECTL_ROUNDS) throw new Error('the rounds of kubectl were miscounted');
  console.log(JSON.stringify(Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
