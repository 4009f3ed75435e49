import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../../test/cluster/jest';
import { clusterClient } from '../../kube/testing/clusterClient';
import type { ApiResource, KubeApiError, KubeClient } from '../../kube';
import { CRD, installDefinition, type Definition } from '../testing/definition';
import { MINIMAL, SPEC_CASES } from '../testing/specs';
import { componentProblems } from './validate';

const cluster = sharedCluster();
let client: KubeClient;
let components: ApiResource;

beforeAll(async () => {
  client = clusterClient(cluster(), { namespace: await cluster().freshNamespace('components') });
  components = await installDefinition(client);
}, 120_000);

function component(name: string, spec: unknown): object {
  return { apiVersion: 'platform.navin.ai/v1alpha1', kind: 'ManagedComponent', metadata: { name }, spec };
}

async function refusal(name: string, spec: unknown): Promise<string | undefined> {
  try {
    await client.create(components, {}, component(name, spec), { dryRun: true });
    return undefined;
  } catch (error) {
    const { code, causes } = error as KubeApiError;
    expect(code).toBe('k8s_invalid');
    return causes.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`).join('\n');
  }
}

describe('the API server', () => {
  it('takes the definition as structural, without a word', async () => {
    const definitions = await client.resource('customresourcedefinitions.apiextensions.k8s.io');
    const crd = (await client.get(definitions, { name: CRD })) as Definition;
    expect(crd.status?.conditions?.map(({ type }) => type)).not.toContain('NonStructuralSchema');
    expect((await client.resource('mc')).plural).toBe('managedcomponents');
  });

  it.each(SPEC_CASES)(
    'and our own validation agree about $what',
    async ({ name = 'web', spec, path, message, here }) => {
      const words = await refusal(name, spec);
      const problems = componentProblems(component(name, spec));
      expect([words === undefined, problems.length === 0]).toEqual([
        message === undefined || here === true,
        message === undefined,
      ]);
      if (words === undefined || message === undefined) return;
      // What comes from a rule is said in the same words, what comes from a type is said at the same place.
      const said = words.includes(message) || (path !== undefined && words.includes(`${path}: `));
      expect([said, words]).toEqual([true, words]);
    },
  );

  it('fills in what is not said, shows the columns, and keeps status apart', async () => {
    const created = await client.create(
      components,
      {},
      { ...component('columns', MINIMAL), status: { state: 'started' } },
    );
    expect([created.spec, created.status]).toEqual([
      { ...MINIMAL, desiredState: 'Running', maintenance: false },
      undefined,
    ]);
    const status = {
      observedGeneration: 1,
      state: 'started',
      health: 'ok',
      operationState: 'succeeded',
      converged: true,
    };
    await client.replace(components, { name: 'columns', subresource: 'status' }, { ...created, status });
    const table = await cluster().kubectl(['get', 'mc', 'columns', '-n', created.metadata.namespace ?? '']);
    const [head, row] = table.split('\n').map((line) => line.trim().split(/\s{2,}/));
    expect([head, row?.slice(0, 5)]).toEqual([
      ['NAME', 'STATE', 'HEALTH', 'OPERATION', 'CONVERGED', 'AGE'],
      ['columns', 'started', 'ok', 'succeeded', 'true'],
    ]);
  });
});
