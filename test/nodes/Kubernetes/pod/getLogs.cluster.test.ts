import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-logs');
const SIDECAR = {
  containers: [
    { name: 'app', image: 'nginx:1' },
    { name: 'proxy', image: 'envoy:1' },
  ],
};

beforeAll(async () => {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest('single'));
  await cluster.api.create(pods, podManifest('double', SIDECAR));
  await cluster.api.create(pods, {
    ...podManifest('preferred', SIDECAR),
    metadata: { name: 'preferred', annotations: { 'kubectl.kubernetes.io/default-container': 'proxy' } },
  });
  for (const pod of ['single', 'double', 'preferred']) {
    await cluster.api.until(
      `${pods}/${pod}`,
      (object) => (object as { status?: { phase?: string } } | undefined)?.status?.phase === 'Running',
    );
  }
  await cluster.logs.set(
    { namespace, pod: 'single' },
    {
      lines: [
        { time: new Date('2026-01-31T12:00:00.5Z'), text: 'one' },
        { time: new Date('2026-01-31T12:00:01Z'), text: 'two words' },
        { time: new Date('2026-01-31T12:00:02Z'), text: 'three' },
      ],
      previous: ['before the restart'],
    },
  );
  await cluster.logs.set({ namespace, pod: 'double', container: 'app' }, { lines: ['of the app'] });
  await cluster.logs.set({ namespace, pod: 'double', container: 'proxy' }, { lines: ['of the proxy'] });
  await cluster.logs.set({ namespace, pod: 'preferred', container: 'proxy' }, { lines: ['of the proxy'] });
});

const PARAMETERS = { resource: 'pod', operation: 'getLogs', name: named('single') };

describe('Pod: Get Logs', () => {
  it('gives the log of the only container as one item', async () => {
    const { credential, namespace } = test();
    expect(await outputOf({ credential, parameters: PARAMETERS })).toEqual([
      { pod: 'single', namespace, container: 'app', logs: 'one\ntwo words\nthree\n', truncated: false },
    ]);
  });

  it('gives a log as a file, byte for byte, and what is followed, too', async () => {
    const { credential, namespace } = test();
    const files: Buffer[] = [];
    const prepareBinaryData = (data: Buffer, fileName: string, mimeType: string): Promise<IBinaryData> => {
      // Its memory is given back as soon as n8n has it.
      files.push(Buffer.from(data));
      return Promise.resolve({ data: 'stored elsewhere', fileName, mimeType });
    };
    const helpers = { prepareBinaryData } as unknown as IExecuteFunctions['helpers'];
    for (const options of [{}, { follow: true, followSeconds: 1 }]) {
      const parameters = { ...PARAMETERS, output: 'file', options };
      const [item] = await execute({ credential, helpers, parameters });
      expect(item?.json).toMatchObject({ pod: 'single', namespace, container: 'app', truncated: false });
      expect(item?.json).not.toHaveProperty('logs');
      expect(item?.binary).toEqual({
        data: { data: 'stored elsewhere', fileName: 'single_app.log', mimeType: 'text/plain' },
      });
    }
    expect(files.map(String)).toEqual(['one\ntwo words\nthree\n', 'one\ntwo words\nthree\n']);
  });

  it('gives one item a line', async () => {
    const { credential, namespace } = test();
    const about = { pod: 'single', namespace, container: 'app' };
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, output: 'lines', tailLines: 2 } })).toEqual([
      { ...about, line: 'two words' },
      { ...about, line: 'three' },
    ]);
  });

  it('gives no line for tail 0 and all for -1', async () => {
    const { credential } = test();
    const of = async (tailLines: number) =>
      await outputOf({ credential, parameters: { ...PARAMETERS, output: 'lines', tailLines } });
    expect(await of(0)).toEqual([]);
    expect(await of(-1)).toHaveLength(3);
  });

  it('puts the time of each line apart', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, output: 'lines', tailLines: 1, options: { timestamps: true } };
    const [line] = await outputOf({ credential, parameters });
    expect(line).toMatchObject({ line: 'three' });
    expect(Date.parse(line?.time as string)).toBe(Date.parse('2026-01-31T12:00:02Z'));
  });

  it('reads only what is newer than a time', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { sinceTime: '2026-01-31T13:00:01+01:00' } };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ logs: 'two words\nthree\n' }]);
  });

  it('does not choose between two times to begin at', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { sinceTime: '2026-01-31T12:00:00Z', sinceSeconds: 5 } };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });

  it('reads the run before the last restart', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, options: { previous: true } };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ logs: 'before the restart\n' }]);
  });

  it('reads the container that is named', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('double'), container: named('proxy') };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ container: 'proxy', logs: 'of the proxy\n' }]);
  });

  // rundeck-plugins/kubernetes#59
  it('reads the default container the pod names', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('preferred') };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ container: 'proxy', logs: 'of the proxy\n' }]);
  });

  it('reads all containers, each as an item', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('double'), options: { allContainers: true } };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { container: 'app', logs: 'of the app\n' },
      { container: 'proxy', logs: 'of the proxy\n' },
    ]);
  });

  // rundeck-plugins/kubernetes#59
  it.each([
    ['none is chosen of several', {}],
    ['there is no such container', { container: named('db') }],
  ])('names the containers when %s', async (_what, chosen) => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('double'), ...chosen };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      description: expect.stringMatching(/app.*proxy/s),
      context: { itemIndex: 0, code: 'k8s_parameter_invalid' },
    });
  });
});
