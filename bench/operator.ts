import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { componentCrd } from '../core/components';
import { eventually, startCluster, type Cluster } from '../test/cluster';
import { pause } from '../test/cluster/api';
import { findHelm } from '../test/helm';
import type { Figure } from './budgets';
import { LinuxProcess } from './linuxProcess';
import { median } from './measure';

/** The fleets that are installed, one after the other. */
const FLEETS = [100, 500, 1_000];
const NAMESPACE = 'bench';
const CREATORS = 16;
const PASSES = 3;
const RATE_BUDGET = 10;
const PASS_BUDGET_SECONDS = 10;
const MEMORY_BUDGET_MIB = 200;
/** After a fleet was installed, what it left in memory is collected in its own time. */
const SETTLE_MS = 5_000;

/** What an operator costs with up to a thousand components, on the machine that also runs the control plane. */
export async function operatorFigures(folder: string): Promise<Figure[]> {
  const program = bundle(folder);
  const charts = writeChart(folder);
  const cluster = await startCluster({ nodes: 1, auditLog: true });
  try {
    await prepare(cluster);
    const operator = await MeasuredOperator.start(cluster, program, charts);
    try {
      return await measure(cluster, operator);
    } finally {
      operator.stop();
    }
  } finally {
    await cluster.stop();
  }
}

async function measure(cluster: Cluster, operator: MeasuredOperator): Promise<Figure[]> {
  const figures: Figure[] = [];
  const chart = 'a chart of four objects at zero replicas, each component rendered by helm';
  let installed = 0;
  for (const total of FLEETS) {
    const added = total - installed;
    const calls = callsOf(cluster);
    const seconds = await install(cluster, operator, installed, total);
    const rate = added / seconds;
    const each = (callsOf(cluster) - calls) / added;
    console.log(`operator: ${added} components in ${seconds.toFixed(1)} s, ${each.toFixed(1)} calls each`);
    figures.push({
      what: `operator: time for a component from created to applied, up to ${total}`,
      measured: 1_000 / rate,
      budget: 1_000 / RATE_BUDGET,
      unit: 'ms',
      from: `${rate.toFixed(1)} components/s over ${added}; ${each.toFixed(1)} API calls each; ${chart}`,
    });
    installed = total;
  }
  await pause(SETTLE_MS);
  const passes: number[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) passes.push((await operator.pass()) / 1_000);
  figures.push({
    what: `operator: a pass over ${installed} components that changes nothing`,
    measured: median(passes),
    budget: PASS_BUDGET_SECONDS,
    unit: 's',
    from: `every object that is not watched read again; of ${PASSES} passes: ${passes.map((seconds) => seconds.toFixed(1)).join(', ')} s`,
  });
  figures.push({
    what: `operator: resident memory with ${installed} components`,
    measured: operator.residentMiB(),
    budget: MEMORY_BUDGET_MIB,
    unit: 'MiB',
    from: `after they were installed and ${PASSES} passes; most while that went on: ${operator.mostMiB.toFixed(0)} MiB`,
  });
  return figures;
}

async function prepare(cluster: Cluster): Promise<void> {
  await cluster.namespace(NAMESPACE);
  await cluster.namespace('bench-operator');
  await cluster.apply(JSON.stringify(componentCrd()));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/managedcomponents.platform.navin.ai']);
  // With the first component that it is given the API server compiles the rules of the definition, for two seconds.
  await cluster.api.create(`${COMPONENTS}?dryRun=All`, componentNamed('first'));
}

const COMPONENTS = `/apis/platform.navin.ai/v1alpha1/namespaces/${NAMESPACE}/managedcomponents`;

function componentNamed(name: string): object {
  const spec = { source: { chart: { path: 'app' } }, values: { greeting: `hello ${name}` } };
  return { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name }, spec };
}

/** @returns seconds from the first component that is created to the last one that is applied */
async function install(cluster: Cluster, operator: MeasuredOperator, from: number, to: number): Promise<number> {
  const begun = performance.now();
  const indexes = Array.from({ length: to - from }, (_, index) => from + index).values();
  const creator = async (): Promise<void> => {
    for (const index of indexes) {
      await cluster.api.create(COMPONENTS, componentNamed(`component-${String(index).padStart(4, '0')}`));
    }
  };
  await Promise.all(Array.from({ length: CREATORS }, creator));
  await operator.untilApplied(to);
  return (performance.now() - begun) / 1_000;
}

