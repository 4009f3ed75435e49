/**
 * The demo: a cluster with workloads, the operator with two components, n8n with the package, a credential and the
 * example workflows in it. Runs them once, prints what they did, and leaves the editor open until Ctrl-C. Nothing is left running.
 */
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { eventually } from '../test/cluster';
import { requireFreePort } from '../test/cluster/ports';
import { exampleWorkflow, triggerOf, withFields } from '../test/e2e/exampleFiles';
import {
  CREDENTIAL_NAME,
  CREDENTIAL_TYPE,
  installN8n,
  startN8n,
  type N8n,
  type Owner,
  type StoredWorkflow,
} from '../test/e2e/n8n';
import { buildPackage } from './buildPackage';
import { describeExecution, resultTable, type DemoResult } from './demoReport';
import { disposableTarget, ownTarget, type DemoTarget, type OwnClusterOptions } from './demoTarget';
import { prepare } from './prepare';

interface Options extends Partial<OwnClusterOptions> {
  readonly once: boolean;
  readonly port?: number;
  readonly allowChanges: boolean;
}

/** n8n's usual port, and how many after it are tried. */
const FIRST_PORT = 5678;
const PORTS_TRIED = 20;
/** Longest that the example with a trigger may take to start. */
const TRIGGER_TIMEOUT_MS = 120_000;

/** Examples that somebody starts by hand. */
const FOR_THE_EDITOR = [
  'rollout-with-undo.json',
  'drain-for-maintenance.json',
  'apply-after-approval.json',
  'run-cronjob-now.json',
  'audit-rights.json',
  'fetch-file-from-pod.json',
  'nightly-rolling-restart.json',
  'stop-development-at-night.json',
  'scale-by-calendar.json',
  'node-maintenance.json',
  'install-by-form.json',
];

async function main(): Promise<void> {
  const options = readOptions();
  const interrupted = interruption();
  /** What has to be stopped, the last started first. Whatever is only half started dies with this process. */
  const stops: (() => Promise<void>)[] = [];
  const work = async (): Promise<void> => {
    const target = await prepareTarget(options);
    stops.unshift(target.stop);
    for (const line of target.announcement) console.log(line);
    if (target.operate !== undefined) {
      console.log('Starting the operator …');
      const operator = await target.operate();
      stops.unshift(operator.stop);
      console.log(`\n${operator.said.join('\n')}\n`);
    }
    const owner: Owner = { email: 'demo@navin.example', password: `${randomBytes(9).toString('base64url')}A1` };
    const n8n = await start(target, owner, await choosePort(options.port));
    stops.unshift(async () => n8n.stop());
    console.log(`n8n is ready after ${n8n.startSeconds.toFixed(0)} s. Running the example workflows …\n`);

    const results = await runExamples(n8n, target);
    console.log(resultTable(results));
    if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
    if (options.once) return;
    n8n.hold(true);
    console.log(invitation(n8n, owner, target.operatorHints));
    await interrupted;
  };
  try {
    await Promise.race([work(), interrupted]);
  } finally {
    for (const stop of stops) await stop();
  }
  console.log('\nEverything is stopped and removed.');
  process.exit();
}

function readOptions(): Options {
  const command = new Command('npm run demo --')
    .description('Shows the example workflows at work on a disposable cluster, or on one of yours.')
    .option('--once', 'end after the table', false)
    .option('--port <number>', `port of the editor (default: ${FIRST_PORT}, or the next free one)`, portNumber)
    .option('--kubeconfig <file>', 'use your own cluster, by this self-contained kubeconfig')
    .option('--api-server <url>', 'the API server as it stands in the kubeconfig')
    .option('--namespace <name>', "namespace of your cluster (default: the kubeconfig's)")
    .option('--allow-changes', 'on your cluster, also run the examples that change it', false)
    .option('--deployment <name>', 'with --allow-changes, the Deployment to restart')
    .addHelpText(
      'after',
      `
On your own cluster the demo reads pods and events of one namespace and changes nothing, unless you say
--allow-changes: then it also creates one small Job, and restarts the Deployment that --deployment names.
It says what it will do before it does it.`,
    )
    .parse();
  const options = command.opts<Options>();
  const own = options.kubeconfig !== undefined;
  if (own !== (options.apiServer !== undefined)) command.error('--kubeconfig and --api-server go together.');
  if (!own && (options.namespace !== undefined || options.deployment !== undefined || options.allowChanges)) {
    command.error(
      '--namespace, --allow-changes and --deployment are for your own cluster: give --kubeconfig and --api-server.',
    );
  }
  if (options.deployment !== undefined && !options.allowChanges) {
    command.error('--deployment restarts it: say --allow-changes as well.');
  }
  return options;
}

/** Builds and installs what is missing, then starts or checks the cluster. */
async function prepareTarget({ kubeconfig, apiServer, ...rest }: Options): Promise<DemoTarget> {
  const own = kubeconfig !== undefined && apiServer !== undefined;
  // Faults in what the person gave are told before the long work.
  const target = own ? await ownTarget({ kubeconfig, apiServer, ...rest }) : undefined;
  await Promise.all([prepare({ cluster: !own, n8n: true }), buildPackage()]);
  if (target !== undefined) return target;
  console.log('Starting the cluster …');
  return disposableTarget();
}

