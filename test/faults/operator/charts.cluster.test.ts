import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RESOURCES, type KubeObject } from '../../../core/kube';
import { describeSandbox } from '../../../operator/src/testing/machine';
import { sharedCluster } from '../../cluster/jest';
import { Operated } from './operated';

const cluster = sharedCluster();
let operated: Operated;

const CONFIG_MAP =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {text: "{{ .Values.text }}"}\n';
const ENDLESS = '{{ range until 3000 }}{{ range until 3000 }}{{ range until 3000 }}{{ end }}{{ end }}{{ end }}';

function deployment(name: string, label = name): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 1
  selector: {matchLabels: {app: ${label}}}
  template:
    metadata: {labels: {app: ${label}}}
    spec: {containers: [{name: web, image: "nginx:{{ .Values.tag | default "1" }}"}]}
`;
}

beforeAll(async () => {
  operated = await Operated.begin(cluster());
}, 600_000);

afterAll(async () => {
  await operated.end();
});

async function find(kind: 'configmaps' | 'services' | 'deployments', name: string): Promise<KubeObject> {
  return operated.client.get(RESOURCES[kind], { name });
}

describeSandbox('a chart that is no good', () => {
  it.each<[string, string, RegExp]>([
    ['garbage', '\u0000\u0001: [', /^The chart fails to render at garbage\/templates\/a\.yaml\.$/],
    ['words', 'just words', /^The chart fails to render at words\/templates\/a\.yaml\.$/],
    ['broken', '{{ fail "s3cr3t-of-values" }}', /^The chart fails to render at broken\/templates\/a\.yaml, line 1\.$/],
    ['endless', ENDLESS, /^The chart takes too long to render\.$/],
    [
      'flood',
      '{{ range until 100 }}{{ repeat 1000000 "x" }}{{ end }}',
      /^The chart (renders too much|needs more memory to render than 1 GiB)\.$/,
    ],
    ['glutton', '{{ repeat 2000000000 "x" }}', /^The chart needs more memory to render than 1 GiB\.$/],
  ])('is told of by its reason, and nothing of what it says: %s', async (name, template, message) => {
    operated.chart(name, { 'a.yaml': template });
    await operated.create(name);
    const status = await operated.until(name, { operation: 'install failed RenderFailed' });
    expect(status).toMatchObject({ state: 'failed', health: 'unknown', securityState: 'unknown', converged: false });
    expect(status.operation?.message).toMatch(message);
    expect(JSON.stringify(status)).not.toContain('s3cr3t');
  });

  it('is not waited for by other components', async () => {
    operated.chart('fine', { 'a.yaml': CONFIG_MAP });
    for (const name of ['endless-1', 'endless-2', 'endless-3', 'endless-4']) {
      await operated.create(name, { values: { name } }, 'endless');
    }
    await operated.create('fine', { values: { text: 'hello' } });
    await operated.until('fine', { converged: true });
    const { operation } = await operated.shown('endless-4');
    expect(operation).not.toContain('succeeded');
  });

  it('is forgotten when it is put right', async () => {
    operated.chart('broken', { 'a.yaml': CONFIG_MAP });
    await operated.until('broken', { operation: 'install succeeded', converged: true });
  });

  it('that uses a kind or a right it may not is not applied, and what runs is left alone', async () => {
    operated.chart('turned', { 'a.yaml': deployment('turned') });
    await operated.create('turned');
    await operated.until('turned', { converged: true });
    operated.chart('turned', {
      'a.yaml': `${deployment('turned')}---\napiVersion: v1\nkind: Secret\nmetadata: {name: x}\n`,
    });
    await operated.patch('turned', { values: { tag: '2' } });
    const status = await operated.until('turned', { operation: 'configure failed ForbiddenKind' });
    expect(status).toMatchObject({ state: 'started', health: 'ok', securityState: 'non_compliant', converged: false });
    expect(JSON.stringify((await find('deployments', 'turned')).spec)).toContain('nginx:1');
  });
});

describe('values', () => {
  it('that are too many are refused, and told of without a word of them', async () => {
    operated.chart('fine', { 'a.yaml': CONFIG_MAP });
    await operated.create('heavy', { values: { text: `s3cr3t${'x'.repeat(300_000)}` } }, 'fine');
    const status = await operated.until('heavy', { operation: 'install failed InvalidSpec' });
    expect(status.operation?.message).toBe('spec.values must have at most 256 KiB.');
    await operated.patch('heavy', { values: { text: 'light' } });
    expect(JSON.stringify(await operated.until('heavy', { converged: true }))).not.toContain('s3cr3t');
  });

  it('that are more than the cluster keeps do not get to the operator', async () => {
    const heavy = operated.create('heaviest', { values: { text: 'x'.repeat(4_000_000) } }, 'fine');
    await expect(heavy).rejects.toMatchObject({ name: 'KubeApiError' });
  });

  it('that hold a secret are refused, and neither applied nor told of', async () => {
    await operated.create('careless', { values: { text: 'hello', db: { password: 's3cr3t-needle' } } }, 'fine');
    const status = await operated.until('careless', { operation: 'install failed InlineSecret' });
    expect(status.security).toMatchObject({ reason: 'InlineSecret', path: 'spec.values.db.password' });
    expect([JSON.stringify(status), operated.lines.join()].join()).not.toContain('s3cr3t-needle');
  });
});

describe('an object that is not the component’s', () => {
  it('is left alone, and nothing else is applied until it is gone', async () => {
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' }, data: { theirs: 'yes' } };
    await operated.client.create(RESOURCES.configmaps, {}, theirs);
    operated.chart('late', { 'a.yaml': `${CONFIG_MAP}---\n${deployment('late')}` });
    await operated.create('late', { values: { text: 'ours' } });
    const status = await operated.until('late', { operation: 'install failed ObjectOwned' });
    expect(status.operation?.message).toBe(
      'ConfigMap/late exists and is not controlled by this component. Nothing was applied.',
    );
    expect((await find('configmaps', 'late')).data).toEqual({ theirs: 'yes' });
    await expect(find('deployments', 'late')).rejects.toMatchObject({ code: 'k8s_not_found' });
    await operated.client.delete(RESOURCES.configmaps, { name: 'late' });
    await operated.until('late', { operation: 'install succeeded', converged: true });
  });

  it('may be another component’s: the first has it, and the second gets it when the first is removed', async () => {
    operated.chart('one', { 'a.yaml': deployment('shared') });
    operated.chart('two', { 'a.yaml': deployment('shared') });
    await operated.create('one', { values: { tag: '1' } });
    await operated.until('one', { converged: true });
    await operated.create('two', { values: { tag: '2' } });
    const status = await operated.until('two', { operation: 'install failed ObjectOwned' });
    expect([status.state, (await operated.shown('one')).converged]).toEqual(['failed', true]);
    expect(JSON.stringify((await find('deployments', 'shared')).spec)).toContain('nginx:1');
    await operated.client.delete(operated.components, { name: 'one' });
    await operated.until('two', { operation: 'install succeeded', converged: true });
    expect(JSON.stringify((await find('deployments', 'shared')).spec)).toContain('nginx:2');
  });
});

describe('what the API server refuses', () => {
  it('because a field cannot change is told with the field, never made anew, and ends when it is taken back', async () => {
    operated.chart('fixed', { 'a.yaml': deployment('fixed', '{{ .Values.label | default "a" }}') });
    await operated.create('fixed');
    await operated.until('fixed', { converged: true });
    const { uid } = (await find('deployments', 'fixed')).metadata;
    await operated.patch('fixed', { values: { label: 'b' } });
    const status = await operated.until('fixed', { operation: 'configure failed ImmutableField' });
    expect(status).toMatchObject({ state: 'started', health: 'ok' });
    expect(status.operation?.message).toContain('spec.selector');
    expect((await find('deployments', 'fixed')).metadata.uid).toBe(uid);
    await operated.patch('fixed', { values: null });
    await operated.until('fixed', { converged: true });
  });

  it('because of a quota is told, and tried again', async () => {
    const quotas = await operated.client.resource('resourcequotas');
    await operated.client.create(quotas, {}, { metadata: { name: 'none' }, spec: { hard: { services: '0' } } });
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: metered}\nspec: {ports: [{port: 80}]}\n';
    operated.chart('metered', { 'a.yaml': service });
    await operated.create('metered');
    const status = await operated.until('metered', { operation: 'install failed ApplyRefused' });
    expect([status.state, status.operation?.message]).toEqual(['failed', expect.stringContaining('quota')]);
    await operated.client.delete(quotas, { name: 'none' });
    // A new operator does not know that it has been refused.
    await operated.stop();
    await operated.start();
    await operated.until('metered', { operation: 'install succeeded', converged: true });
  });
});

describe('a Secret that is named', () => {
  it('is waited for, and the component goes on by itself when it is there', async () => {
    operated.chart('guarded', { 'a.yaml': CONFIG_MAP });
    const ref = { secretName: 'late-secret', key: 'key', valuePath: 'text' };
    await operated.create('guarded', { secretRefs: [ref] });
    const status = await operated.until('guarded', { operation: 'install blocked SecretMissing' });
    expect(status.operation?.message).toBe('The Secret late-secret with the key key does not exist.');
    const stringData = { other: 's3cr3t-needle' };
    await operated.client.create(RESOURCES.secrets, {}, { metadata: { name: 'late-secret' }, stringData });
    await operated.until('guarded', { operation: 'install blocked SecretMissing' });
    const body = { stringData: { key: 's3cr3t-needle' } };
    await operated.client.patch(RESOURCES.secrets, { name: 'late-secret' }, { type: 'merge', body });
    const done = await operated.until('guarded', { operation: 'install succeeded', converged: true });
    expect((await find('configmaps', 'guarded')).data).toEqual({ text: 'late-secret' });
    expect([JSON.stringify(done), operated.lines.join()].join()).not.toContain('s3cr3t-needle');
  });
});
