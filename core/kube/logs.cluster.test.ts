import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { eventually } from '../../test/cluster';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { clusterClient } from './testing/clusterClient';
import { all, errorOf } from './testing/faultClient';

const cluster = sharedCluster();
let namespace: string;
let client: KubeClient;

async function pod(name: string, containers: readonly string[], extra: object = {}): Promise<void> {
  await client.create(
    RESOURCES.pods,
    {},
    {
      metadata: { name, ...extra },
      spec: { containers: containers.map((container) => ({ name: container, image: 'nginx' })) },
    },
  );
  await eventually(async () => {
    const object = await client.get(RESOURCES.pods, { name });
    return (object.status as { phase?: string }).phase === 'Running';
  }, `pod ${name} to run`);
}

beforeAll(async () => {
  namespace = await cluster().freshNamespace('logs');
  client = clusterClient(cluster(), { namespace });
}, 60_000);

describe('logs', () => {
  const start = Date.UTC(2026, 0, 1);
  const lines = Array.from({ length: 5 }, (_, index) => ({
    time: new Date(start + index * 10_000),
    text: `zeile ${index} ü`,
  }));
  const ref = () => ({ namespace, name: 'one' });

  beforeAll(async () => {
    await pod('one', ['app']);
    await cluster().logs.set({ namespace, pod: 'one' }, { lines, previous: ['before the restart'] });
  }, 60_000);

  it('are read whole, by tail, since a time, and with timestamps', async () => {
    expect(await client.logs(ref())).toEqual({
      text: 'zeile 0 ü\nzeile 1 ü\nzeile 2 ü\nzeile 3 ü\nzeile 4 ü\n',
      truncated: false,
    });
    expect((await client.logs(ref(), { tailLines: 2 })).text).toBe('zeile 3 ü\nzeile 4 ü\n');
    expect((await client.logs(ref(), { tailLines: 0 })).text).toBe('');
    expect((await client.logs(ref(), { sinceTime: '2026-01-01T00:00:30Z' })).text).toBe('zeile 3 ü\nzeile 4 ü\n');
    expect((await client.logs(ref(), { sinceSeconds: 60 })).text).toBe('');
    expect((await client.logs(ref(), { tailLines: 1, timestamps: true })).text).toMatch(
      /^2026-01-01T00:00:40(?:\.0+)?Z zeile 4 ü\n$/,
    );
  });

  it('are read of the run before', async () => {
    expect((await client.logs(ref(), { previous: true })).text).toBe('before the restart\n');
  });

  it('are bounded, and say so', async () => {
    expect(await client.logs(ref(), { limitBytes: 9 })).toEqual({ text: 'zeile 0 ', truncated: true });
    expect(await client.logs(ref(), { limitBytes: 10 })).toEqual({ text: 'zeile 0 ü', truncated: true });
    expect((await client.logs(ref(), { limitBytes: 1000 })).truncated).toBe(false);
  });

  it('of a Pod that does not exist', async () => {
    expect((await errorOf(client.logs({ namespace, name: 'no-such-pod' }))).message).toBe(
      `Pod "no-such-pod" in namespace "${namespace}" does not exist.`,
    );
  });

  it('of a Pod that is on no node yet', async () => {
    await client.create(
      RESOURCES.pods,
      {},
      {
        metadata: { name: 'waiting' },
        spec: { schedulerName: 'nobody', containers: [{ name: 'app', image: 'nginx' }] },
      },
    );
    expect((await errorOf(client.logs({ namespace, name: 'waiting' }))).details.log).toBe('waiting');
    const error = await errorOf(all(client.followLogs({ namespace, name: 'waiting' }, { startTimeoutMs: 100 })));
    expect([error.code, error.details.log]).toEqual(['k8s_timeout', 'waiting']);
  });
});

describe('logs of several containers', () => {
  beforeAll(async () => {
    await pod('several', ['app', 'sidecar']);
    await pod('annotated', ['app', 'sidecar'], {
      annotations: { 'kubectl.kubernetes.io/default-container': 'sidecar' },
    });
    for (const name of ['several', 'annotated']) {
      await cluster().logs.set({ namespace, pod: name, container: 'app' }, { lines: ['from app'] });
      await cluster().logs.set({ namespace, pod: name, container: 'sidecar' }, { lines: ['from sidecar'] });
    }
  }, 60_000);

  it('need a choice, which the error offers', async () => {
    const error = await errorOf(client.logs({ namespace, name: 'several' }));
    expect([error.code, error.hint]).toEqual(['k8s_parameter_invalid', 'Its containers are "app", "sidecar".']);
    const wrong = await errorOf(client.logs({ namespace, name: 'several' }, { container: 'ap' }));
    expect([wrong.message, wrong.hint]).toEqual([
      `Pod "several" in namespace "${namespace}" has no container "ap".`,
      'Its containers are "app", "sidecar".',
    ]);
    expect((await client.logs({ namespace, name: 'several' }, { container: 'sidecar' })).text).toBe('from sidecar\n');
  });

  it('take the default container that the Pod names', async () => {
    expect((await client.logs({ namespace, name: 'annotated' })).text).toBe('from sidecar\n');
    expect((await client.logs({ namespace, name: 'annotated' }, { container: 'app' })).text).toBe('from app\n');
  });
});

describe('followLogs', () => {
  it('gives lines as they come, until the loop is left', async () => {
    await pod('followed', ['app']);
    const target = { namespace, pod: 'followed' };
    await cluster().logs.set(target, { lines: ['one', 'two'] });
    const lines = client.followLogs({ namespace, name: 'followed' });
    expect((await lines.next()).value).toBe('one');
    expect((await lines.next()).value).toBe('two');
    const next = lines.next();
    cluster().logs.append(target, ['drei ü']);
    expect((await next).value).toBe('drei ü');
    await lines.return();
  }, 60_000);

  it('reads the log of a Job that is done to its end', async () => {
    await client.create(
      RESOURCES.jobs,
      {},
      {
        metadata: { name: 'batch' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox' }] } } },
      },
    );
    let name = '';
    await eventually(async () => {
      const { items } = await client.list(RESOURCES.pods, {
        namespace,
        labelSelector: 'batch.kubernetes.io/job-name=batch',
      });
      name = items[0]?.metadata.name ?? '';
      return (items[0]?.status as { phase?: string } | undefined)?.phase === 'Succeeded';
    }, 'the pod of the job to succeed');
    await cluster().logs.set({ namespace, pod: name }, { lines: ['working', 'done'] });
    expect(await all(client.followLogs({ namespace, name }))).toEqual(['working', 'done']);
  }, 60_000);
});
