import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../../../core/clock';
import { isKubeObject } from '../../../core/kube';
import { chartOfArchive, ChartStore, type Chart } from '../charts';
import { describeSandbox, renderPrograms } from '../testing/machine';
import { chartYaml, packed } from '../testing/packedChart';
import { refusalOf } from '../testing/rejection';
import type { RenderPrograms } from './programs';
import { runSandboxed } from './sandbox';
import { Renderer, type RendererOptions, type Rendering, type RenderRequest } from './renderer';

const EXAMPLES = resolve(__dirname, '../../../examples/charts');
const REQUEST: RenderRequest = {
  source: { chart: { path: 'web' } },
  values: {},
  name: 'web',
  namespace: 'apps',
  capabilities: {
    kubeVersion: 'v1.37.2',
    apiVersions: ['apps/v1', 'apps/v1/Deployment', 'keda.sh/v1alpha1/ScaledObject'],
  },
};

let programs: RenderPrograms;
let slept: number[];

beforeAll(async () => {
  programs = await renderPrograms();
});

beforeEach(() => {
  slept = [];
});

function renderer(charts: RendererOptions['charts'], more: Partial<RendererOptions> = {}): Renderer {
  const clock = {
    ...systemClock,
    sleep: async (ms: number) => {
      slept.push(ms);
      await systemClock.sleep(ms);
    },
  };
  return new Renderer({ charts, programs, clock, ...more });
}

/** Renders a chart that has the template, alone. */
async function rendering(
  template: string,
  request: Partial<RenderRequest> = {},
  more: Partial<RendererOptions> = {},
): Promise<Rendering> {
  return renderer(only({ 'templates/a.yaml': template }), more).render({ ...REQUEST, ...request });
}

function only(files: Readonly<Record<string, string | Buffer>>): RendererOptions['charts'] & { asked: number } {
  const chart: Promise<Chart> = chartOfArchive(packed({ 'Chart.yaml': chartYaml(), ...files }));
  return {
    asked: 0,
    chart() {
      this.asked += 1;
      return chart;
    },
  };
}

const configMap = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  a: ${data}\n`;
const dataOf = ({ documents: [document] }: Rendering): unknown => (document as { data?: { a?: unknown } }).data?.a;

describeSandbox('a chart of the examples', () => {
  it.each([
    ['web', ['Service/web', 'ConfigMap/web', 'Deployment/web']],
    ['store', ['Service/web', 'StatefulSet/web']],
    ['shop', ['Service/web', 'Service/web-cache', 'Deployment/web', 'Deployment/web-cache']],
  ])('%s renders its objects', async (path, objects) => {
    const charts = new ChartStore({
      chartsDir: EXAMPLES,
      registry: { fetch: () => Promise.reject(new Error('none')) },
    });
    const { chart, documents } = await renderer(charts).render({ ...REQUEST, source: { chart: { path } } });
    expect(chart).toMatchObject({ name: path, version: '1.0.0' });
    const names = documents.filter(isKubeObject).map(({ kind, metadata }) => `${kind ?? ''}/${metadata.name ?? ''}`);
    expect(names.sort()).toEqual(objects.sort());
  });

  it('is clean by helm lint', async () => {
    const result = await runSandboxed({
      prlimit: programs.prlimit,
      program: programs.helm,
      args: ['lint', '--strict', '--with-subcharts', ...readdirSync(EXAMPLES)],
      cwd: EXAMPLES,
      env: {},
      timeoutMs: 20_000,
      maxOutputBytes: 100_000,
    });
    expect([result.exitCode, result.stdout.toString().split('\n').at(-2)]).toEqual([
      0,
      '4 chart(s) linted, 0 chart(s) failed',
    ]);
  });

  it('reads modes of files as Kubernetes does', async () => {
    const charts = new ChartStore({
      chartsDir: EXAMPLES,
      registry: { fetch: () => Promise.reject(new Error('none')) },
    });
    const { documents } = await renderer(charts).render(REQUEST);
    const deployment = documents.find((each) => isKubeObject(each) && each.kind === 'Deployment');
    expect(deployment).toMatchObject({
      spec: { template: { spec: { volumes: [{ configMap: { defaultMode: 0o444 } }, { name: 'temporary' }] } } },
    });
  });
});

describeSandbox('rendering', () => {
  it('gives helm the names, the values and what the cluster can', async () => {
    const template = configMap(
      '{{ list .Release.Name .Release.Namespace .Release.IsInstall .Values.who .Capabilities.KubeVersion.Version (.Capabilities.APIVersions.Has "keda.sh/v1alpha1/ScaledObject") (.Capabilities.APIVersions.Has "keda.sh/v1/X") | toJson | quote }}',
    );
    const result = await rendering(template, { values: { who: '\u{1f600} \u0085\u2028"' } });
    expect(JSON.parse(String(dataOf(result)))).toEqual([
      'web',
      'apps',
      true,
      '\u{1f600} \u0085\u2028"',
      'v1.37.2',
      true,
      false,
    ]);
  });

  it.each([4_096, 8_192])('keeps values whose file has %d bytes (helm#32506)', async (bytes) => {
    const frame = JSON.stringify({ a: '' }).length;
    for (const length of [bytes - 1, bytes]) {
      const a = 'x'.repeat(length - frame);
      expect(dataOf(await rendering(configMap('{{ .Values.a | quote }}'), { values: { a } }))).toBe(a);
    }
  });

  it('drops documents that are empty', async () => {
    const { documents } = await rendering(`---\n# nothing\n---\n${configMap('b')}---\n{{ if false }}x{{ end }}\n`);
    expect(documents).toHaveLength(1);
  });

  it('does not take the tests and definitions of a chart', async () => {
    const test = `${configMap('b')}---\n${configMap('c').replace('{name: web}', '{name: t, annotations: {helm.sh/hook: test}}')}`;
    const charts = only({
      'templates/a.yaml': test,
      'crds/a.yaml': 'apiVersion: a/v1\nkind: Definition\nmetadata: {name: a}',
    });
    expect((await renderer(charts).render(REQUEST)).documents).toHaveLength(1);
  });

  it('renders the same once, also when it is asked for at once', async () => {
    const one = renderer(only({ 'templates/a.yaml': configMap('b') }));
    const [first, second] = await Promise.all([one.render(REQUEST), one.render(REQUEST)]);
    expect(second).toBe(first);
    expect(await one.render({ ...REQUEST })).toBe(first);
  });

  it.each<[string, Partial<RenderRequest>]>([
    ['values', { values: { x: 1 } }],
    ['name', { name: 'other' }],
    ['namespace', { namespace: 'other' }],
    ['version of the cluster', { capabilities: { ...REQUEST.capabilities, kubeVersion: 'v1.36.0' } }],
    ['APIs of the cluster', { capabilities: { ...REQUEST.capabilities, apiVersions: [] } }],
  ])('renders anew for another %s', async (_what, change) => {
    const one = renderer(only({ 'templates/a.yaml': configMap('b') }));
    expect(await one.render({ ...REQUEST, ...change })).not.toBe(await one.render(REQUEST));
  });

  it('leaves nothing behind', async () => {
    const workDir = mkdtempSync(join(tmpdir(), 'navin-work-'));
    await rendering(configMap('b'), {}, { workDir });
    await refusalOf(rendering('{{ fail "no" }}', {}, { workDir }));
    expect(readdirSync(workDir)).toEqual([]);
    rmdirSync(workDir);
  });
});

