import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installDefinition } from '../../../core/components/testing/definition';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { readManifest } from '../../../core/manifest';
import { buildOperator } from '../../../scripts/buildOperator';
import { eventually, type PolicyRule, type ServiceAccountAccess } from '../../../test/cluster';
import { sharedCluster } from '../../../test/cluster/jest';
import { findHelm } from '../../../test/helm';
import { createLogger } from '../telemetry';
import { parseOptions } from './options';
import { runOperator } from './runOperator';
import { EXAMPLE_CHARTS } from '../testing/testOperator';
import { SpawnedProgram, type Ended, type LogLine } from './testing/spawned';

const PASSWORD = 'registry-password-5e1d';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const cluster = sharedCluster();
const started: SpawnedProgram[] = [];
let folder: string;
let program: string;
let helm: string;
let managed: string;
let own: string;
let account: ServiceAccountAccess;

beforeAll(async () => {
  [program, helm] = await Promise.all([buildOperator(), findHelm()]);
  const client = clusterClient(cluster());
  await installDefinition(client);
  client.close();
  managed = await cluster().freshNamespace('managed');
  own = await cluster().freshNamespace('operator');
  account = await cluster().serviceAccount({ namespace: own, rules: rulesOf('leader_election.yaml') });
  await grant(managed, rulesOf('role.yaml'));
  folder = mkdtempSync(join(tmpdir(), 'navin-program-'));
  for (const name of ['charts', 'tmp']) mkdirSync(join(folder, name));
  file('kubeconfig', account.kubeconfig);
  file('config.json', JSON.stringify({ auths: { 'ghcr.io': { username: 'robot', password: PASSWORD } } }));
  file('ca.pem', cluster().caPem);
}, 600_000);

afterEach(async () => {
  for (const each of started) each.signal('SIGKILL');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of [managed, own]) await cluster().api.delete(`/api/v1/namespaces/${name}`);
});

function file(name: string, text: string): void {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
}

/** The rules of a manifest that administrators apply. */
function rulesOf(name: string): readonly PolicyRule[] {
  const text = readFileSync(resolve(__dirname, '../../config/rbac', name), 'utf8');
  const [role] = readManifest(text) as readonly { readonly rules?: readonly PolicyRule[] }[];
  return role?.rules ?? [];
}

async function grant(namespace: string, rules: readonly PolicyRule[]): Promise<void> {
  const { name } = account;
  const scope = `${RBAC}/namespaces/${namespace}`;
  await cluster().api.create(`${scope}/roles`, { metadata: { name }, rules });
  await cluster().api.create(`${scope}/rolebindings`, {
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: own }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
  });
}

