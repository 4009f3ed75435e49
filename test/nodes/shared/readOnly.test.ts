import { describe, expect, it } from '@jest/globals';
import { RESOURCE_DESCRIPTIONS } from '../../../nodes/Kubernetes/actions';
import { NODES } from '../../../nodes/catalog';
import { isRead, READ_ONLY_FIELD } from '../../../nodes/shared/readOnly';
import { execute, named } from '../testing/context';
import { useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const DELETE = { resource: 'pod', operation: 'delete', name: named('web-1') };
const FILLED_BY_AGENT = "={{ $fromAI('readOnly', '', 'boolean') }}";
const CHANGES = NODES.flatMap(({ resources }) => resources).flatMap((resource) =>
  resource.operations
    .filter((operation) => !isRead(operation))
    .map((operation) => [`${resource.name}: ${operation.name}`, resource.value, operation.value] as const),
);

/** What no agent may do by a node that is read only, whatever becomes of the rights of the operation. */
const NEVER = [
  ['pod', 'downloadFile'],
  ['pod', 'evict'],
  ['pod', 'execute'],
  ['pod', 'uploadFile'],
  ['node', 'drain'],
  ['any', 'apply'],
  ['any', 'delete'],
  ['component', 'install'],
  ['component', 'remove'],
  ['component', 'stop'],
] as const;

describe('Read Only', () => {
  it('lets these operations pass, and no others', () => {
    const reads = RESOURCE_DESCRIPTIONS.map(({ name, operations }) => [
      name,
      operations.filter(isRead).map((operation) => operation.name),
    ]);

    expect(Object.fromEntries(reads)).toEqual({
      Access: ['Review Rights', 'Who Am I'],
      'Any Resource': ['Get', 'Get Many', 'Diff', 'Wait', 'Get Events'],
      Cluster: ['Get API Resources', 'Get Health', 'Get Version'],
      ConfigMap: ['Get', 'Get Many'],
      CronJob: ['Get', 'Get Many'],
      DaemonSet: ['Get', 'Get Many', 'Get Rollout History', 'Get Rollout Status'],
      Deployment: ['Get', 'Get Many', 'Get Rollout History', 'Get Rollout Status'],
      Event: ['Get Many'],
      HorizontalPodAutoscaler: ['Get', 'Get Many'],
      Ingress: ['Get', 'Get Many'],
      Job: ['Get', 'Get Many', 'Wait'],
      Namespace: ['Get', 'Get Many'],
      Node: ['Get', 'Get Allocated Resources', 'Get Many', 'Get Pods', 'Get Usage'],
      PersistentVolumeClaim: ['Get', 'Get Many'],
      Pod: ['Get', 'Get Logs', 'Get Many', 'Get Usage', 'Wait'],
      Secret: ['Get', 'Get Many'],
      Service: ['Get', 'Get Many'],
      ServiceAccount: ['Get', 'Get Many'],
      StatefulSet: ['Get', 'Get Many', 'Get Rollout History', 'Get Rollout Status'],
    });
  });

  it('takes a connection to a container for a change although it begins with a GET', () => {
    const right = { verb: 'get', group: '', resource: 'pods' } as const;
    const operation = RESOURCE_DESCRIPTIONS.find(({ value }) => value === 'pod')?.operations[0];
    if (operation === undefined) throw new Error('the node has no operation on pods');

    expect(isRead({ ...operation, rights: [right] })).toBe(true);
    expect(isRead({ ...operation, rights: [right, { ...right, subresource: 'log' }] })).toBe(true);
    for (const subresource of ['attach', 'exec', 'portforward', 'proxy']) {
      expect(isRead({ ...operation, rights: [right, { ...right, subresource }] })).toBe(false);
    }
  });

  it('lets only Diff pass of what needs rights to write', () => {
    const operations = RESOURCE_DESCRIPTIONS.flatMap((resource) => resource.operations);

    expect(operations.filter(({ dryRunOnly }) => dryRunOnly).map(({ action }) => action)).toEqual([
      'Diff resources of any kind',
    ]);
  });

  it('offers no expression, so that the editor offers no button for an agent either', () => {
    expect(READ_ONLY_FIELD).toMatchObject({ type: 'boolean', default: false, noDataExpression: true });
  });

  it.each(CHANGES)('%s is refused before anything is sent', async (_name, resource, operation) => {
    const parameters = { resource, operation, readOnly: true };

    const [item] = await execute({ credential: api().credential(), parameters, onError: 'continueRegularOutput' });

    expect(item?.json.details).toMatchObject({ code: 'k8s_read_only' });
    expect(api().requests).toEqual([]);
  });

  it.each(NEVER)('%s: %s is a change', (resource, operation) => {
    expect(CHANGES.map(([, ...names]) => names)).toContainEqual([resource, operation]);
  });

  it('says which operation was refused and what to do, without asking for the credential', async () => {
    const running = execute({
      credential: async () => await Promise.reject(new Error('the credential was asked for')),
      parameters: { ...DELETE, readOnly: true },
    });

    await expect(running).rejects.toMatchObject({
      message: "'Delete pod' can change the cluster, and the node is read only",
      description: "Choose an operation that only reads, or switch 'Read Only' off in the node.\n\nCode: k8s_read_only",
      context: { code: 'k8s_read_only', itemIndex: 0 },
    });
  });

  it.each([
    ['an agent', FILLED_BY_AGENT],
    ['an expression', '={{ false }}'],
    ['a text', 'false'],
  ])('is not switched off by %s', async (_what, readOnly) => {
    const parameters = { ...DELETE, readOnly };
    const expressions = { [readOnly]: () => false };

    const running = execute({ credential: api().credential(), parameters, expressions });

    await expect(running).rejects.toMatchObject({
      context: { code: 'k8s_read_only' },
      description: expect.stringContaining('an expression counts as on'),
    });
    expect(api().requests).toEqual([]);
  });

  it('refuses the operation that an agent chose, and lets it choose one that reads', async () => {
    api().answer(() => ({ json: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web-1' } } }));
    const operation = "={{ $fromAI('operation') }}";
    const parameters = { resource: 'pod', operation, name: named('web-1'), readOnly: true };
    const run = async (chosen: string) =>
      await execute({
        credential: api().credential(),
        parameters,
        expressions: { [operation]: () => chosen },
        onError: 'continueRegularOutput',
      });

    const [refused] = await run('delete');
    const [read] = await run('get');

    expect(refused?.json.details).toMatchObject({ code: 'k8s_read_only' });
    expect(read?.json).toMatchObject({ name: 'web-1' });
    expect(api().requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('is off in workflows that were made before it was there', async () => {
    api().answer(() => ({ json: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web-1', uid: 'u-1' } } }));

    await execute({ credential: api().credential(), parameters: DELETE });

    expect(api().requests.map(({ method }) => method)).toContain('DELETE');
  });
});
