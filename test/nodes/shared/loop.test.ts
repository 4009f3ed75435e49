import { describe, expect, it } from '@jest/globals';
import { type IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { execute, executionContext, named, outputOf } from '../testing/context';
import { Kubernetes } from '../../../nodes/Kubernetes/Kubernetes.node';
import { forbidden, statusAnswer, TOKEN, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const GET = { resource: 'pod', operation: 'get', name: named('={{ $json.pod }}') };
const POD = { '={{ $json.pod }}': (item: number) => `pod-${String(item)}` };

function codeOf({ details }: IDataObject): unknown {
  return (details as IDataObject | undefined)?.code;
}

function podOf(path: string): object {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: path.split('/').at(-1) } };
}

describe('the loop over the items', () => {
  it('pairs each object with its item, in order', async () => {
    api().answer(({ path }) => ({ json: podOf(path) }));
    const credential = api().credential();
    const items = await execute({ credential, parameters: GET, expressions: POD, items: [{}, {}, {}] });
    expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
      ['pod-0', { item: 0 }],
      ['pod-1', { item: 1 }],
      ['pod-2', { item: 2 }],
    ]);
  });

  it('tells once what the API server warns of', async () => {
    const headers = { warning: '299 - "v1 Pod is deprecated"' };
    api().answer(({ path }) => ({ json: podOf(path), headers }));
    const context = executionContext({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      items: [{}, {}],
    });
    await new Kubernetes().execute.call(context);
    expect(context.notes).toEqual(['The API server warns: v1 Pod is deprecated']);
  });

  it('gives one empty output for no items', async () => {
    const credential = api().credential();
    expect(await new Kubernetes().execute.call(executionContext({ credential, parameters: GET, items: [] }))).toEqual([
      [],
    ]);
    expect(api().requests).toEqual([]);
  });

  it('acts in the namespace of the credential when none is chosen, and in the chosen one', async () => {
    api().answer(({ path }) => ({ json: podOf(path) }));
    const credential = api().credential();
    await execute({ credential, parameters: GET, expressions: POD });
    await execute({ credential, parameters: { ...GET, namespace: named('other') }, expressions: POD });
    expect(api().requests.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/shop/pods/pod-0',
      '/api/v1/namespaces/other/pods/pod-0',
    ]);
  });

  it('stops at the first failed item and says which it was', async () => {
    api().answer(({ path }) => (path.endsWith('pod-1') ? undefined : { json: podOf(path) }));
    const credential = api().credential();
    const running = execute({ credential, parameters: GET, expressions: POD, items: [{}, {}, {}] });
    await expect(running).rejects.toBeInstanceOf(NodeApiError);
    await expect(running).rejects.toMatchObject({ context: { itemIndex: 1, code: 'k8s_not_found' } });
    expect(api().requests.some(({ path }) => path.endsWith('pod-2'))).toBe(false);
  });

  it('goes on with the next item when told to, and says what happened in the failed one', async () => {
    api().answer(({ path }) => (path.endsWith('pod-1') ? forbidden('get', 'pods', 'shop') : { json: podOf(path) }));
    const items = await execute({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      items: [{}, {}, {}],
      onError: 'continueRegularOutput',
    });
    expect(items.map(({ json }) => json.name ?? codeOf(json))).toEqual(['pod-0', 'k8s_forbidden', 'pod-2']);
    expect(items[1]).toEqual({
      json: {
        error: expect.stringContaining('pods'),
        details: expect.objectContaining({
          code: 'k8s_forbidden',
          httpCode: 403,
          description: expect.stringContaining('verbs: [get]'),
          verb: 'get',
          resource: 'pods',
          namespace: 'shop',
        }),
      },
      pairedItem: { item: 1 },
    });
  });

  it('gives the failed item the shape that n8n sends to the error output', async () => {
    const [item] = await execute({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      onError: 'continueErrorOutput',
    });
    expect(Object.keys(item?.json ?? {})).toEqual(['error', 'details']);
    expect(item?.json.details).toMatchObject({ code: 'k8s_not_found', httpCode: 404 });
    expect(item).not.toHaveProperty('error');
  });

  it('gives nothing of an item whose list breaks in the middle', async () => {
    const page = (names: readonly string[], token?: string) => ({
      json: {
        kind: 'PodList',
        metadata: { resourceVersion: '1', continue: token },
        items: names.map((name) => ({ metadata: { name } })),
      },
    });
    api().answer(({ query }) =>
      query.get('continue') === 'next' ? forbidden('list', 'pods', 'shop') : page(['a'], 'next'),
    );
    const parameters = { resource: 'pod', operation: 'getAll', returnAll: true };
    const items = await execute({ credential: api().credential(), parameters, onError: 'continueRegularOutput' });
    expect(items).toMatchObject([{ json: { details: { code: 'k8s_forbidden' } } }]);
  });

  it('ends when the execution is stopped, also when it should go on after failures', async () => {
    const stop = new AbortController();
    api().answer(({ path }) => {
      if (path.endsWith('pod-1')) stop.abort();
      return path.endsWith('pod-1') ? { hang: true } : { json: podOf(path) };
    });
    const running = execute({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      items: [{}, {}, {}],
      onError: 'continueRegularOutput',
      signal: stop.signal,
    });
    await expect(running).rejects.toMatchObject({ context: { itemIndex: 1, code: 'k8s_aborted' } });
    expect(api().requests).toHaveLength(2);
  });

  it('does not begin when the execution is stopped already', async () => {
    const running = execute({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      signal: AbortSignal.abort(),
    });
    await expect(running).rejects.toMatchObject({ context: { code: 'k8s_aborted' } });
    expect(api().requests).toEqual([]);
  });

  it.each([
    ['resource', { resource: 'nothing', operation: 'get' }],
    ['operation', { resource: 'pod', operation: 'nothing' }],
    ['operation of the prototype', { resource: 'pod', operation: 'constructor' }],
    ['resource of the prototype', { resource: '__proto__', operation: 'get' }],
  ])('says that a %s does not exist', async (_what, parameters) => {
    const credential = api().credential();
    const context = executionContext({ credential, parameters: GET, expressions: POD });
    const read = context.getNodeParameter.bind(context);
    const odd = (name: string, item: number, fallback?: unknown): unknown =>
      name in parameters ? parameters[name as keyof typeof parameters] : read(name, item, fallback);
    Object.assign(context, { getNodeParameter: odd });
    await expect(new Kubernetes().execute.call(context)).rejects.toMatchObject({
      message: "'Operation' is not one this node has",
      context: { code: 'k8s_parameter_invalid' },
    });
  });

  it('keeps the text of an expression that fails', async () => {
    const credential = api().credential();
    const error = new NodeOperationError(
      { ...executionContext({ credential, parameters: GET }).getNode() },
      'no such node',
    );
    const [item] = await execute({
      credential,
      parameters: GET,
      expressions: {
        '={{ $json.pod }}': () => {
          throw error;
        },
      },
      onError: 'continueRegularOutput',
    });
    expect(item?.json).toMatchObject({ error: 'no such node', details: { code: 'k8s_parameter_invalid' } });
  });

  it('shows no text of an error it does not know', async () => {
    const [item] = await execute({
      credential: api().credential(),
      parameters: GET,
      expressions: {
        '={{ $json.pod }}': () => {
          throw new TypeError(`secret ${TOKEN}`);
        },
      },
      onError: 'continueRegularOutput',
    });
    expect(item?.json).toMatchObject({
      error: 'The node met something it does not know (TypeError)',
      details: { code: 'k8s_internal', kind: 'TypeError', at: expect.stringMatching(/^loop\.test\.ts:\d+:\d+$/) },
    });
    expect(JSON.stringify(item)).not.toContain(TOKEN);
  });

  it('asks for the credential of each item, because it may hold expressions', async () => {
    api().answer(({ path }) => ({ json: podOf(path) }));
    let asked = 0;
    const credential = async () => {
      asked += 1;
      return await Promise.resolve(api().credential({ namespace: asked === 1 ? 'one' : 'two' }));
    };
    await execute({ credential, parameters: GET, expressions: POD, items: [{}, {}, {}] });
    expect(api().requests.map(({ path }) => path.split('/')[4])).toEqual(['one', 'two', 'two']);
  });
});

