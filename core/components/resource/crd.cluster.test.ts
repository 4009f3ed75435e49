import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/cluster';
import { sharedCluster } from '../../../test/cluster/jest';
import { clusterClient } from '../../kube/testing/clusterClient';
import type { ApiResource, KubeApiError, KubeClient, KubeObject } from '../../kube';
import { MINIMAL, SPEC_CASES } from '../testing/specs';
import { componentCrd } from './crd';
import { componentProblems } from './validate';

const cluster = sharedCluster();
let client: KubeClient;
let components: ApiResource;

const CRD = 'managedcomponents.platform.navin.ai';

interface Crd extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

beforeAll(async () => {
  client = clusterClient(cluster(), { namespace: await cluster().freshNamespace('components') });
  const definitions = await client.resource('customresourcedefinitions.apiextensions.k8s.io');
  await client.patch(definitions, { name: CRD }, { type: 'apply', body: componentCrd(), force: true });
  await eventually(async () => {
    const { status } = (await client.get(definitions, { name: CRD })) as Crd;
    return status?.conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True') ?? false;
  }, 'the definition');
  components = await client.resource(CRD);
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
    const crd = (await client.get(definitions, { name: CRD })) as Crd;
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
