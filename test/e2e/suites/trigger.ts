import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../cluster';
import type { StoredWorkflow, Workflow } from '../n8n';
import { CREDENTIAL_TYPE, kubeconfigCredential } from '../package';
import { AT_ONCE, configMapIn, triggered } from '../triggered';
import { byName, SHOP, type World } from '../world';

/** Longest that an event may take to become an execution: the first look comes within the interval. The machine may be busy. */
const EVENT_TIMEOUT_MS = 120_000;

/** What an execution was started with and how it went, as a line that tests compare. */
interface Line {
  readonly name: string;
  readonly status: string;
  readonly gap: boolean;
}

/** The trigger in a real n8n. What n8n has in its database decides: one row for each event. */
export function trigger(world: () => World): void {
  const configMaps = `/api/v1/namespaces/${SHOP}/configmaps`;
  const watchConfigMaps = (part: string): Readonly<Record<string, unknown>> => ({
    triggerOn: 'resource',
    resource: byName('configmaps'),
    changes: ['added'],
    options: { ...AT_ONCE, labelSelector: `part=${part}` },
  });
  const create = async (part: string, numbers: readonly number[]): Promise<readonly string[]> => {
    const names = numbers.map((number) => `${part}-${String(number).padStart(2, '0')}`);
    for (const name of names) await world().cluster.api.create(configMaps, { metadata: { name, labels: { part } } });
    return names;
  };

  const publish = async (workflow: Workflow): Promise<StoredWorkflow> => {
    const stored = await world().n8n.addWorkflow(workflow);
    await world().n8n.publish(stored);
    return stored;
  };

  /** The executions of a workflow by name of the object: n8n gives rows of one tick their ids in any order. */
  const lines = async (workflow: StoredWorkflow): Promise<readonly Line[]> => {
    const { n8n } = world();
    const rows = await n8n.executionsOf(workflow);
    const all = await Promise.all(
      rows.map(async ({ id, status }) => ({ status, ...configMapIn(await n8n.storedExecution(id)) })),
    );
    return all.sort((left, right) => left.name.localeCompare(right.name));
  };

  const until = async (workflow: StoredWorkflow, count: number): Promise<readonly Line[]> => {
    let seen: readonly Line[] = [];
    const look = async (): Promise<boolean> => {
      const rows = await world().n8n.executionsOf(workflow);
      if (rows.length < count || rows.some(({ status }) => status === 'new' || status === 'running')) return false;
      seen = await lines(workflow);
      return true;
    };
    await eventually(look, `${String(count)} executions of "${workflow.name}"`, EVENT_TIMEOUT_MS);
    return seen;
  };

  const restart = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await world().n8n.kill();
    await world().n8n.startAgain(env);
  };

  /** The executions of a workflow that began, by the log of n8n: also where no row is left. */
  const begun = ({ id }: StoredWorkflow): readonly string[] =>
    world()
      .n8n.logs()
      .split('\n')
      .filter((line) => line.includes('"eventName":"n8n.workflow.started"') && line.includes(`"workflowId":"${id}"`))
      .map((line) => /"executionId":"(\d+)"/.exec(line)?.[1] ?? line);
  const runs = (workflow: StoredWorkflow): number => begun(workflow).length;

  const succeeded = (names: readonly string[]): readonly Line[] =>
    names.map((name) => ({ name, status: 'success', gap: false }));

  describe('an active trigger', () => {
    it('starts one execution for each event, and none for what was there', async () => {
      await create('each', [0]);
      const workflow = await publish(triggered(world(), 'each', watchConfigMaps('each')));
      const names = await create('each', [1, 2, 3]);

      expect(await until(workflow, 3)).toEqual(succeeded(names));
      await world().n8n.unpublish(workflow);
      const missed = await create('each', [4]);
      await world().n8n.publish(workflow);
      expect(await until(workflow, 4)).toEqual(succeeded([...names, ...missed]));
      await world().n8n.unpublish(workflow);
    });

    it('gives the editor a sample that starts nothing else', async () => {
      const stored = await world().n8n.addWorkflow(triggered(world(), 'sample', watchConfigMaps('each')));
      const execution = await world().n8n.run(stored, 'When it changes');

      expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
      const items = execution.items('When it changes');
      expect(items.map(({ json }) => [json.sample, json.type, json.name])).toEqual([[true, 'added', 'each-00']]);
    });

    it('does not activate without its rights, and says which', async () => {
      const { cluster, n8n } = world();
      const reader = await cluster.serviceAccount({ namespace: SHOP });
      const data = kubeconfigCredential(cluster.server, reader.kubeconfig);
      const credential = await n8n.addCredential('no rights', CREDENTIAL_TYPE, data);
      const stored = await n8n.addWorkflow(triggered({ credential }, 'no rights', { triggerOn: 'podCrashLoop' }));
      await n8n.rest('POST', `/rest/workflows/${stored.id}/activate`, { versionId: stored.versionId }).catch(String);

      let status = '';
      const failed = async (): Promise<boolean> => {
        status = JSON.stringify(await n8n.rest('GET', `/rest/workflows/${stored.id}/publication-status`));
        return status.includes('Missing: ');
      };
      await eventually(failed, 'the failed activation', EVENT_TIMEOUT_MS, () => status);
      expect(status).toContain(`Missing: list pods in ${SHOP}; watch pods in ${SHOP}.`);
      expect(status).toContain('verbs: [list, watch]');
      await n8n.unpublish(stored);
    });

    it('goes on with a token that is exchanged in the credential, also one that an expression gives', async () => {
      const { cluster, n8n } = world();
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
      const [old, fresh] = await Promise.all(
        ['old', 'fresh'].map((name) => cluster.serviceAccount({ namespace: SHOP, name: `exchanged-${name}`, rules })),
      );
      const data = (token = ''): Readonly<Record<string, unknown>> => ({
        authentication: 'token',
        apiServer: cluster.server,
        ca: cluster.caPem,
        token: `={{ "${token}" }}`,
        namespace: SHOP,
        rightsToCheck: [],
      });
      const credential = await n8n.addCredential('exchanged', CREDENTIAL_TYPE, data(old?.token));
      // A watch that is open goes on with the token it began with: short ones.
      const options = { interval: 15, window: 1, labelSelector: 'part=exchanged' };
      const parameters = { ...watchConfigMaps('exchanged'), options };
      const workflow = await publish(triggered({ credential }, 'exchanged', parameters));
      const names = [...(await create('exchanged', [1]))];
      await until(workflow, 1);
      await cluster.api.delete(`/api/v1/namespaces/${SHOP}/serviceaccounts/${old?.name ?? ''}`);
      const exchanged = { name: credential.name, type: CREDENTIAL_TYPE, data: data(fresh?.token) };
      await n8n.rest('PATCH', `/rest/credentials/${credential.id ?? ''}`, exchanged);
      const watches = (): boolean =>
        cluster
          .auditEvents()
          .some(
            ({ verb, user }) => verb === 'watch' && user.username === `system:serviceaccount:${SHOP}:exchanged-fresh`,
          );
      await eventually(watches, 'a watch by the new account', EVENT_TIMEOUT_MS);
      names.push(...(await create('exchanged', [2])));

      // A failed execution may tell that the old token was refused for a while.
      const seen = async (): Promise<readonly Line[]> =>
        (await lines(workflow)).filter(({ name }) => name !== 'nothing');
      await eventually(async () => (await seen()).length === 2, 'the second execution', EVENT_TIMEOUT_MS);
      expect(await seen()).toEqual(succeeded(names));
      await n8n.unpublish(workflow);
    });

    it('runs each event once where successes are not saved, and beside a Code node with static data of its own', async () => {
      const settings = { saveDataSuccessExecution: 'none' };
      const unsaved = await publish(triggered(world(), 'unsaved', watchConfigMaps('unsaved'), { settings }));
      const after = {
        type: 'n8n-nodes-base.code',
        typeVersion: 2,
        parameters: {
          jsCode:
            "const data = $getWorkflowStaticData('global');\ndata.count = (data.count ?? 0) + 1;\nreturn $input.all();",
        },
      };
      const code = await publish(triggered(world(), 'code', watchConfigMaps('code'), { after }));
      await create('unsaved', [1, 2, 3]);
      const names: string[] = [];
      for (const number of [1, 2, 3]) {
        names.push(...(await create('code', [number])));
        await until(code, number);
      }
      await eventually(() => runs(unsaved) === 3, 'three runs', EVENT_TIMEOUT_MS);
      await restart();
      names.push(...(await create('code', [4])));
      await create('unsaved', [4]);

      expect(await until(code, 4)).toEqual(succeeded(names));
      await eventually(() => runs(unsaved) >= 4, 'the fourth run', EVENT_TIMEOUT_MS);
      expect(runs(unsaved)).toBe(4);
      await world().n8n.unpublish(code);
      await world().n8n.unpublish(unsaved);
    });

    it('gives each event exactly one row when n8n is killed in a burst, and runs nothing again that it broke off', async () => {
      // It takes its time: some executions are surely under way when n8n is killed.
      const after = {
        type: 'n8n-nodes-base.wait',
        typeVersion: 1.1,
        parameters: { resume: 'timeInterval', amount: 5, unit: 'seconds' },
      };
      const workflow = await publish(triggered(world(), 'burst', watchConfigMaps('burst'), { after }));
      const numbers = Array.from({ length: 60 }, (_, index) => index);
      const creating = create('burst', numbers);
      const some = async (): Promise<boolean> =>
        (await world().n8n.executionsOf(workflow)).filter(({ status }) => status === 'running').length >= 5;
      await eventually(some, 'executions under way', EVENT_TIMEOUT_MS);
      await restart();
      const names = await creating;
      const last = await create('burst', [99]);

      const seen = await until(workflow, 61);
      expect(seen.map(({ name }) => name)).toEqual([...names, ...last]);
      expect([...new Set(seen.map(({ status }) => status))].sort()).toEqual(['crashed', 'success']);
      expect(begun(workflow)).toEqual([...new Set(begun(workflow))]);
      await world().n8n.unpublish(workflow);
    });

    it('finds what happened while it was down for longer than the cluster remembers, and says so', async () => {
      const { cluster, n8n } = world();
      const workflow = await publish(triggered(world(), 'gap', watchConfigMaps('gap')));
      const before = await create('gap', [1]);
      await until(workflow, 1);
      const { metadata } = await cluster.api.get(`${configMaps}/gap-01`);
      await n8n.kill();
      const missed = await create('gap', [2, 3]);
      // The history is compacted every second; a new API server has no other.
      await eventually(
        async () => {
          await cluster.api.patch(`${configMaps}/gap-03`, { data: { at: String(Date.now()) } });
          const from = `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`;
          if ((await cluster.request('GET', from)).text.includes('"code":410')) return true;
          await cluster.restartApiServer();
          return false;
        },
        'the end of the history',
        EVENT_TIMEOUT_MS,
      );
      await n8n.startAgain();

      expect(await until(workflow, 3)).toEqual([
        ...succeeded(before),
        ...missed.map((name) => ({ name, status: 'success', gap: true })),
      ]);
      await n8n.unpublish(workflow);
    });

    it('loses nothing when n8n runs one execution at a time', async () => {
      await restart({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
      const workflow = await publish(triggered(world(), 'narrow', watchConfigMaps('narrow')));
      const names = await create('narrow', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

      expect(await until(workflow, 10)).toEqual(succeeded(names));
      await world().n8n.unpublish(workflow);
    });

    it('is active although the cluster is down when n8n starts, and works when it is back', async () => {
      const { cluster, n8n } = world();
      const workflow = await publish(triggered(world(), 'down', watchConfigMaps('down')));
      await n8n.kill();
      await cluster.killApiServer();
      await n8n.startAgain();
      // The first thing a trigger does in a new process is to look up whom it may connect to, and this is logged.
      await eventually(
        () => n8n.lastLog(3).includes('NAVIN_DEV_API_SERVER admits'),
        'the activation',
        EVENT_TIMEOUT_MS,
      );
      await cluster.startApiServer();
      const [name] = await create('down', [1]);

      // Whether it is told as a gap depends on how much of its history the new API server still knows.
      expect(await until(workflow, 1)).toEqual([expect.objectContaining({ name, status: 'success' })]);
      await n8n.unpublish(workflow);
    });
  });
}
