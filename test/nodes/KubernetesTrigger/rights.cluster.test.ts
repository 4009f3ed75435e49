import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ICredentialDataDecryptedObject, ITriggerResponse } from 'n8n-workflow';
import { CONDITION_SOURCES } from '../../../nodes/KubernetesTrigger/sources';
import { useTestCluster } from '../testing/cluster';
import { named, testConnection } from '../testing/context';
import { TriggerHost } from '../testing/triggerHost';

/** A YAML block of docs/permissions.md, exactly as it stands there. */
function block(name: string): string {
  const page = readFileSync(join(__dirname, '../../../docs/permissions.md'), 'utf8');
  const [, yaml] = new RegExp(`<!-- generated:${name} -->\\s+\`\`\`yaml\\n([^]*?)\`\`\``).exec(page) ?? [];
  if (yaml === undefined) throw new Error(`docs/permissions.md has no block ${name}`);
  return yaml;
}

const NAMESPACE = 'production';
const test = useTestCluster('trigger-rights');
const active: ITriggerResponse[] = [];

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(active.splice(0).map(async ({ closeFunction }) => await closeFunction?.()));
});

afterAll(async () => {
  const { cluster } = test();
  for (const name of ['trigger', 'trigger-cluster']) {
    await cluster.kubectl(['delete', '--ignore-not-found', '-f', '-'], { stdin: block(name) });
  }
});

async function credentialOfPage(): Promise<ICredentialDataDecryptedObject> {
  const { cluster } = test();
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/navin-trigger/token`;
  const answer = await cluster.api.create<{ status: { token: string } }>(path, { spec: { expirationSeconds: 3_600 } });
  const { token } = answer.status;
  return { authentication: 'token', apiServer: cluster.server, ca: cluster.caPem, token, namespace: NAMESPACE };
}

/** Everything the page says it is for. Secrets are not in it, and nodes only where it says so. */
const PARAMETERS = [
  ...Object.keys(CONDITION_SOURCES)
    .filter((name) => name !== 'certificateExpiring' && name !== 'nodeNotReady')
    .map((triggerOn) => ({ triggerOn })),
  { triggerOn: 'rolloutFinished', workload: 'statefulsets.apps' },
  { triggerOn: 'rolloutFinished', workload: 'daemonsets.apps' },
  { triggerOn: 'event' },
  { triggerOn: 'resource', resource: named('configmaps') },
];

describe('the Role of docs/permissions.md for the trigger', () => {
  it('is enough for all it is for, and the connection test agrees', async () => {
    const { cluster } = test();
    await cluster.namespace(NAMESPACE);
    await cluster.apply(block('trigger'));
    const credential = await credentialOfPage();
    for (const parameters of PARAMETERS) active.push(await new TriggerHost().activate({ parameters, credential }));
    expect(active).toHaveLength(PARAMETERS.length);
    expect(await testConnection({ ...credential, rightsToCheck: ['watch'] })).toMatchObject({ status: 'OK' });

    const host = new TriggerHost();
    const parameters = { triggerOn: 'resource', resource: named('configmaps'), options: { interval: 15, window: 15 } };
    active.push(await host.activate({ parameters, credential }));
    const configMaps = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
    await cluster.api.create(configMaps, { metadata: { name: 'told' } });
    expect((await host.until(1))[0]?.items[0]).toMatchObject({ type: 'added', name: 'told' });
    await cluster.api.delete(`${configMaps}/told`);
  });

  it('is needed: without it the activation names what is missing', async () => {
    const { cluster } = test();
    const credential = await credentialOfPage();
    await cluster.kubectl(['delete', 'rolebinding', 'navin-trigger', '-n', NAMESPACE]);
    for (const parameters of PARAMETERS) {
      await expect(new TriggerHost().activate({ parameters, credential })).rejects.toMatchObject({
        message: expect.stringMatching(/Missing: list \S+ in production; watch \S+ in production/),
        context: { code: 'k8s_forbidden' },
      });
    }
    expect(await testConnection({ ...credential, rightsToCheck: ['watch'] })).toMatchObject({ status: 'Error' });
    await cluster.apply(block('trigger'));
  });

  it('may be taken and given back: the trigger stays, reports it once, and then tells what it missed', async () => {
    const { cluster } = test();
    const credential = await credentialOfPage();
    const host = new TriggerHost();
    const parameters = { triggerOn: 'resource', resource: named('configmaps'), options: { interval: 15, window: 1 } };
    active.push(await host.activate({ parameters, credential }));
    const configMaps = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
    await cluster.kubectl(['delete', 'rolebinding', 'navin-trigger', '-n', NAMESPACE]);
    await cluster.api.create(configMaps, { metadata: { name: 'missed' } });
    expect((await host.untilFailure()).message).toMatch(
      /^The trigger is still active, but it could not watch the (cluster|namespace production) for .*configmaps/,
    );

    await cluster.apply(block('trigger'));
    const told = await host.until(1);
    expect(told.map(({ items }) => [items[0]?.type, items[0]?.name, items[0]?.gap])).toEqual([
      ['added', 'missed', false],
    ]);
    expect(host.failures).toHaveLength(1);
    await cluster.api.delete(`${configMaps}/missed`);
  });

  it('lets nobody watch Secrets, nodes or other namespaces', async () => {
    const credential = await credentialOfPage();
    const denied = [
      { triggerOn: 'certificateExpiring' },
      { triggerOn: 'nodeNotReady' },
      { triggerOn: 'podCrashLoop', namespace: named('default') },
      { triggerOn: 'podCrashLoop', namespace: named('*') },
    ];
    for (const parameters of denied) {
      await expect(new TriggerHost().activate({ parameters, credential })).rejects.toMatchObject({
        context: { code: 'k8s_forbidden' },
      });
    }
  });

  it('watches all namespaces, and nodes, with the ClusterRole', async () => {
    const { cluster } = test();
    await cluster.apply(block('trigger-cluster'));
    const credential = await credentialOfPage();
    const granted = [...PARAMETERS.map((parameters) => ({ ...parameters, namespace: named('*') }))];
    for (const parameters of [...granted, { triggerOn: 'nodeNotReady' }]) {
      active.push(await new TriggerHost().activate({ parameters, credential }));
    }
    expect(active).toHaveLength(granted.length + 1);
  });
});
