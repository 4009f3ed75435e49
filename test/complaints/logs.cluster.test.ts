import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { Wire } from '../faults/wire';
import { podManifest, useTestCluster } from '../nodes/testing/cluster';
import { named, outputOf } from '../nodes/testing/context';

const test = useTestCluster('complaints-logs');
const LOGS = { resource: 'pod', operation: 'getLogs', tailLines: -1 };

let wire: Wire;
beforeAll(async () => {
  const { port } = test().cluster.facts;
  wire = await Wire.start(port);
  process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${wire.port}`;
});
afterAll(async () => {
  await wire.stop();
});

/** The credential of the test, over the wire that can be cut. */
function credential(): ICredentialDataDecryptedObject {
  return { ...test().credential, apiServer: `https://127.0.0.1:${wire.port}` };
}

async function runPod(name: string, lines: readonly string[]): Promise<void> {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest(name));
  await cluster.api.until(`${pods}/${name}`, (pod) => JSON.stringify(pod ?? {}).includes('"Running"'));
  await cluster.logs.set({ namespace, pod: name }, { lines });
}

/** The container of a pod is over, as a kubelet says it. */
async function endPod(name: string): Promise<void> {
  const { cluster, namespace } = test();
  const state = { terminated: { exitCode: 0, reason: 'Completed' } };
  const containerStatuses = [{ name: 'app', image: 'nginx:1', imageID: '', ready: false, restartCount: 0, state }];
  await cluster.api.patch(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
    status: { phase: 'Succeeded', containerStatuses },
  });
}

/** The container is over, and nobody is connected to its log any more. */
async function endAll<T>(name: string, following: Promise<T>): Promise<T> {
  await endPod(name);
  const over = following.then(
    () => true,
    () => true,
  );
  do wire.cut();
  while (!(await Promise.race([over, sleep(200, false)])));
  return await following;
}

/** Follows a log until a test ends it. */
function follow(parameters: object, more: object = {}): Promise<IDataObject[]> {
  const options = { follow: true, followSeconds: 60, ...more };
  return outputOf({ credential: credential(), parameters: { ...LOGS, ...parameters, options } });
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('a log that is followed', () => {
  it('has every line once, in order, over connections that break (rundeck-plugins/kubernetes#77, #128)', async () => {
    const { cluster, namespace } = test();
    const lines = ['begin 1', 'begin 2'];
    await runPod('talks', lines);
    const following = follow({ name: named('talks') });
    for (let round = 0; round < 5; round += 1) {
      const more = ['a', 'b', 'b', 'c'].map((word) => `${word} ${round}`);
      cluster.logs.append({ namespace, pod: 'talks' }, more);
      lines.push(...more);
      await sleep(600);
      wire.cut();
    }
    expect(await endAll('talks', following)).toEqual([
      { pod: 'talks', namespace, container: 'app', logs: textOf(lines), truncated: false, ended: true },
    ]);
  });

  it('has the last lines, however long nobody could read them (kestra-io/plugin-kubernetes#217, #223, #224)', async () => {
    const { cluster, namespace } = test();
    await runPod('ends', ['one', 'two']);
    const following = follow({ name: named('ends') });
    await sleep(600);
    wire.goDown();
    cluster.logs.append({ namespace, pod: 'ends' }, ['three', 'four']);
    await endPod('ends');
    await sleep(1_500);
    wire.goUp();
    expect(await following).toMatchObject([{ logs: 'one\ntwo\nthree\nfour\n', ended: true }]);
  });

  it('says that lines may be missing when the node rotated them away meanwhile (kubernetes#28369, #115701, #126564)', async () => {
    const { cluster, namespace } = test();
    await runPod('rotates', ['one', 'two']);
    const following = follow({ name: named('rotates') });
    await sleep(600);
    wire.goDown();
    await cluster.logs.set({ namespace, pod: 'rotates' }, { lines: ['nine', 'ten'] });
    await endPod('rotates');
    wire.goUp();
    expect(await following).toMatchObject([{ logs: 'one\ntwo\nnine\nten\n', ended: true, gap: true }]);
  });

  it('ends when its pod is deleted, and what was read is kept (kestra-io/plugin-kubernetes#188, #257)', async () => {
    const { cluster, namespace } = test();
    await runPod('goes', ['one', 'two']);
    const following = follow({ name: named('goes'), output: 'lines' });
    await sleep(600);
    wire.goDown();
    const path = `/api/v1/namespaces/${namespace}/pods/goes`;
    await cluster.api.delete(`${path}?gracePeriodSeconds=0`);
    await cluster.api.until(path, (pod) => pod === undefined);
    wire.goUp();
    const about = { pod: 'goes', namespace, container: 'app' };
    expect(await following).toEqual([
      { ...about, line: 'one' },
      { ...about, line: 'two', ended: false, problem: 'gone' },
    ]);
  });

  it('waits for a container that has not started (rundeck-plugins/kubernetes#70)', async () => {
    const { cluster, namespace } = test();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await cluster.api.create(pods, podManifest('later', { schedulingGates: [{ name: 'navin.test/wait' }] }));
    const following = follow({ name: named('later'), tailLines: 1 });
    await sleep(600);
    await cluster.api.patch(`${pods}/later`, { spec: { schedulingGates: [] } });
    await cluster.api.until(`${pods}/later`, (pod) => JSON.stringify(pod ?? {}).includes('"Running"'));
    expect(await endAll('later', following)).toMatchObject([
      { pod: 'later', ended: true, logs: 'GET /items/20 200 18 ms\n' },
    ]);
  });

  it('says why its container has not started when the time is over', async () => {
    const { cluster, namespace } = test();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await cluster.api.create(pods, podManifest('never', { schedulingGates: [{ name: 'navin.test/wait' }] }));
    await expect(follow({ name: named('never') }, { followSeconds: 2 })).rejects.toMatchObject({
      message: expect.stringMatching(/^The container "app" of Pod "never" did not start within /),
      context: { code: 'k8s_timeout', details: { log: 'waiting' } },
    });
  });

  it('waits for the first pod that matches a selector (rundeck-plugins/kubernetes#76, #155)', async () => {
    const { cluster, namespace } = test();
    const following = follow({ select: 'selector', labelSelector: 'app=comes', tailLines: 1 });
    await sleep(600);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await cluster.api.create(pods, podManifest('comes', {}, { app: 'comes' }));
    await cluster.api.until(`${pods}/comes`, (pod) => JSON.stringify(pod ?? {}).includes('"Running"'));
    expect(await endAll('comes', following)).toMatchObject([{ pod: 'comes', ended: true }]);
  });
});

describe('a large log', () => {
  it.each(['text', 'lines'])(
    'is cut at a size, and the %s says so (kubernetes#122928, #36567, #11046; kubectl#1548)',
    async (output) => {
      await runPod(
        `large-${output}`,
        Array.from({ length: 40 }, () => 'x'.repeat(99)),
      );
      const parameters = { ...LOGS, name: named(`large-${output}`), output, options: { limitKiB: 1 } };
      const items = await outputOf({ credential: credential(), parameters });
      expect(items.map(({ truncated }) => truncated)).toEqual(
        output === 'text' ? [true] : [...Array<undefined>(10), true],
      );
    },
  );
});