async function start(target: DemoTarget, owner: Owner, port: number): Promise<N8n> {
  console.log('Starting n8n …');
  const program = await installN8n();
  const n8n = await startN8n({ program, port, owner, env: target.env });
  try {
    await connect(n8n, target);
    return n8n;
  } catch (error) {
    await n8n.stop();
    throw error;
  }
}

/** Stores the credential, and tests it as the editor's button does. */
async function connect(n8n: N8n, { credential }: DemoTarget): Promise<void> {
  const stored = await n8n.addCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, credential);
  const credentials = { ...stored, type: CREDENTIAL_TYPE, data: credential };
  const result = await n8n.rest('POST', '/rest/credentials/test', { credentials });
  const { status, message } = result as { status: string; message: string };
  // With some rights missing the examples still show what works.
  if (status !== 'OK' && !message.startsWith('Connected')) throw new Error(`The connection test says: ${message}`);
  console.log(message);
}

async function runExamples(n8n: N8n, target: DemoTarget): Promise<readonly DemoResult[]> {
  const { namespace, deployment, mayChange } = target;
  const restart = withFields(exampleWorkflow('restart-and-wait.json'), 'What to Restart', {
    namespace,
    ...(deployment === undefined ? {} : { deployment, podSelector: `app.kubernetes.io/name=${deployment}` }),
  });
  const report = withFields(exampleWorkflow('nightly-health-report.json'), 'What to Look At', { namespace });
  const job = withFields(exampleWorkflow('run-job-with-logs.json'), 'What to Run', { namespace });
  const triggered = await startTriggered(n8n, target);
  const results: DemoResult[] = [];
  for (const { workflow, run } of [
    { workflow: restart, run: deployment !== undefined },
    { workflow: report, run: true },
    { workflow: job, run: mayChange },
  ]) {
    const stored = await n8n.addWorkflow(workflow);
    results.push(run ? await runExample(n8n, stored) : notRun(workflow.name));
  }
  results.push(await triggered());
  for (const file of ['crash-loop-alert.json', 'stuck-rollout-ticket.json', 'component-alert.json']) {
    const { name } = await n8n.addWorkflow(exampleWorkflow(file));
    results.push(waiting(name));
  }
  for (const file of FOR_THE_EDITOR) {
    const { name } = await n8n.addWorkflow(exampleWorkflow(file));
    results.push(offered(name));
  }
  return results;
}

/**
 * Publishes the example that waits for a ConfigMap to change, and changes it. Its trigger looks every 30 seconds, so the
 * other examples run meanwhile.
 *
 * @returns waits for what comes of it
 */
async function startTriggered(n8n: N8n, { changeSettings }: DemoTarget): Promise<() => Promise<DemoResult>> {
  const stored = await n8n.addWorkflow(exampleWorkflow('restart-on-config-change.json'));
  if (changeSettings === undefined) return () => Promise.resolve(waiting(stored.name));
  await n8n.publish(stored);
  await changeSettings();
  const executions = async (): Promise<boolean> => (await n8n.executionsOf(stored)).length > 0;
  return async () => {
    console.log('A ConfigMap was changed; its trigger looks every 30 s …\n');
    await eventually(executions, `an execution of "${stored.name}"`, TRIGGER_TIMEOUT_MS);
    const [row] = await n8n.executionsOf(stored);
    return describeExecution(stored.name, await n8n.finished(row?.id ?? ''));
  };
}

async function runExample(n8n: N8n, workflow: StoredWorkflow): Promise<DemoResult> {
  return describeExecution(workflow.name, await n8n.run(workflow, triggerOf(workflow)));
}

function notRun(workflow: string): DemoResult {
  return { workflow, outcome: 'not run', lines: ['It changes the cluster; it is in the editor for you.'] };
}

function offered(workflow: string): DemoResult {
  return { workflow, outcome: 'not run', lines: ['Start it in the editor.'] };
}

function waiting(workflow: string): DemoResult {
  return { workflow, outcome: 'not run', lines: ['It waits for the cluster: publish it in the editor.'] };
}

function invitation(n8n: N8n, { email, password }: Owner, hints: readonly string[] = []): string {
  return `
The editor is open:

  address    ${n8n.url}
  e-mail     ${email}
  password   ${password}

The workflows and their executions are there; change them, run them, add your own.
${hints.length === 0 ? '' : `\n${hints.join('\n')}\n`}
Ctrl-C ends everything.`;
}

/** The port asked for, else n8n's usual one or the next that is free. */
async function choosePort(asked: number | undefined): Promise<number> {
  if (asked !== undefined) {
    await requireFreePort(asked);
    return asked;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port++) {
    const free = await requireFreePort(port).then(
      () => true,
      () => false,
    );
    if (free) return port;
  }
  throw new Error(`The ports ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are all taken: name another by --port.`);
}

/** Settles at the first Ctrl-C or request to end. */
async function interruption(): Promise<void> {
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.exitCode = 130;
        done();
      });
    }
  });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('Give a port from 1 to 65535.');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