const flags = (more: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({
    namespaces: managed,
    'charts-dir': join(folder, 'charts'),
    'oci-registries': 'ghcr.io',
    'registry-config': join(folder, 'config.json'),
    'registry-ca': join(folder, 'ca.pem'),
    kubeconfig: join(folder, 'kubeconfig'),
    'api-server': cluster().server,
    'lease-namespace': own,
    listen: '127.0.0.1:0',
    'log-level': 'trace',
    ...more,
  }).map(([name, value]) => `--${name}=${value}`);

/** What must not matter points to nowhere. */
const environment = (): Record<string, string> => ({
  ...cluster().egressEnv,
  HELM_BIN: helm,
  PATH: process.env.PATH ?? '',
  TMPDIR: join(folder, 'tmp'),
  HOME: join(folder, 'no-home'),
  KUBECONFIG: join(folder, 'no-kubeconfig'),
  HTTPS_PROXY: 'http://127.0.0.1:1',
  https_proxy: 'http://127.0.0.1:1',
  ALL_PROXY: 'http://127.0.0.1:1',
});

function start(args: readonly string[]): SpawnedProgram {
  const spawned = new SpawnedProgram(program, args, environment());
  started.push(spawned);
  return spawned;
}

function expectNoSecrets({ stdout, stderr }: Ended): void {
  for (const secret of [account.token, PASSWORD, Buffer.from(`robot:${PASSWORD}`).toString('base64')]) {
    expect(stdout + stderr).not.toContain(secret);
  }
}

async function statusOf(url: string, method = 'GET'): Promise<string> {
  const response = await fetch(url, { method });
  return `${response.status} ${(await response.text()).trim()}`.trim();
}

describe('the program', () => {
  it('runs with the rights of the manifests, and ends when it is told to', async () => {
    const operator = start(flags());
    const url = await operator.url();
    await operator.line(({ msg }) => msg === 'It holds the lease and acts.');
    await eventually(async () => (await statusOf(`${url}/readyz`)) === '200 ok', 'readiness');
    expect(await statusOf(`${url}/healthz`)).toBe('200 ok');
    expect(await statusOf(`${url}/healthz?verbose`, 'HEAD')).toBe('200');
    expect(await statusOf(`${url}/metrics`, 'POST')).toBe('405 GET and HEAD only');
    expect(await statusOf(`${url}/debug`)).toBe('404 not found');

    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^navin_operator_leading 1$/m);
    expect(metrics).toMatch(/^navin_operator_synced 1$/m);
    expect(metrics).toMatch(/^process_cpu_seconds_total \d/m);
    const odd = metrics.split('\n').filter((line) => !/^(?:#.*|\w+(?:\{[^{}]*\})? [-+\d.e]+|)$/.test(line));
    expect(odd).toEqual([]);

    expect(readdirSync(join(folder, 'tmp'))).toEqual([expect.stringMatching(/^navin-operator-/)]);
    operator.signal('SIGTERM');
    const ended = await operator.ended;
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(operator.lines.at(-1)?.msg).toBe('The operator has ended.');
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    const warned = operator.lines.filter(({ level }) => level !== 'info' && level !== 'debug');
    expect(warned.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^The token expires in 23 hours\. /)]);
    expectNoSecrets(ended);
    const lease = await cluster().api.get<{ spec: { holderIdentity?: string } }>(
      `/apis/coordination.k8s.io/v1/namespaces/${own}/leases/navin-operator`,
    );
    expect(lease.spec.holderIdentity).toBeUndefined();
  });

  it('brings a component from its chart to a confirmed state, and removes it', async () => {
    const operator = start(flags({ 'charts-dir': EXAMPLE_CHARTS }));
    const url = await operator.url();
    const components = `/apis/platform.navin.ai/v1alpha1/namespaces/${managed}/managedcomponents`;
    await cluster().api.create(components, {
      apiVersion: 'platform.navin.ai/v1alpha1',
      kind: 'ManagedComponent',
      metadata: { name: 'web' },
      spec: { source: { chart: { path: 'web' } } },
    });
    const about = (line: LogLine): boolean => line.component === `${managed}/web`;
    await operator.line((line) => about(line) && line.converged === 'false→true');
    // A watch shows the status a moment after it was written.
    let metrics = '';
    await eventually(
      async () => {
        metrics = await (await fetch(`${url}/metrics`)).text();
        return /^navin_operator_components_by_state\{state="started"\} 1$/m.test(metrics);
      },
      'the component in the metrics',
      10_000,
    );
    expect(metrics).toMatch(/^navin_operator_renders_total\{outcome="done",reason=""\} [1-9]/m);
    await cluster().api.delete(`${components}/web`);
    await operator.line((line) => about(line) && line.msg === 'A component is gone.');
    operator.signal('SIGTERM');
    const ended = await operator.ended;
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expectNoSecrets(ended);
  });

  it('says which rights are missing, and is not ready', async () => {
    const bare = await cluster().serviceAccount({ namespace: own });
    file('bare', bare.kubeconfig);
    const operator = start(flags({ kubeconfig: join(folder, 'bare') }));
    const url = await operator.url();
    const rights = await Promise.all(
      [managed, own].map((namespace) =>
        operator.line(
          (line) => line.msg === 'Rights are missing: see operator/config/rbac.' && line.namespace === namespace,
        ),
      ),
    );
    expect(rights.map(({ level, missing }) => [level, missing])).toEqual([
      ['warn', ['list managedcomponents.platform.navin.ai', 'watch managedcomponents.platform.navin.ai']],
      [
        'warn',
        ['get leases.coordination.k8s.io', 'update leases.coordination.k8s.io', 'create leases.coordination.k8s.io'],
      ],
    ]);
    expect(await statusOf(`${url}/readyz`)).toContain(`503 not listed yet:`);
    operator.signal('SIGINT');
    const ended = await operator.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(bare.token);
  });

  it.each<[string, () => string[], () => string]>([
    [
      'a flag that is none',
      () => [...flags(), '--kubecfg'],
      () => "unknown option '--kubecfg' (Did you mean --kubeconfig?) (--help explains the flags)",
    ],
    [
      'no folder of charts',
      () => flags({ 'charts-dir': join(folder, 'none') }),
      () => '--charts-dir must be a folder that exists.',
    ],
    [
      'a CA that is none',
      () => flags({ 'registry-ca': join(folder, 'config.json') }),
      () => '--registry-ca is not PEM text.',
    ],
    [
      'credentials that are none',
      () => flags({ 'registry-config': join(folder, 'ca.pem') }),
      () => '--registry-config is not JSON.',
    ],
    [
      'no kubeconfig',
      () => flags({ kubeconfig: join(folder, 'none') }),
      () => '--kubeconfig names a file that cannot be read (ENOENT).',
    ],
    [
      'a port that is taken',
      () => flags({ listen: `127.0.0.1:${cluster().facts.port}` }),
      () => '--listen: the address cannot be listened at (EADDRINUSE).',
    ],
    [
      'another API server',
      () => flags({ 'api-server': 'https://api.example:6443' }),
      () =>
        `--kubeconfig and --api-server: The current context of the kubeconfig points to ${cluster().server}, the registered API server is https://api.example:6443: the host and the port must be the same. Correct the registered API server, or choose the right context (current-context) and export the kubeconfig again. See docs/kubeconfig.md#the-address-of-the-api-server`,
    ],
  ])('ends with one line for %s', async (_name, args, line) => {
    const ended = await start(args()).ended;
    expect([ended.code, ended.stderr]).toEqual([2, `navin-platform-operator: ${line()}\n`]);
    expectNoSecrets(ended);
  });

  it('ends with one line where there is no helm', async () => {
    const spawned = new SpawnedProgram(program, flags(), { ...environment(), HELM_BIN: join(folder, 'no-helm') });
    started.push(spawned);
    const ended = await spawned.ended;
    expect([ended.code, ended.stderr]).toEqual([
      1,
      'navin-platform-operator: HELM_BIN does not name a program by its whole path. Set HELM_BIN to helm v4.1.4.\n',
    ]);
  });
});