/** Calls of the operator so far, of the audit log; renewals of its lease and watches are part of it. */
function callsOf(cluster: Cluster): number {
  return cluster.auditEvents().filter(({ userAgent }) => userAgent === 'navin-bench-operator').length;
}

/** The operator in a process of its own. */
class MeasuredOperator {
  mostMiB = 0;
  private applied = 0;
  private leads = false;
  private passMs = NaN;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (message: { leading?: true; applied?: number; passMs?: number; failed?: string }) => {
      if (message.leading === true) this.leads = true;
      if (message.applied !== undefined) this.applied = message.applied;
      if (message.passMs !== undefined) this.passMs = message.passMs;
      if (message.failed !== undefined) console.log(`operator: ${message.failed}`);
    });
  }

  static async start(cluster: Cluster, program: string, charts: string): Promise<MeasuredOperator> {
    const env = { ...process.env, ...cluster.egressEnv, HELM_BIN: await findHelm() };
    const args = [cluster.adminKubeconfigPath, cluster.server, NAMESPACE, charts];
    const operator = new MeasuredOperator(fork(program, args, { env, execArgv: [...nodeFlags()] }));
    await eventually(() => Promise.resolve(operator.leads), 'the operator', 60_000);
    return operator;
  }

  async untilApplied(count: number): Promise<void> {
    await eventually(
      () => {
        this.mostMiB = Math.max(this.mostMiB, this.residentMiB());
        return Promise.resolve(this.applied >= count);
      },
      `${count} components`,
      900_000,
      () => `${this.applied} are applied`,
    );
  }

  /** @returns how long a pass over everything takes, ms */
  async pass(): Promise<number> {
    this.passMs = NaN;
    this.child.send('pass');
    await eventually(() => Promise.resolve(!Number.isNaN(this.passMs)), 'a pass', 120_000);
    return this.passMs;
  }

  residentMiB(): number {
    return new LinuxProcess(this.child.pid ?? 0).residentMiB();
  }

  stop(): void {
    this.child.disconnect();
  }
}

/** The flags that the image starts Node with. */
function nodeFlags(): readonly string[] {
  const dockerfile = readFileSync(join(__dirname, '..', 'operator', 'Dockerfile'), 'utf8');
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  return (JSON.parse(entrypoint) as string[]).filter((word) => word.startsWith('--'));
}

/** As the operator itself is built: one file. */
function bundle(folder: string): string {
  const outfile = join(folder, 'operator.program.cjs');
  const entry = join(__dirname, 'operator.program.ts');
  buildSync({ entryPoints: [entry], bundle: true, platform: 'node', target: 'node24', format: 'cjs', outfile });
  return outfile;
}

/** @returns the folder of charts */
function writeChart(folder: string): string {
  const charts = join(folder, 'charts');
  const files: Readonly<Record<string, string>> = {
    'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
    'values.yaml': 'greeting: hello\nimage: app:1\n',
    'templates/account.yaml': object('v1', 'ServiceAccount', 'automountServiceAccountToken: false'),
    'templates/config.yaml': object('v1', 'ConfigMap', 'data:\n  greeting: {{ .Values.greeting | quote }}'),
    'templates/service.yaml': object(
      'v1',
      'Service',
      'spec:\n  selector:\n    app: {{ .Release.Name }}\n  ports:\n    - name: http\n      port: 80\n      targetPort: http',
    ),
    'templates/deployment.yaml': object('apps/v1', 'Deployment', DEPLOYMENT),
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(charts, 'app', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  }
  return charts;
}

function object(apiVersion: string, kind: string, rest: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: {{ .Release.Name }}\n${rest}\n`;
}

const DEPLOYMENT = `spec:
  replicas: 0
  selector:
    matchLabels:
      app: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app: {{ .Release.Name }}
    spec:
      serviceAccountName: {{ .Release.Name }}
      containers:
        - name: app
          image: {{ .Values.image | quote }}
          envFrom:
            - configMapRef:
                name: {{ .Release.Name }}
          ports:
            - name: http
              containerPort: 8080`;
