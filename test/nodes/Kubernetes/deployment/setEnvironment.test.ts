import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const SOURCES = { sources: { source: [{ kind: 'secret', name: 'login' }] } };
const PARAMETERS = { resource: 'deployment', operation: 'setEnvironment', name: named('web') };

function deployment(resourceVersion: string, envFrom: readonly object[] = []): object {
  const containers = [{ name: 'app', image: 'nginx:1', envFrom }];
  return {
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', generation: 1, resourceVersion },
    spec: { template: { spec: { containers } } },
  };
}

describe('Deployment: Set Environment, when somebody changes it in between', () => {
  it('reads it again, so that what the other one added stays', async () => {
    const other = { configMapRef: { name: 'other' } };
    let changed = false;
    api().answer(({ method }) => {
      if (method === 'GET') return { json: changed ? deployment('8', [other]) : deployment('7') };
      if (changed) return { json: deployment('9', [other, { secretRef: { name: 'login' } }]) };
      changed = true;
      return statusAnswer(409, 'Conflict', 'the object has been modified');
    });
    await outputOf({ credential: api().credential(), parameters: { ...PARAMETERS, ...SOURCES } });
    const patches = api().requests.filter(({ method }) => method === 'PATCH');
    expect(patches.map(({ body }) => body)).toEqual([
      body('7', [{ secretRef: { name: 'login' } }]),
      body('8', [other, { secretRef: { name: 'login' } }]),
    ]);
  });

  it('gives up after a few times', async () => {
    api().answer(({ method }) =>
      method === 'GET' ? { json: deployment('7') } : statusAnswer(409, 'Conflict', 'the object has been modified'),
    );
    const parameters = { ...PARAMETERS, ...SOURCES };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      context: { code: 'k8s_conflict' },
    });
    expect(api().requests.filter(({ method }) => method === 'PATCH')).toHaveLength(6);
  });

  it('needs no more than the name of a variable that has a value of its own', async () => {
    api().answer(() => ({ json: deployment('7') }));
    const parameters = { ...PARAMETERS, variables: { variable: [{ name: 'LEVEL', value: 'debug' }] } };
    await outputOf({ credential: api().credential(), parameters });
    const env = [{ name: 'LEVEL', value: 'debug', valueFrom: null }];
    expect(api().requests[1]?.body).toEqual({
      spec: { template: { spec: { containers: [{ name: 'app', env }] } } },
    });
  });
});

function body(resourceVersion: string, envFrom: readonly object[]): object {
  const containers = [{ name: 'app', env: [], envFrom }];
  return { metadata: { resourceVersion }, spec: { template: { spec: { containers } } } };
}
