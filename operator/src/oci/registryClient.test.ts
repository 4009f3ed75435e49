import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  endless,
  FaultServer,
  html,
  redirect,
  reset,
  shortOfContentLength,
  stall,
  stallInBody,
  text,
  type Behaviour,
  type Exchange,
} from '../../../test/faults';
import { chartYaml, packed } from '../testing/packedChart';
import { contentOf, type RegistryContent } from '../testing/registryContent';
import { refusalOf } from '../testing/rejection';
import type { Reach } from './reach';
import { RegistryClient, type RegistryOptions } from './registryClient';

const WEB = contentOf(packed({ 'Chart.yaml': chartYaml(), 'templates/a.yaml': 'a: 1' }));
const SECRET = 's3cr3t-password';
const BASIC = `Basic ${Buffer.from(`robot:${SECRET}`).toString('base64')}`;

let registry: FaultServer;
let storage: FaultServer;

beforeAll(async () => {
  registry = await FaultServer.start();
  storage = await FaultServer.start({ authority: registry.authority });
});

afterEach(async () => {
  await Promise.all([registry.reset(), storage.reset()]);
});

afterAll(async () => {
  await Promise.all([registry.stop(), storage.stop()]);
});

const hostOf = ({ port }: FaultServer): string => `127.0.0.1:${port}`;

/** Loopback, which no operator may connect to, for these servers. */
function reach(listed: readonly FaultServer[], reachable: readonly FaultServer[] = listed): Reach {
  return {
    isListed: ({ host }) => listed.some((server) => hostOf(server) === host),
    policyFor: ({ host }) => {
      const server = reachable.find((each) => hostOf(each) === host);
      return server === undefined
        ? { grants: [] }
        : { grants: [], devApiServer: { address: '127.0.0.1', port: server.port } };
    },
  };
}

function client(options: Partial<RegistryOptions> = {}): RegistryClient {
  return new RegistryClient({
    registries: [hostOf(registry)],
    reach: reach([registry]),
    ca: registry.ca,
    credentials: new Map([[hostOf(registry), { username: 'robot', password: SECRET }]]),
    ...options,
  });
}

const refOf = ({ digest }: RegistryContent): string => `oci://${hostOf(registry)}/charts/web@${digest}`;
const fetched = (content: RegistryContent = WEB, options?: Partial<RegistryOptions>): Promise<unknown> =>
  client(options).fetch(refOf(content));
const bytes =
  (body: Buffer): Behaviour =>
  ({ response }) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(body);
  };
const unauthorized =
  (challenge: string): Behaviour =>
  ({ response }) => {
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end('{"errors":[]}');
  };
/** Answers as a registry does that has this chart. */
const serving =
  ({ manifest, archive }: RegistryContent): Behaviour =>
  (exchange) =>
    bytes(exchange.request.url.includes('/manifests/') ? manifest : archive)(exchange);
const onlyWith =
  (authorization: string, challenge: string, then: Behaviour): Behaviour =>
  (exchange: Exchange) =>
    (exchange.request.headers.authorization === authorization ? then : unauthorized(challenge))(exchange);

