import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { deferred } from './deferred';
import { useCluster } from './jest';

jest.setTimeout(120_000);

const cluster = useCluster({ nodes: 1, exec: true });
const pod = { namespace: 'default', pod: 'talker', container: 'main' };
const log = `/api/v1/namespaces/default/pods/talker/log?container=main`;
const text = async (query = ''): Promise<string> => {
  const answer = await cluster().request('GET', `${log}${query}`);
  expect(answer.status).toBe(200);
  return answer.text;
};

beforeAll(async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const containers = ['main', 'side'].map((name) => ({ name, image: 'busybox' }));
  await cluster().api.create(pods, { metadata: { name: 'talker' }, spec: { containers } });
  await cluster().api.until<{ status?: { phase?: string } }>(
    `${pods}/talker`,
    (object) => object?.status?.phase === 'Running',
  );
});

describe('logs', () => {
  const at = (time: string, line: string): { time: Date; text: string } => ({ time: new Date(time), text: line });

  it('answer with a few lines where nothing else is set', async () => {
    const answer = await text();
    expect(answer.split('\n')).toHaveLength(21);
    expect(answer).toMatch(/^GET \/items\/1 200 0 ms\n/);
  });

  it('tail, since, timestamps, limit, previous, each container for itself', async () => {
    await cluster().logs.set(pod, {
      lines: [
        at('2026-03-01T10:00:00Z', 'one'),
        at('2026-03-01T10:00:01.5Z', 'two'),
        { ...at('2026-03-01T10:00:02Z', 'three: ä € 𝄞'), stream: 'stderr' },
      ],
      previous: [at('2026-03-01T09:00:00Z', 'before the crash')],
    });
    await cluster().logs.set({ ...pod, container: 'side' }, { lines: ['of the other container'] });
    expect(await text()).toBe('one\ntwo\nthree: ä € 𝄞\n');
    expect(await text('&tailLines=1')).toBe('three: ä € 𝄞\n');
    expect(await text('&sinceTime=2026-03-01T10:00:01Z')).toBe('two\nthree: ä € 𝄞\n');
    expect(await text('&sinceSeconds=1')).toBe('');
    expect(await text('&timestamps=true&tailLines=2')).toBe(
      '2026-03-01T10:00:01.500000000Z two\n2026-03-01T10:00:02.000000000Z three: ä € 𝄞\n',
    );
    expect(await text('&limitBytes=5')).toBe('one\nt');
    expect(await text('&previous=true')).toBe('before the crash\n');
    const side = await cluster().request('GET', log.replace('=main', '=side'));
    expect(side.text).toBe('of the other container\n');
  });

  it('can be followed', async () => {
    await cluster().logs.set(pod, { lines: ['old', 'last'] });
    const abort = new AbortController();
    const lines = cluster().api.lines(`${log}&follow=true&tailLines=1`, abort.signal);
    expect((await lines.next()).value).toBe('last');
    cluster().logs.append(pod, ['new', 'newer']);
    expect([(await lines.next()).value, (await lines.next()).value]).toEqual(['new', 'newer']);
    abort.abort();
    await expect(lines.next()).rejects.toThrow('aborted');
  });

  it('are refused without a container where there are several, and for a previous run that never was', async () => {
    const ambiguous = await cluster().request('GET', log.replace('container=main', ''));
    expect(ambiguous.status).toBe(400);
    expect(ambiguous.text).toContain('a container name must be specified for pod talker, choose one of: [main side]');
    const side = await cluster().request('GET', `${log.replace('=main', '=side')}&previous=true`);
    expect(side.status).toBe(400);
  });
});

describe('exec', () => {
  it('runs a command as a local process and hands its output on', async () => {
    const kubectl = cluster().kubectl(['exec', 'talker', '-c', 'main', '--', 'sh', '-c', 'echo hello; cat'], {
      stdin: '',
    });
    expect(await kubectl).toBe('hello\n');
    // kwok makes an internal error of an exit code; a kubelet would hand it on.
    const failing = cluster().kubectl(['exec', 'talker', '-c', 'main', '--', 'sh', '-c', 'echo no >&2; exit 3']);
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('exit status 3') });
  });
});

describe('the kubelet port', () => {
  it('is open on the loopback address only', async () => {
    const { status } = await cluster().api.get<{
      status: { daemonEndpoints: { kubeletEndpoint: { Port: number } } };
    }>('/api/v1/nodes/node-1');
    const port = status.daemonEndpoints.kubeletEndpoint.Port;
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    expect(await accepts('127.0.0.1', port)).toBe(true);
    for (const address of others) expect([address, await accepts(address, port)]).toEqual([address, false]);
  });
});

async function accepts(host: string, port: number): Promise<boolean> {
  const answer = deferred<boolean>();
  const socket = connect({ host, port });
  socket.once('connect', () => {
    answer.resolve(true);
  });
  socket.once('error', () => {
    answer.resolve(false);
  });
  const accepted = await answer.promise;
  socket.destroy();
  return accepted;
}
