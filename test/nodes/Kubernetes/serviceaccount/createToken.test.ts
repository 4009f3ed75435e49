import { describe, expect, it } from '@jest/globals';
import { executionContext, execute, named } from '../../testing/context';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'serviceaccount', operation: 'createToken', name: named('web') };
const SECRET = 'eyJhbGciOiJSUzI1NiJ9.a-token-nobody-may-see.c2ln';
const ANSWER = {
  kind: 'TokenRequest',
  metadata: {},
  spec: { audiences: ['a'], expirationSeconds: 3600 },
  status: { token: SECRET, expirationTimestamp: '2026-01-01T01:00:00Z' },
};

describe('Create Token', () => {
  it('asks for no more than was said', async () => {
    api().answer(() => ({ status: 201, json: ANSWER }));
    await execute({ credential: api().credential(), parameters: PARAMETERS });
    expect(api().requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/namespaces/shop/serviceaccounts/web/token',
        body: { kind: 'TokenRequest', spec: { audiences: [], expirationSeconds: 3600 } },
      },
    ]);
    expect(JSON.stringify(api().requests[0]?.body)).not.toContain('boundObjectRef');
  });

  it('says that the cluster gives less than was asked for, without the token', async () => {
    api().answer(() => ({ status: 201, json: ANSWER }));
    const parameters = { ...PARAMETERS, durationSeconds: 86_400 };
    const context = executionContext({ credential: api().credential(), parameters });
    await new Kubernetes().execute.call(context);
    expect(context.notes).toEqual(['The cluster gives tokens for 3600 s at most']);
    expect(context.logged).toEqual([]);
  });

  it.each([
    ['of another shape', { ...ANSWER, status: { token: SECRET } }],
    ['without a token', { ...ANSWER, status: { expirationTimestamp: SECRET } }],
    ['that is none', { ...ANSWER, kind: 1 }],
  ])('shows nothing of an answer %s', async (_what, json) => {
    api().answer(() => ({ status: 201, json }));
    const [item] = await execute({
      credential: api().credential(),
      parameters: PARAMETERS,
      onError: 'continueRegularOutput',
    });
    expect(item?.json).toMatchObject({ details: { code: 'k8s_response_invalid' } });
    expect(JSON.stringify(item)).not.toContain('nobody-may-see');
  });

  it('is not asked for twice when nobody knows what came of it', async () => {
    api().answer(() => ({ drop: true }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      description: expect.stringMatching(/^Create another one/),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests).toHaveLength(1);
  });

  it.each([
    ['a time the API does not take', { durationSeconds: 599 }, "'Duration' must be a whole number, at least 600"],
    ['a time beyond all bounds', { durationSeconds: 4_294_967_297 }, "'Duration' must be a whole number"],
    ['a bound object without a name', { options: { boundKind: 'Pod' } }, "'Options > Bound Object Name' is empty"],
  ])('refuses %s before anything is sent', async (_what, given, message) => {
    const parameters = { ...PARAMETERS, ...given };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      context: { code: 'k8s_parameter_invalid' },
    });
    expect(api().requests).toEqual([]);
  });

  it('repeats nothing that was sent when it is refused', async () => {
    const message = 'TokenRequest "" is invalid: spec.audiences: Invalid value: "internal-audience": not known';
    api().answer(() => statusAnswer(422, 'Invalid', message));
    const parameters = { ...PARAMETERS, options: { audiences: ['internal-audience'] } };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      message: expect.not.stringContaining('internal-audience'),
      context: { code: 'k8s_invalid' },
    });
  });
});
