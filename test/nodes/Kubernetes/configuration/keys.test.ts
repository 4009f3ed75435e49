import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const VALUE = 'hunter-2-hunter';
const ENCODED = Buffer.from(VALUE).toString('base64');
const SECRET = { kind: 'Secret', metadata: { name: 'login', namespace: 'shop' }, data: { old: ENCODED } };
const PARAMETERS = {
  resource: 'secret',
  operation: 'setKeys',
  name: named('login'),
  keys: { entry: [{ key: 'password', value: VALUE }] },
};

async function failure(parameters: object = PARAMETERS): Promise<string> {
  const error: unknown = await execute({ credential: api().credential(), parameters: { ...parameters } }).catch(
    (caught: unknown) => caught,
  );
  const { message, description, context } = error as { message: string; description: string; context: unknown };
  return JSON.stringify({ message, description, context, stack: (error as Error).stack });
}

describe('Secret: Set Keys, when things go wrong', () => {
  it.each([
    ['a refusal', 422, 'Invalid'],
    ['a webhook', 400, 'BadRequest'],
    ['a fault', 500, 'InternalError'],
  ])('shows no value when %s repeats it', async (_name, code, reason) => {
    api().answer(({ method }) =>
      method === 'GET'
        ? { json: SECRET }
        : statusAnswer(
            code,
            reason,
            `Secret "login" is invalid: data[password]: Invalid value: "${VALUE}" ${ENCODED}`,
            {
              causes: [{ reason: 'FieldValueInvalid', field: 'data[password]', message: `${VALUE} ${ENCODED}` }],
            },
          ),
    );
    const text = await failure();
    expect(text).toContain('login');
    expect(text).not.toContain(VALUE);
    expect(text).not.toContain(ENCODED);
  });

  it('does not write twice when the answer is lost, and says so', async () => {
    api().answer(({ method }) => (method === 'GET' ? { json: SECRET } : { drop: true }));
    expect(await failure()).toContain('k8s_outcome_unknown');
    expect(api().requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
  });

  it('merges into one that somebody made in between', async () => {
    let looks = 0;
    api().answer(({ method }) => {
      if (method === 'POST') return statusAnswer(409, 'AlreadyExists', 'exists', { name: 'login', kind: 'secrets' });
      if (method === 'PATCH') return { json: { ...SECRET, data: { old: ENCODED, password: ENCODED } } };
      looks += 1;
      return looks === 1 ? undefined : { json: SECRET };
    });
    const parameters = { ...PARAMETERS, options: { create: true } };
    expect(await outputOf({ credential: api().credential(), parameters })).toEqual([
      {
        name: 'login',
        namespace: 'shop',
        created: false,
        changed: ['password'],
        unchanged: [],
        keys: ['old', 'password'],
      },
    ]);
    expect(api().requests.at(-1)?.body).toEqual({ data: { password: ENCODED } });
  });

  it('does not make one in a namespace that is not there', async () => {
    api().answer(() =>
      statusAnswer(404, 'NotFound', 'namespaces "shop" not found', { name: 'shop', kind: 'namespaces' }),
    );
    expect(await failure({ ...PARAMETERS, options: { create: true } })).toContain('k8s_not_found');
    expect(api().requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