const ENDLESS = '{{ range until 3000 }}{{ range until 3000 }}{{ range until 3000 }}{{ end }}{{ end }}{{ end }}';
const AT = 'The chart fails to render at web/templates/a.yaml';

describeSandbox('a chart fails', () => {
  it.each<[string, string, string]>([
    ['and says what it was given', '\n{{ fail .Values.password }}', `${AT}, line 2.`],
    ['for a value it requires', '{{ required "password s3cr3t" .Values.none }}', `${AT}, line 1.`],
    ['for a value that is not there', 'a: {{ .Values.a.b.c }}', `${AT}, line 1.`],
    ['for a function that does not exist', '{{ nothing }}', `${AT}, line 1.`],
    ['for a template that does not exist', '{{ include "none" . }}', `${AT}, line 1.`],
    ['in a template in a value', '{{ tpl "{{ .Values.a.b.c }}" . }}', `${AT}, line 1.`],
    ['with bad YAML', 'a: b: c', `${AT}.`],
    [
      'with bad YAML that helm lets pass',
      'kind: x\na: !!js/function "x"',
      'What the chart renders is not valid YAML or JSON, line 4: unknown scalar tag.',
    ],
    [
      'with more memory than it may take',
      '{{ repeat 2000000000 "x" }}',
      'The chart needs more memory to render than 1 GiB.',
    ],
    ['with a list without end', '{{ until 100000000 }}', 'The chart needs more memory to render than 1 GiB.'],
    [
      'with a template that includes itself',
      '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
      `${AT}, line 1.`,
    ],
  ])('%s', async (_what, template, message) => {
    const refusal = await refusalOf(rendering(template, { values: { password: 's3cr3t' } }));
    expect(refusal).toContain(`RenderFailed: ${message}`);
    expect(refusal).not.toContain('s3cr3t');
  });

  it('that renders 100 MB', async () => {
    const template = '{{ range until 100 }}{{ repeat 1000000 "x" }}{{ end }}';
    expect(await refusalOf(rendering(template))).toMatch(
      /^RenderFailed: The chart (renders too much|needs more memory)/,
    );
    const smaller = `a: {{ repeat 2000000 "x" }}`;
    expect(await refusalOf(rendering(smaller, {}, { maxOutputBytes: 1_000_000 }))).toBe(
      'RenderFailed: The chart renders too much.',
    );
  });

  it('that never ends, and nothing of it goes on', async () => {
    const started = performance.now();
    expect(await refusalOf(rendering(ENDLESS, {}, { timeoutMs: 1_000 }))).toBe(
      'RenderFailed: The chart takes too long to render.',
    );
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('when the operator stops', async () => {
    const refused = refusalOf(rendering(ENDLESS, {}, { signal: AbortSignal.timeout(500) }));
    expect(await refused).toBe('RenderFailed: The rendering was stopped.');
  });

  it('for values that its schema does not allow, named by their path', async () => {
    const charts = only({ 'values.schema.json': '{"properties":{"auth":{"properties":{"user":{"type":"number"}}}}}' });
    const request = { ...REQUEST, values: { auth: { user: 's3cr3t' } } };
    expect(await refusalOf(renderer(charts).render(request))).toBe(
      'RenderFailed: The values do not fit the schema of the chart: see /auth/user.',
    );
  });

  it('without the charts it depends on, and fetches none', async () => {
    const dependencies = [
      { name: 'db', version: '1', repository: 'https://127.0.0.1:1' },
      { name: 'mq', version: '2' },
    ];
    const chart = chartOfArchive(packed({ 'Chart.yaml': chartYaml({ dependencies }) }));
    expect(await refusalOf(renderer({ chart: () => chart }).render(REQUEST))).toBe(
      'RenderFailed: The chart comes without charts it depends on: db, mq. Package it with its charts folder.',
    );
  });

  it('for another Kubernetes than this one', async () => {
    const chart = chartOfArchive(packed({ 'Chart.yaml': chartYaml({ kubeVersion: '>=9.0.0' }) }));
    expect(await refusalOf(renderer({ chart: () => chart }).render(REQUEST))).toBe(
      'RenderFailed: The chart is for other versions of Kubernetes than this one.',
    );
  });

  it('of another version than the spec says, before it is rendered', async () => {
    expect(await refusalOf(rendering('{{ fail "no" }}', { version: '1.0.1' }))).toBe(
      'VersionMismatch: The chart has another version than 1.0.1.',
    );
  });

  it.each(['-x', 'a b', '--post-renderer', 'x'.repeat(54)])(
    'for the name %j, which helm could take for something else',
    async (name) => {
      expect(await refusalOf(rendering('a: 1', { name }))).toBe(
        'RenderFailed: The name of the component or of its namespace cannot be the name of a release.',
      );
    },
  );
});

const UNSTEADY =
  'The chart renders something else each time at data.a of ConfigMap/web: each look would change it. Set the value that fixes it.';

describeSandbox('a chart that renders something else each time', () => {
  it.each([
    ['random letters', '{{ randAlphaNum 20 }}', []],
    ['random numbers', '{{ randInt 0 1000000 | quote }}', []],
    ['an identity', '{{ uuidv4 }}', []],
    ['a certificate', '{{ (genCA "a" 1).Cert | b64enc }}', []],
    ['a hash with salt', '{{ htpasswd "a" "b" | quote }}', []],
    ['the year', '{{ now | date "2006" | quote }}', []],
    ['the second', '{{ now | date "05" | quote }}', []],
    ['the time', '{{ now | unixEpoch | quote }}', [1_000]],
    [
      'keys without order',
      '{{ keys (dict "a" 1 "b" 2 "c" 3 "d" 4 "e" 5 "f" 6 "g" 7 "h" 8 "i" 9 "j" 10) | join "-" }}',
      [],
    ],
  ])('by %s is refused', async (_what, expression, sleeps) => {
    expect(await refusalOf(rendering(configMap(expression)))).toBe(`NondeterministicChart: ${UNSTEADY}`);
    expect(slept).toEqual(sleeps);
  });

  it('only with some values is refused with those', async () => {
    const one = renderer(only({ 'templates/a.yaml': configMap('{{ .Values.token | default (randAlpha 9) }}') }));
    await expect(one.render({ ...REQUEST, values: { token: 'fixed' } })).resolves.toMatchObject({
      documents: [{ data: { a: 'fixed' } }],
    });
    expect(await refusalOf(one.render(REQUEST))).toBe(`NondeterministicChart: ${UNSTEADY}`);
  });

  it('by a template in its values is refused', async () => {
    expect(await refusalOf(rendering(configMap('{{ tpl .Values.a . }}'), { values: { a: '{{ randAlpha 9 }}' } }))).toBe(
      `NondeterministicChart: ${UNSTEADY}`,
    );
  });

  it('by an object more is refused', async () => {
    const template = `{{ range until (randInt 1 1000) }}---\n${configMap('b')}\n{{ end }}`;
    expect(await refusalOf(rendering(template))).toMatch(
      /^NondeterministicChart: The chart renders something else each time at ConfigMap\/web:/,
    );
  });

  it('is none that formats a fixed date', async () => {
    const template = configMap('{{ toDate "2006-01-02" "2026-01-31" | date "02.01.2006" | quote }}');
    await expect(rendering(template)).resolves.toMatchObject({ documents: [{ data: { a: '31.01.2026' } }] });
  });
});

it('the examples have no folder that no test renders', () => {
  expect(readdirSync(join(EXAMPLES)).sort()).toEqual(['shop', 'store', 'web']);
});
