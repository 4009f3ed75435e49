import { describe, expect, it } from '@jest/globals';
import { execute, named } from '../../testing/context';
import { forbidden, statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'deployment', operation: 'setImage', name: named('web'), image: 'nginx:2' };
const DEPLOYMENT = {
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: { spec: { containers: [{ name: 'app', image: 'nginx:1' }] } } },
};

describe('Deployment: Set Image, when things go wrong', () => {
  it('tests the name of the container in the same patch', async () => {
    api().answer(() => ({ json: DEPLOYMENT }));
    await execute({ credential: api().credential(), parameters: PARAMETERS });
    expect(api().requests[1]).toMatchObject({
      method: 'PATCH',
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'app' },
        { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' },
      ],
    });
  });

  it('says that the containers were changed in between and that nothing was done', async () => {
    const failed = statusAnswer(422, 'Invalid', 'the server rejected our request due to an error in our request');
    api().answer(({ method }) => (method === 'GET' ? { json: DEPLOYMENT } : failed));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      message: 'The containers of the Deployment web were changed in between',
      context: { code: 'k8s_conflict' },
    });
  });

  it('keeps a refusal that names a field', async () => {
    const causes = [
      { reason: 'FieldValueInvalid', field: 'spec.template.spec.containers[0].image', message: 'Invalid value' },
    ];
    const refused = statusAnswer(422, 'Invalid', 'Deployment.apps "web" is invalid', { name: 'web', causes });
    api().answer(({ method }) => (method === 'GET' ? { json: DEPLOYMENT } : refused));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      httpCode: '422',
      context: { code: 'k8s_invalid' },
    });
  });

  it('changes nothing when the deployment may not be read', async () => {
    api().answer(() => forbidden('get', 'deployments', 'shop'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_forbidden' },
    });
    expect(api().requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
