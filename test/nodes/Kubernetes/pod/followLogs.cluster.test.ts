import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, executionContext, named, outputOf } from '../../testing/context';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';
import { jobManifest } from '../../testing/jobs';

const test = useTestCluster('follow-logs');
const LINES = Array.from({ length: 5 }, (_, index) => `line ${index}`);

beforeAll(async () => {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  for (const name of ['web-1', 'web-2']) await cluster.api.create(pods, podManifest(name, {}, { app: 'web' }));
  await cluster.api.create(pods, podManifest('api', {}, { app: 'api' }));
  for (const pod of ['web-1', 'web-2', 'api']) {
    await cluster.api.until(`${pods}/${pod}`, (object) => JSON.stringify(object ?? {}).includes('"Running"'));
    await cluster.logs.set({ namespace, pod }, { lines: LINES.map((line) => `${pod} ${line}`) });
  }
});

const LOGS = { resource: 'pod', operation: 'getLogs' };
const textOf = (pod: string) => LINES.map((line) => `${pod} ${line}\n`).join('');

describe('Pod: Get Logs by label selector', () => {
  it('reads every pod that matches, and no other', async () => {
    const { credential, namespace } = test();
    const parameters = { ...LOGS, select: 'selector', labelSelector: 'app=web' };
    expect(await outputOf({ credential, parameters })).toEqual(
      ['web-1', 'web-2'].map((pod) => ({ pod, namespace, container: 'app', logs: textOf(pod), truncated: false })),
    );
  });

  it('says that more pods match than are read, or none', async () => {
    const { credential } = test();
    const run = async (more: object) => {
      const parameters = { ...LOGS, select: 'selector', ...more };
      const context = executionContext({ credential, parameters });
      const [items] = await new Kubernetes().execute.call(context);
      return [items?.map(({ json }) => json.pod), context.notes];
    };
    expect(await run({ labelSelector: 'app=web', options: { maxPods: 1 } })).toEqual([
      ['web-1'],
      ['More than 1 pods match: the others were not read'],
    ]);
    expect(await run({ labelSelector: 'app=none' })).toEqual([[], ['No pod matches the label selector']]);
  });

  it('needs a selector and the right to list pods', async () => {
    const { cluster, credential, namespace } = test();
    const parameters = { ...LOGS, select: 'selector', labelSelector: ' ' };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ message: "'Label Selector' is empty" });
    const limited = await credentialFor(cluster, { namespace });
    await expect(
      execute({ credential: limited, parameters: { ...parameters, labelSelector: 'app=web' } }),
    ).rejects.toMatchObject({ httpCode: '403', context: { details: { verb: 'list' } } });
  });
});

describe('Pod: Get Logs, following', () => {
  it('keeps what came until the time was over', async () => {
    const { cluster, credential, namespace } = test();
    const options = { follow: true, followSeconds: 4 };
    const following = outputOf({ credential, parameters: { ...LOGS, name: named('web-1'), options } });
    setTimeout(() => {
      cluster.logs.append({ namespace, pod: 'web-1' }, ['came later']);
    }, 1_500);
    expect(await following).toEqual([
      {
        pod: 'web-1',
        namespace,
        container: 'app',
        logs: `${textOf('web-1')}came later\n`,
        truncated: false,
        ended: false,
      },
    ]);
  });

  it('comes to the end of a container that has ended', async () => {
    const { cluster, credential, namespace } = test();
    await cluster.api.create(`/apis/batch/v1/namespaces/${namespace}/jobs`, jobManifest('import', 'busybox:fast'));
    await cluster.api.until(`/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3Dimport`, (list) =>
      JSON.stringify(list ?? {}).includes('"Succeeded"'),
    );
    const parameters = {
      ...LOGS,
      select: 'selector',
      labelSelector: 'job-name=import',
      options: { follow: true, followSeconds: 60 },
    };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ ended: true, truncated: false }]);
  });

  it('stops at the size limit and says so', async () => {
    const { cluster, credential, namespace } = test();
    await cluster.logs.set({ namespace, pod: 'api' }, { lines: Array.from({ length: 40 }, () => 'x'.repeat(99)) });
    const options = { follow: true, followSeconds: 60, limitKiB: 1 };
    const [log] = await outputOf({ credential, parameters: { ...LOGS, name: named('api'), options } });
    expect(log).toMatchObject({ truncated: true, ended: false, logs: `${'x'.repeat(99)}\n`.repeat(10) });
  });

  it('stops with the execution', async () => {
    const { credential } = test();
    const stop = new AbortController();
    const options = { follow: true, followSeconds: 60 };
    const following = execute({
      credential,
      signal: stop.signal,
      parameters: { ...LOGS, name: named('web-2'), options },
    });
    setTimeout(() => {
      stop.abort();
    }, 500);
    await expect(following).rejects.toMatchObject({ context: { code: 'k8s_aborted' } });
  });
});