describe('an operator in a Pod', () => {
  it('takes the cluster of the Pod, by its ServiceAccount', async () => {
    for (const [name, text] of Object.entries({ token: account.token, 'ca.crt': cluster().caPem, namespace: own })) {
      file(name, text);
    }
    const place = { inCluster: true, namespace: own };
    const request = parseOptions(
      [`--namespaces=${managed}`, `--charts-dir=${join(folder, 'charts')}`, '--listen=127.0.0.1:0'],
      place,
    );
    if (!('run' in request)) throw new Error('Not asked to run');
    const env = {
      ...environment(),
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(cluster().facts.port),
    };
    const log = createLogger('error', { write: () => undefined });
    const operator = await runOperator(request.run, { env, log, serviceAccountDir: folder });
    try {
      await eventually(() => Promise.resolve(operator.health().synced && operator.health().leading), 'the operator');
    } finally {
      await operator.stop();
    }
  });
});

// The last: the lease that it does not give up holds others off for a while.
describe('a program that is told to end', () => {
  it('ends at once when it is told again', async () => {
    const operator = start(flags());
    await operator.line(({ msg }) => msg === 'It holds the lease and acts.');
    operator.signal('SIGTERM');
    operator.signal('SIGINT');
    expect((await operator.ended).code).toBe(1);
    expect(operator.lines.slice(-2).map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual([
      'info It finishes what is under way and ends.',
      'warn It is ended at once.',
    ]);
  });
});
