import { describe, expect, it, jest } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './api';
import { useCluster } from './jest';
import { startCluster } from './start';

jest.setTimeout(120_000);

/** A bound against hanging on a busy machine; on an idle one with two cores a start takes about 5 s, and 10 s are promised. */
const START_LIMIT_SECONDS = 60;

const cluster = useCluster({
  nodes: [
    {
      name: 'worker',
      labels: { 'topology.kubernetes.io/zone': 'north-1' },
      capacity: { cpu: '2', memory: '4Gi', pods: '10' },
    },
    {},
  ],
  compactionInterval: '1s',
  auditLog: true,
});

describe('a new cluster', () => {
  it('is ready soon', () => {
    const { startSeconds } = cluster().facts;
    process.stdout.write(`cluster ready after ${startSeconds.toFixed(1)} s\n`);
    expect(startSeconds).toBeLessThan(START_LIMIT_SECONDS);
  });

  it('is Kubernetes 1.37.2', async () => {
    expect(await cluster().api.get('/version')).toMatchObject({ gitVersion: 'v1.37.2', major: '1', minor: '37' });
  });

  it('has the nodes that were asked for', async () => {
    expect(
      await cluster().kubectl([
        'get',
        'nodes',
        '-o',
        'custom-columns=:.metadata.name,:.status.capacity.cpu',
        '--no-headers',
      ]),
    ).toBe('node-2   64\nworker   2\n');
    const worker = await cluster().api.get('/api/v1/nodes/worker');
    expect(worker.metadata.labels).toMatchObject({ 'topology.kubernetes.io/zone': 'north-1' });
  });

  it('says who is answered what in its audit log', async () => {
    const agent = 'audited by the test';
    await cluster().request('GET', '/api/v1/namespaces/default/pods?limit=7', { headers: { 'user-agent': agent } });
    await eventually(
      () =>
        cluster()
          .auditEvents()
          .some(({ userAgent }) => userAgent === agent),
      'the entry',
    );
    expect(
      cluster()
        .auditEvents()
        .find(({ userAgent }) => userAgent === agent),
    ).toMatchObject({
      verb: 'list',
      requestURI: '/api/v1/namespaces/default/pods?limit=7',
      user: { username: 'admin' },
      objectRef: { resource: 'pods', namespace: 'default' },
      responseStatus: { code: 200 },
    });
  });

  it('refuses a client that nobody knows', async () => {
    expect((await cluster().request('GET', '/api/v1/pods', { token: 'nobody' })).status).toBe(401);
  });
});

describe('compaction', () => {
  it('makes a watch of an old version end with a real 410', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const { metadata } = await cluster().api.get<{ metadata: { resourceVersion: string } }>(path);
    for (let index = 0; index < 5; index++) await cluster().api.create(path, { metadata: { name: `c${index}` } });
    // The API server's watch cache still knows the old version; after a restart only etcd does.
    const old = `${path}?watch=true&timeoutSeconds=5&resourceVersion=${metadata.resourceVersion}`;
    await cluster().restartApiServer();
    let answer = '';
    await eventually(async () => {
      answer = (await cluster().request('GET', old)).text;
      return answer.includes('"code":410');
    }, 'the 410');
    expect(JSON.parse(answer)).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
  });

  it('makes the next page of an old list a real 410 with a token to go on', async () => {
    const path = '/api/v1/namespaces/default/configmaps?limit=1';
    const { metadata } = await cluster().api.get<{ metadata: { continue: string } }>(path);
    await eventually(async () => {
      // Only a version that is not the newest is thrown away.
      await cluster().api.patch('/api/v1/namespaces/default/configmaps/c0', {
        data: { at: String(performance.now()) },
      });
      const next = await cluster().request('GET', `${path}&continue=${metadata.continue}`);
      return next.status === 410 && (next.body as { metadata: { continue?: string } }).metadata.continue !== undefined;
    }, 'the 410');
  });
});

describe('the API server', () => {
  it('is silent while it is paused, and goes on afterwards', async () => {
    await cluster().pauseApiServer();
    const silent = cluster().request('GET', '/readyz', { signal: AbortSignal.timeout(500) });
    await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
    await cluster().resumeApiServer();
    await eventually(async () => (await cluster().request('GET', '/readyz')).status === 200, 'an answer');
  });

  it('keeps its data when it is restarted', async () => {
    const { uid } = (await cluster().api.get('/api/v1/namespaces/kube-system')).metadata;
    await cluster().restartApiServer();
    expect((await cluster().api.get('/api/v1/namespaces/kube-system')).metadata.uid).toBe(uid);
  });

  it('is not started on a port that is taken', async () => {
    await expect(startCluster({ apiServerPort: cluster().facts.port })).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining(`Port ${cluster().facts.port} on 127.0.0.1 is taken by another program.`),
    });
  });

  it('says what it dislikes when it cannot start, and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'navin-start-'));
    const start = startCluster({ apiServerFlags: ['--no-such-flag'], auditLog: join(folder, 'audit.log') });
    await expect(start).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/^kube-apiserver ended at its start\. .*unknown flag: --no-such-flag/s),
    });
    expect(existsSync(join(folder, 'audit.log'))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

describe('its files', () => {
  it('are for nobody else, and gone after the end', async () => {
    const other = await startCluster({ nodes: 0 });
    const { directory } = other.facts;
    expect((statSync(directory).mode & 0o777).toString(8)).toBe('700');
    expect(readFileSync(other.adminKubeconfigPath, 'utf8')).toContain(other.server);
    await other.stop();
    expect(existsSync(directory)).toBe(false);
  });
});