describe('answers of a hostile server', () => {
  it.each([
    [
      'no JSON',
      { text: '<html>', headers: { 'content-type': 'text/html' } },
      /^k8s_(not_kubernetes|response_invalid)$/,
    ],
    ['half of the JSON', { text: '{"kind":"Pod"' }, /^k8s_response_invalid$/],
    ['a list of numbers', { json: [1, 2] }, /^k8s_response_invalid$/],
    ['null', { text: 'null' }, /^k8s_response_invalid$/],
    ['a redirect', { status: 302, headers: { location: 'https://169.254.169.254/' } }, /^k8s_not_kubernetes$/],
    ['401', statusAnswer(401, 'Unauthorized', 'Unauthorized'), /^k8s_unauthorized$/],
    ['409', statusAnswer(409, 'Conflict', 'conflict'), /^k8s_conflict$/],
    ['410', statusAnswer(410, 'Expired', 'expired'), /^k8s_expired$/],
    ['422', statusAnswer(422, 'Invalid', 'invalid'), /^k8s_invalid$/],
  ])('%s becomes a clear error', async (_what, answer, code) => {
    api().answer(() => answer);
    const [item] = await execute({
      credential: api().credential(),
      parameters: GET,
      expressions: POD,
      onError: 'continueRegularOutput',
    });
    expect(codeOf(item?.json ?? {})).toMatch(code);
    expect(JSON.stringify(item)).not.toContain(TOKEN);
  });

  it('answers whose fields have wrong types become items all the same', async () => {
    api().answer(() => ({
      json: {
        kind: 'Pod',
        metadata: { name: 7, labels: 'x', ownerReferences: [null], creationTimestamp: {} },
        spec: { containers: { a: 1 }, nodeName: [] },
        status: { containerStatuses: [null, 1, { ready: 'yes', restartCount: 'many', state: 'odd' }], phase: 5 },
      },
    }));
    expect(await outputOf({ credential: api().credential(), parameters: GET, expressions: POD })).toEqual([
      { status: 'Unknown', ready: '0/0', restarts: 0, images: [], owner: '/', labels: {} },
    ]);
  });

  it.each([
    ['null', null],
    ['a number', 3],
    ['an object without metadata', {}],
  ])('a list that holds %s is refused', async (_what, entry) => {
    api().answer(() => ({ json: { kind: 'PodList', metadata: { resourceVersion: '1' }, items: [entry] } }));
    const parameters = { resource: 'pod', operation: 'getAll' };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
  });
});

