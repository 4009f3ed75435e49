import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ComponentSpec } from '../../../core/components';
import { renderFailed, type Chart } from '../../../operator/src/charts';
import { RegistryClient } from '../../../operator/src/oci';
import { chartYaml, packed } from '../../../operator/src/testing/packedChart';
import { CONFIG, contentOf, digestOf, MANIFEST_TYPE } from '../../../operator/src/testing/registryContent';
import { describeSandbox } from '../../../operator/src/testing/machine';
import { sharedCluster } from '../../cluster/jest';
import { REGISTRY_USER, TestRegistry } from '../../registry';
import { Operated } from './operated';

const cluster = sharedCluster();
const TEMPLATE = `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: 1
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: web, image: nginx}]}
`;
const CONTENT = contentOf(packed({ 'Chart.yaml': chartYaml(), 'templates/web.yaml': TEMPLATE }));
let registry: TestRegistry;
let operated: Operated;
let mood: 'well' | 'down' | 'silent' = 'well';

beforeAll(async () => {
  registry = await TestRegistry.start();
  await registry.pushBlob('charts/web', CONTENT.archiveDigest, CONTENT.archive);
  await registry.pushBlob('charts/web', digestOf(CONFIG), CONFIG);
  await registry.pushManifest('charts/web', CONTENT.digest, CONTENT.manifest, MANIFEST_TYPE);
  const { host, port, ca } = registry;
  const client = new RegistryClient({
    registries: [host],
    ca,
    credentials: new Map([[host, REGISTRY_USER]]),
    // No operator may connect to loopback.
    reach: {
      isListed: (url) => url.host === host,
      policyFor: () => ({ grants: [], devApiServer: { address: '127.0.0.1', port } }),
    },
  });
  const fetch = (ref: string, signal?: AbortSignal): Promise<Chart> => {
    if (mood === 'well') return client.fetch(ref, signal);
    if (mood === 'down') return Promise.reject(renderFailed('The registry cannot be reached.'));
    return new Promise(() => undefined);
  };
  operated = await Operated.begin(cluster(), { registry: { fetch }, concurrency: 2 });
}, 600_000);

afterAll(async () => {
  await operated.end();
  await registry.stop();
});

function fromRegistry(more: Partial<ComponentSpec> = {}): Partial<ComponentSpec> {
  return { source: { oci: { ref: `oci://${registry.host}/charts/web@${CONTENT.digest}` } }, ...more };
}

describeSandbox('a chart of a registry', () => {
  it('is run by its digest', async () => {
    await operated.create('web', fromRegistry());
    const status = await operated.until('web', { operation: 'install succeeded', converged: true });
    expect(status).toMatchObject({
      chart: { name: 'web', version: '1.0.0', digest: CONTENT.digest },
      state: 'started',
    });
  });

  it('that is down disturbs nothing that runs, not even for an operator that has just been started', async () => {
    await operated.stop();
    mood = 'down';
    await operated.start();
    await operated.create('late', fromRegistry());
    const status = await operated.until('late', { operation: 'install failed RenderFailed', state: 'failed' });
    expect(status.operation?.message).toBe('The registry cannot be reached.');
    expect(await operated.shown('web')).toMatchObject({
      ...{ state: 'started', health: 'ok', operation: 'install succeeded', security: 'compliant', converged: true },
    });
    mood = 'well';
    await operated.until('late', { operation: 'install succeeded', converged: true });
    await operated.until('web', { operation: 'install succeeded', converged: true });
  });

  it('that does not answer keeps nobody else from their turn', async () => {
    await operated.stop();
    mood = 'silent';
    await operated.start();
    for (const name of ['silent-1', 'silent-2', 'silent-3', 'silent-4']) await operated.create(name, fromRegistry());
    operated.chart('local', { 'web.yaml': TEMPLATE });
    const begun = performance.now();
    await operated.create('local');
    await operated.until('local', { operation: 'install succeeded', converged: true });
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(await operated.shown('silent-1')).toMatchObject({ state: 'installing', operation: 'install running' });
  });
});
