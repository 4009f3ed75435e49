import { join } from 'node:path';
import { startCluster, type Cluster } from '../test/cluster';
import type { Figure } from './budgets';
import { median, type Program, timeInTurn, timeProcess } from './measure';
import { programEnv } from './programEnv';

const PODS = 10_000;
const NAMESPACE = 'bench';
const ROUNDS = 5;

/** What lists cost beside the server's floor, kubectl and client-node, on a cluster with ten thousand pods. */
export async function podFigures(folder: string): Promise<Figure[]> {
  const cluster = await startCluster({ nodes: 1 });
  try {
    console.log(`cluster ready in ${cluster.facts.startSeconds.toFixed(1)} s; creating ${PODS} pods …`);
    await createPods(cluster);
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
    const env = await programEnv(cluster, folder, NAMESPACE, rules);
    return [...(await listFigures(cluster, env)), await getManyFigure(env)];
  } finally {
    await cluster.stop();
  }
}

/**
 * Pods as a web application has them: a template of usual size, with the status of a running pod. No scheduler takes
 * them, so that nothing but the lists goes on while they are measured.
 */
async function createPods(cluster: Cluster): Promise<void> {
  await cluster.namespace(NAMESPACE);
  const path = `/api/v1/namespaces/${NAMESPACE}/pods`;
  const indexes = Array.from({ length: PODS }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of indexes) {
      const name = `web-${String(index).padStart(5, '0')}`;
      await cluster.api.create(path, pod(name));
      await cluster.api.patch(`${path}/${name}/status`, { status: status(index) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** A pod that no scheduler takes. */
export function pod(name: string): object {
  return {
    metadata: {
      name,
      labels: { app: 'web', tier: 'front', 'pod-template-hash': '6d4cf56db6' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9102' },
    },
    spec: {
      schedulerName: 'none',
      containers: [
        {
          name: 'web',
          image: 'registry.example/shop/web:1.27.3',
          ports: [{ containerPort: 8080, name: 'http' }],
          env: [
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        },
      ],
    },
  };
}

function status(index: number): object {
  const startedAt = '2026-01-01T00:00:05Z';
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: startedAt });
  const podIP = `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  return {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    containerStatuses: [
      {
        name: 'web',
        image: 'registry.example/shop/web:1.27.3',
        imageID: 'registry.example/shop/web@sha256:4c0d98bf9879488e0407f897d9dd4bf758555a78e39675e72b5124ccf12c2580',
        containerID: `containerd://${String(index).padStart(64, '0')}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt } },
      },
    ],
  };
}

async function listFigures(cluster: Cluster, env: NodeJS.ProcessEnv): Promise<Figure[]> {
  const node = (file: string): Program => ({ command: process.execPath, args: [join(__dirname, file)], env });
  const kubectl = (...args: string[]): Program => ({ command: cluster.facts.kubectl, args, env });
  const runs = await timeInTurn(
    {
      ours: node('listPods.program.js'),
      raw: kubectl('get', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods`),
      clientNode: node('listPods.clientNode.program.mjs'),
      json: kubectl('get', 'pods', '-n', NAMESPACE, '-o', 'json'),
    },
    ROUNDS,
  );
  const seconds = (name: keyof typeof runs): number => median(runs[name].map((run) => run.milliseconds)) / 1000;
  const outputs = runs.ours.map((run) => JSON.parse(run.lastLine) as { items: number; peakMiB: number });
  if (outputs.some(({ items }) => items !== PODS)) throw new Error(`not all of ${PODS} pods were listed`);
  const ratio = (what: string, peer: keyof typeof runs, budget: number): Figure => ({
    what: `listing ${PODS} pods to items, beside ${what}`,
    measured: seconds('ours') / seconds(peer),
    budget,
    unit: '×',
    from: `${seconds('ours').toFixed(2)} s beside ${seconds(peer).toFixed(2)} s, whole processes, medians of ${ROUNDS}`,
  });
  return [
    ratio('`kubectl get --raw`', 'raw', 1.5),
    ratio('@kubernetes/client-node', 'clientNode', 0.4),
    ratio('`kubectl get -o json`', 'json', 0.12),
    {
      what: `peak memory of listing ${PODS} pods`,
      measured: Math.max(...outputs.map(({ peakMiB }) => peakMiB)),
      budget: 170,
      unit: 'MiB',
      from: `the whole Node process, most of ${ROUNDS} runs`,
    },
  ];
}

async function getManyFigure(env: NodeJS.ProcessEnv): Promise<Figure> {
  const run = await timeProcess({ command: process.execPath, args: [join(__dirname, 'getMany.program.js')], env });
  const { node, plain } = JSON.parse(run.lastLine) as { node: number; plain: number };
  return {
    what: 'Get Many of 50 pods by the node, beside a plain keep-alive GET and JSON.parse',
    measured: node / plain,
    budget: 1.2,
    unit: '×',
    from: `${node.toFixed(2)} ms beside ${plain.toFixed(2)} ms, medians of 400 in one process`,
  };
}
