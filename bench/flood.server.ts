// An API server of its own process that is empty at first, and then has ten thousand new pods: by a watch, or, with `list`,
// by a list after 410. Prints its address and CA as one line of JSON, and ends with its standard input.
import { failure, FaultServer, json, text, type Behaviour } from '../test/faults';
import { floodPod } from './flood';

const COUNT = Number(process.argv[2]);
const byList = process.argv[3] === 'list';
const EMPTY_AT = 1000;
const NEWEST = EMPTY_AT + COUNT;

const pods = Array.from({ length: COUNT }, (_, index) => JSON.stringify(floodPod(index, EMPTY_AT + 1 + index)));
const lines = pods.map((pod) => `{"type":"ADDED","object":${pod}}\n`);
let lists = 0;

function list(query: URLSearchParams): Behaviour {
  lists += 1;
  const from = Number(query.get('continue') ?? 0);
  const to = lists === 1 ? 0 : from + Number(query.get('limit') ?? COUNT);
  const metadata = {
    resourceVersion: String(lists === 1 ? EMPTY_AT : NEWEST),
    ...(lists > 1 && to < COUNT ? { continue: String(to) } : {}),
  };
  const items = pods.slice(from, to).join(',');
  const body = `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
  return text(body, 200, 'application/json');
}

function watch(query: URLSearchParams): Behaviour {
  const from = Number(query.get('resourceVersion')) - EMPTY_AT;
  if (from < COUNT && byList) return failure(410, 'Expired', 'too old resource version');
  if (from < COUNT) return text(lines.slice(from).join(''), 200, 'application/json');
  return ({ response }) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    setTimeout(() => response.end(), Number(query.get('timeoutSeconds')) * 1000);
  };
}

async function main(): Promise<void> {
  const server = await FaultServer.start();
  server.always((exchange) => {
    const { pathname, searchParams } = new URL(exchange.request.url, server.url);
    if (!pathname.endsWith('/pods'))
      return json({ kind: 'Namespace', metadata: { name: 'kube-system', uid: 'u' } })(exchange);
    return (searchParams.has('watch') ? watch(searchParams) : list(searchParams))(exchange);
  });
  console.log(JSON.stringify({ url: server.url, port: server.port, ca: server.ca }));
  process.stdin.resume().once('end', () => process.exit(0));
}

void main();