describe('a chart of a registry', () => {
  it('is fetched by the digest of its manifest', async () => {
    registry.always(serving(WEB));
    await expect(fetched()).resolves.toMatchObject({ name: 'web', version: '1.0.0', digest: WEB.digest });
    expect(registry.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /v2/charts/web/manifests/${WEB.digest}`,
      `GET /v2/charts/web/blobs/${WEB.archiveDigest}`,
    ]);
    expect(registry.requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.oci.image.manifest.v1+json',
    });
    expect(registry.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('may have a signature beside it', async () => {
    const signed = contentOf(WEB.archive, (manifest) => ({
      ...manifest,
      layers: [{ mediaType: 'application/vnd.cncf.helm.chart.provenance.v1.prov' }, ...(manifest.layers as unknown[])],
    }));
    registry.always(serving(signed));
    await expect(fetched(signed)).resolves.toMatchObject({ digest: signed.digest });
  });

  it('is fetched with the password where the registry asks for it', async () => {
    registry.always(onlyWith(BASIC, 'Basic realm="r"', serving(WEB)));
    await expect(fetched()).resolves.toMatchObject({ name: 'web' });
    expect(registry.requests).toHaveLength(3);
  });

  it('is fetched with a token where the registry sends for one', async () => {
    const challenge = `Bearer realm="${storage.url}/token",service="reg",scope="repository:charts/web:pull"`;
    registry.always(onlyWith('Bearer abc.def', challenge, serving(WEB)));
    storage.always(onlyWith(BASIC, 'Basic', text('{"token":"abc.def"}')));
    await expect(fetched(WEB, { reach: reach([registry, storage]) })).resolves.toMatchObject({ name: 'web' });
    expect(storage.requests.map(({ url }) => url)).toEqual([
      '/token?service=reg&scope=repository%3Acharts%2Fweb%3Apull',
    ]);
  });

  it('is fetched from the storage behind the registry, which gets no password', async () => {
    registry.next(
      unauthorized('Basic'),
      bytes(WEB.manifest),
      redirect('/elsewhere'),
      redirect(`${storage.url}/blob?signature=x`),
    );
    storage.always(bytes(WEB.archive));
    // The storage is not listed: its certificate must be one of the public ones.
    const refused = await refusalOf(fetched(WEB, { reach: reach([registry], [registry, storage]) }));
    expect(refused).toBe(
      `RenderFailed: The registry ${hostOf(registry)} has a certificate that is not trusted: see --registry-ca.`,
    );
    registry.next(
      unauthorized('Basic'),
      bytes(WEB.manifest),
      redirect('/elsewhere'),
      redirect(`${storage.url}/blob?signature=x`),
    );
    await expect(fetched(WEB, { reach: reach([registry, storage]) })).resolves.toMatchObject({ name: 'web' });
    expect(registry.requests.slice(4).map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [`/v2/charts/web/manifests/${WEB.digest}`, undefined],
      [`/v2/charts/web/manifests/${WEB.digest}`, BASIC],
      [`/v2/charts/web/blobs/${WEB.archiveDigest}`, BASIC],
      ['/elsewhere', undefined],
    ]);
    expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

const change = (changes: Record<string, unknown>) => (manifest: Record<string, unknown>) => ({
  ...manifest,
  ...changes,
});
const layer = (changes: Record<string, unknown>) => (manifest: Record<string, unknown>) => ({
  ...manifest,
  layers: [{ ...(manifest.layers as Record<string, unknown>[])[0], ...changes }],
});

describe('a registry that lies', () => {
  const OTHER = contentOf(packed({ 'Chart.yaml': chartYaml({ version: '6.6.6' }) }));

  it.each<[string, readonly Behaviour[], string]>([
    [
      'about the manifest',
      [bytes(OTHER.manifest)],
      'DigestMismatch: HOST answers with another manifest than the one the digest names.',
    ],
    [
      'about the manifest by a byte',
      [bytes(Buffer.concat([WEB.manifest, Buffer.from('\n')]))],
      'DigestMismatch: HOST answers with another manifest than the one the digest names.',
    ],
    [
      'about the archive',
      [bytes(WEB.manifest), bytes(OTHER.archive)],
      'DigestMismatch: HOST answers with another archive than the one the manifest names.',
    ],
    [
      'about the archive, at the same length',
      [bytes(WEB.manifest), bytes(Buffer.alloc(WEB.archive.length))],
      'DigestMismatch: HOST answers with another archive than the one the manifest names.',
    ],
    [
      'about the archive, which is short',
      [bytes(WEB.manifest), bytes(WEB.archive.subarray(1))],
      'DigestMismatch: HOST answers with another archive than the one the manifest names.',
    ],
    ['with an endless manifest', [endless()], 'RenderFailed: HOST answers with more than it should.'],
    [
      'with an endless archive',
      [bytes(WEB.manifest), endless()],
      'RenderFailed: HOST answers with more than it should.',
    ],
    ['with a web page', [html()], 'DigestMismatch: HOST answers with another manifest than the one the digest names.'],
    ['with an error', [text(SECRET, 500)], 'RenderFailed: HOST answers with the status 500.'],
    ['with nothing of this name', [text(SECRET, 404)], 'RenderFailed: HOST has no chart of this name and digest.'],
    [
      'with a refusal',
      [text(SECRET, 403)],
      'RenderFailed: HOST does not allow to read the chart: see --registry-config.',
    ],
    ['with too many requests', [text(SECRET, 429)], 'RenderFailed: HOST answers that it was asked too often.'],
    ['by a reset', [reset()], 'RenderFailed: The registry HOST cannot be reached.'],
    [
      'by an answer that breaks off',
      [shortOfContentLength('{', 1000)],
      'RenderFailed: The registry HOST cannot be reached.',
    ],
    [
      'by redirects in a circle',
      Array.from({ length: 10 }, () => redirect('/round')),
      'RenderFailed: The registry HOST has, or sends to, an address that is not allowed.',
    ],
    [
      'by a redirect to a metadata service',
      [redirect('https://169.254.169.254/latest')],
      'RenderFailed: The registry HOST has, or sends to, an address that is not allowed.',
    ],
    [
      'by a redirect into the cluster',
      [redirect('https://10.96.0.1/api')],
      'RenderFailed: The registry HOST has, or sends to, an address that is not allowed.',
    ],
    [
      'by a redirect to plain http',
      [redirect('http://example.com/')],
      'RenderFailed: The registry HOST has, or sends to, an address that is not allowed.',
    ],
    [
      'by a redirect to nowhere',
      [redirect('http://')],
      'RenderFailed: The registry HOST has, or sends to, an address that is not allowed.',
    ],
    [
      'by a challenge of its own making',
      [unauthorized('Digest realm="x"')],
      'RenderFailed: HOST asks for credentials: see --registry-config.',
    ],
    [
      'by a challenge that is never content',
      [unauthorized('Basic'), unauthorized('Basic')],
      'RenderFailed: HOST does not allow to read the chart: see --registry-config.',
    ],
  ])('%s is not believed', async (_what, behaviours, message) => {
    registry.next(...behaviours);
    expect((await refusalOf(fetched())).replaceAll(hostOf(registry), 'HOST')).toBe(message);
  });

  it.each<[string, (manifest: Record<string, unknown>) => Record<string, unknown>, string]>([
    [
      'an image',
      change({ config: { mediaType: 'application/vnd.oci.image.config.v1+json' } }),
      'The digest does not name a chart, but something else in the registry.',
    ],
    [
      'an index',
      change({ mediaType: 'application/vnd.oci.image.index.v1+json' }),
      'The digest does not name a chart, but something else in the registry.',
    ],
    [
      'too many layers',
      change({ layers: Array.from({ length: 17 }, () => ({})) }),
      'The digest does not name a chart, but something else in the registry.',
    ],
    ['no archive', change({ layers: [] }), 'The manifest of the chart does not name one archive.'],
    ['a path as digest', layer({ digest: '../../x' }), 'The manifest of the chart does not name one archive.'],
    ['no size', layer({ size: '5' }), 'The manifest of the chart does not name the size of its archive.'],
    ['a huge archive', layer({ size: 10 * 1024 * 1024 + 1 }), 'The archive of the chart is larger than 10 MiB.'],
  ])('by a manifest that names %s is refused', async (_what, changed, message) => {
    const content = contentOf(WEB.archive, changed);
    registry.always(serving(content));
    expect(await refusalOf(fetched(content))).toBe(`RenderFailed: ${message}`);
  });

  it.each<[string, Behaviour]>([
    ['does not answer', stall()],
    ['stops in the middle', stallInBody('{')],
  ])('and %s is given up in time', async (_what, behaviour) => {
    registry.always(behaviour);
    expect(await refusalOf(fetched(WEB, { timeoutMs: 300 }))).toBe(
      `RenderFailed: ${hostOf(registry)} did not send the chart in time.`,
    );
  });

  it('never gets a token server of its choice the password', async () => {
    const before = storage.allConnections;
    registry.always(unauthorized(`Bearer realm="${storage.url}/token"`));
    expect(await refusalOf(fetched(WEB, { reach: reach([registry], [registry, storage]) }))).toBe(
      `RenderFailed: ${hostOf(registry)} sends for a token to a server that is not listed: add its host to --oci-registries.`,
    );
    expect(storage.allConnections).toBe(before);
  });

  it.each(['{"token":"a\\r\\nX-Evil: 1"}', '{"token":5}', 'no json', '[]'])(
    'gets no header by the token %s',
    async (answer) => {
      registry.next(unauthorized(`Bearer realm="${registry.url}/token"`), text(answer));
      expect(await refusalOf(fetched())).toBe(
        `RenderFailed: ${hostOf(registry)} gives no token for ${hostOf(registry)}: see --registry-config.`,
      );
    },
  );
});

describe('a registry that must not be asked', () => {
  it('because it is not listed', async () => {
    const other = new RegistryClient({ registries: ['127.0.0.1', 'ghcr.io'] });
    expect(await refusalOf(other.fetch(refOf(WEB)))).toBe(
      `RenderFailed: ${hostOf(registry)} is not one of the registries of the operator: see --oci-registries.`,
    );
  });

  it('by the name of Docker Hub, which is not where its registry is', async () => {
    const asked: string[] = [];
    const isListed = ({ host }: URL): boolean => asked.push(host) === 0;
    const hub = client({ reach: { isListed, policyFor: () => ({ grants: [] }) } });
    await refusalOf(hub.fetch(`oci://docker.io/charts/web@${WEB.digest}`));
    expect(asked).toEqual(['registry-1.docker.io']);
  });

  it('because it is this machine, though it is listed', async () => {
    const own = new RegistryClient({ registries: [hostOf(registry)], ca: registry.ca });
    expect(await refusalOf(own.fetch(refOf(WEB)))).toBe(
      `RenderFailed: The registry ${hostOf(registry)} has, or sends to, an address that is not allowed.`,
    );
    expect(registry.requests).toEqual([]);
  });

  it.each([
    'oci://a/b:1.0.0',
    'oci://a/b@sha256:abc',
    `oci://a/../b@sha256:${'a'.repeat(64)}`,
    `oci://user:pw@a/b@sha256:${'a'.repeat(64)}`,
    `https://a/b@sha256:${'a'.repeat(64)}`,
    `oci://A/b@sha256:${'a'.repeat(64)}`,
  ])('because %s is no reference', async (reference) => {
    expect(await refusalOf(client().fetch(reference))).toBe(
      'RenderFailed: The reference of the chart must be oci://host/path@sha256:<64 hex digits>.',
    );
  });
});
