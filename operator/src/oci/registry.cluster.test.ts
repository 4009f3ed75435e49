import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { REGISTRY_USER, TestRegistry } from '../../../test/registry';
import { packed } from '../testing/packedChart';
import { CONFIG, contentOf, digestOf, MANIFEST_TYPE } from '../testing/registryContent';
import { refusalOf } from '../testing/rejection';
import { RegistryClient, type RegistryOptions } from './registryClient';

const SHOP = contentOf(packed(filesOf(resolve(__dirname, '../../../examples/charts/shop')), 'shop'));

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start();
  await registry.pushBlob('charts/shop', SHOP.archiveDigest, SHOP.archive);
  await registry.pushBlob('charts/shop', digestOf(CONFIG), CONFIG);
  await registry.pushManifest('charts/shop', SHOP.digest, SHOP.manifest, MANIFEST_TYPE);
}, 600_000);

afterAll(async () => {
  await registry.stop();
});

function optionsOf({ host, port, ca }: TestRegistry): RegistryOptions {
  return {
    registries: [host],
    ca,
    credentials: new Map([[host, REGISTRY_USER]]),
    // No operator may connect to loopback.
    reach: {
      isListed: (url) => url.host === host,
      policyFor: () => ({ grants: [], devApiServer: { address: '127.0.0.1', port } }),
    },
  };
}

function client(options: Partial<RegistryOptions> = {}): RegistryClient {
  return new RegistryClient({ ...optionsOf(registry), ...options });
}

describe('a chart in a real registry', () => {
  it('is fetched by its digest, with its subchart', async () => {
    const chart = await client().fetch(`oci://${registry.host}/charts/shop@${SHOP.digest}`);
    expect(chart).toMatchObject({ name: 'shop', version: '1.0.0', digest: SHOP.digest });
    expect([...chart.files.keys()]).toContain('charts/cache/Chart.yaml');
  });

  it('is not given without the password', async () => {
    const ref = `oci://${registry.host}/charts/shop@${SHOP.digest}`;
    expect(await refusalOf(client({ credentials: new Map() }).fetch(ref))).toBe(
      `RenderFailed: ${registry.host} asks for credentials: see --registry-config.`,
    );
    const wrong = new Map([[registry.host, { username: 'robot', password: 'wrong' }]]);
    expect(await refusalOf(client({ credentials: wrong }).fetch(ref))).toBe(
      `RenderFailed: ${registry.host} does not allow to read the chart: see --registry-config.`,
    );
  });

  it('is missed under another digest or name', async () => {
    const message = `RenderFailed: ${registry.host} has no chart of this name and digest.`;
    const other = `sha256:${'0'.repeat(64)}`;
    expect(await refusalOf(client().fetch(`oci://${registry.host}/charts/shop@${other}`))).toBe(message);
    expect(await refusalOf(client().fetch(`oci://${registry.host}/charts/none@${SHOP.digest}`))).toBe(message);
  });

  it('is not fetched where the CA of the registry is not known', async () => {
    const { ca, ...options } = optionsOf(registry);
    expect(ca).toContain('BEGIN CERTIFICATE');
    expect(
      await refusalOf(new RegistryClient(options).fetch(`oci://${registry.host}/charts/shop@${SHOP.digest}`)),
    ).toBe(`RenderFailed: The registry ${registry.host} has a certificate that is not trusted: see --registry-ca.`);
  });
});

function filesOf(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1), readFileSync(file)];
    }),
  );
}
