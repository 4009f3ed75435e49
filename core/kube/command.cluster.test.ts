import { beforeAll, describe, expect, it } from '@jest/globals';
import { useCluster } from '../../test/cluster/jest';
import type { KubeClient } from './client';
import type { CommandOptions } from './command';
import { clusterClient } from './testing/clusterClient';
import { errorOf } from './testing/faultClient';

const cluster = useCluster({ nodes: 1, exec: true });
let client: KubeClient;
let namespace: string;

beforeAll(async () => {
  client = clusterClient(cluster());
  namespace = await cluster().freshNamespace('command');
  await cluster().api.create(`/api/v1/namespaces/${namespace}/pods`, {
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'app', image: 'nginx:1' }] },
  });
  await cluster().api.until(`/api/v1/namespaces/${namespace}/pods/web`, (pod) =>
    JSON.stringify(pod ?? {}).includes('"Running"'),
  );
}, 120_000);

async function run(command: readonly string[], options: Partial<CommandOptions> = {}): Promise<string> {
  const output: Buffer[] = [];
  const { exitCode } = await client.run(
    { namespace, name: 'web' },
    {
      container: 'app',
      command,
      timeoutMs: 30_000,
      stdout: (bytes) => output.push(bytes),
      stderr: () => undefined,
      ...options,
    },
  );
  expect(exitCode).toBe(0);
  return Buffer.concat(output).toString('utf8');
}

describe('a command through a real API server', () => {
  it('gives its output', async () => {
    expect(await run(['echo', 'a b', '$HOME'])).toBe('a b $HOME\n');
  });

  it('reads its stdin', async () => {
    // kwok hands stdin on but not its end: a command that reads to the end would wait on.
    const stdin = Buffer.from('line\n'.repeat(20_000));
    expect(await run(['head', '-c', '100000'], { stdin })).toBe(stdin.toString());
  });

  it('says that there is no such Pod or container', async () => {
    const elsewhere = errorOf(
      client.run(
        { namespace, name: 'none' },
        { container: 'app', command: ['ls'], timeoutMs: 1_000, stdout: () => undefined, stderr: () => undefined },
      ),
    );
    expect(await elsewhere).toMatchObject({ code: 'k8s_not_found' });
    expect(await errorOf(run(['ls'], { container: 'none' }))).toMatchObject({ httpStatus: 400 });
  });

  it('ends when its time is over', async () => {
    expect(await errorOf(run(['sleep', '5'], { timeoutMs: 500 }))).toMatchObject({ code: 'k8s_wait_failed' });
  });
});