describe('what n8n makes of the errors', () => {
  it('keeps our message when it holds a word that n8n replaces messages for', async () => {
    const parameters = { ...GET, namespace: named('pipelineaccess') };
    await expect(execute({ credential: api().credential(), parameters, expressions: POD })).rejects.toMatchObject({
      message: expect.stringContaining('pipelineaccess'),
    });
  });

  it('stores no cause, which might hold request headers', async () => {
    const error = await execute({ credential: api().credential(), parameters: GET, expressions: POD }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(NodeApiError);
    expect((error as Error).cause).toBeUndefined();
    expect(JSON.stringify(error)).not.toContain(TOKEN);
  });

  it('says how to get unstuck and gives the code in the description', async () => {
    await expect(execute({ credential: api().credential(), parameters: GET, expressions: POD })).rejects.toMatchObject({
      description: expect.stringMatching(/\.\n\nCode: k8s_not_found$/),
    });
  });

  it('keeps the lines of a Role to add where the editor shows HTML, and gives an agent the text alone', async () => {
    api().answer(() => forbidden('get', 'pods', 'shop'));
    const execution = { credential: api().credential(), parameters: GET, expressions: POD };

    await expect(execute(execution)).rejects.toMatchObject({
      description: expect.stringMatching(
        /^Grant it to [^]*<br>\n\u00a0{4}verbs: \[get\]<br>\n[^]*\n\nCode: k8s_forbidden$/,
      ),
    });
    await expect(execute({ ...execution, asTool: true })).rejects.toMatchObject({
      description: expect.stringMatching(/^Grant it to [^<]*\n {4}verbs: \[get\]\n[^<]*\n\nCode: k8s_forbidden$/),
    });
  });
});
