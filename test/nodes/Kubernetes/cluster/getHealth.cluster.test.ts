import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('health');

describe('Cluster: Get Health and Get API Resources', () => {
  it('shows the checks of the API server to everybody', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace });
    const [health] = await outputOf({ credential, parameters: { resource: 'cluster', operation: 'getHealth' } });
    expect(health).toMatchObject({ ready: true, live: true, failed: [] });
    expect(health?.checks).toEqual(
      expect.arrayContaining([
        { name: 'etcd', ok: true },
        { name: 'poststarthook/rbac/bootstrap-roles', ok: true },
      ]),
    );
  });

  it('lists the kinds that kubectl lists', async () => {
    const { cluster, credential } = test();
    const parameters = { resource: 'cluster', operation: 'getApiResources' };
    const names = (list: readonly { name?: unknown; group?: unknown }[]): string[] =>
      list.map(({ name, group }) => [name, group].filter((part) => part !== '').join('.')).sort();
    for (const [scope, namespaced] of [
      ['namespace', 'true'],
      ['cluster', 'false'],
    ] as const) {
      const listed = await outputOf({ credential, parameters: { ...parameters, scope, options: { verb: 'list' } } });
      const args = ['api-resources', '-o', 'name', '--verbs=list', `--namespaced=${namespaced}`];
      expect(names(listed)).toEqual((await cluster.kubectl(args)).trim().split('\n').sort());
    }
    const batch = await outputOf({ credential, parameters: { ...parameters, options: { group: 'batch' } } });
    expect(batch).toMatchObject([
      { name: 'cronjobs', kind: 'CronJob', apiVersion: 'batch/v1', namespaced: true, shortNames: ['cj'] },
      { name: 'jobs' },
    ]);
    const core = await outputOf({ credential, parameters: { ...parameters, options: { group: 'core' } } });
    expect(core.every(({ group }) => group === '')).toBe(true);
  });
});
