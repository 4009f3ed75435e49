import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('job-create');

async function specOf(name: string): Promise<Record<string, unknown>> {
  const { cluster, namespace } = test();
  return (await cluster.api.get(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)).spec as Record<string, unknown>;
}

const FIELDS = { resource: 'job', operation: 'create', name: 'report', image: 'busybox:1' };
const MANIFEST = { resource: 'job', operation: 'create', definition: 'manifest' };

describe('Job: Create from fields', () => {
  it('starts a job of one container', async () => {
    const { credential, namespace } = test();
    const parameters = {
      ...FIELDS,
      command: ['sh', '-c'],
      args: ['echo "$WHO: yes"'],
      environment: { variable: [{ name: 'WHO', value: 'world' }] },
      options: {
        backoffLimit: 0,
        ttlSecondsAfterFinished: 3600,
        activeDeadlineSeconds: 60,
        restartPolicy: 'OnFailure',
        serviceAccountName: 'default',
        labels: { label: [{ key: 'team', value: 'a' }] },
      },
    };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'report',
        namespace,
        status: 'Running',
        active: 0,
        succeeded: 0,
        failed: 0,
        createdAt: expect.any(String),
        labels: { team: 'a' },
      },
    ]);
    expect(await specOf('report')).toMatchObject({
      backoffLimit: 0,
      ttlSecondsAfterFinished: 3600,
      activeDeadlineSeconds: 60,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          restartPolicy: 'OnFailure',
          serviceAccountName: 'default',
          containers: [
            {
              image: 'busybox:1',
              command: ['sh', '-c'],
              args: ['echo "$WHO: yes"'],
              env: [{ name: 'WHO', value: 'world' }],
            },
          ],
        },
      },
    });
  });

  it('lets Kubernetes make the name', async () => {
    const { credential } = test();
    const parameters = { ...FIELDS, name: 'nightly-', options: { generateName: true } };
    const created = await outputOf({ credential, parameters, items: [{}, {}] });
    expect(created).toMatchObject([{ name: expect.stringMatching(/^nightly-\w{5}$/) }, {}]);
    expect(created[0]?.name).not.toBe(created[1]?.name);
  });

  it('says that the job exists already', async () => {
    const { credential } = test();
    const parameters = { ...FIELDS, name: 'twice' };
    await execute({ credential, parameters });
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      httpCode: '409',
      context: { code: 'k8s_already_exists', itemIndex: 0 },
    });
  });

  it.each([
    ['an empty name', { name: ' ' }, "'Name' is empty"],
    ['a name of 64 characters', { name: 'x'.repeat(64) }, "'Name' is longer than 63 characters"],
    [
      'a prefix of 59 characters',
      { name: 'x'.repeat(59), options: { generateName: true } },
      "'Name' is longer than 58 characters",
    ],
    [
      'a name in upper case',
      { name: 'Report' },
      "'Name' may hold lower case letters, digits, - and ., and must begin and end with a letter or digit",
    ],
    [
      'a name that ends with -',
      { name: 'report-' },
      "'Name' may hold lower case letters, digits, - and ., and must begin and end with a letter or digit",
    ],
    ['no image', { image: '' }, "'Image' is empty"],
    [
      'a negative backoff limit',
      { options: { backoffLimit: -1 } },
      "'Options > Backoff Limit' must be a whole number, at least 0, at most 1000",
    ],
    ['a command that is no list', { command: 'sh -c true' }, "'Command' must be a list, not a text"],
  ])('refuses %s', async (_what, given, message) => {
    const { credential } = test();
    await expect(execute({ credential, parameters: { ...FIELDS, ...given } })).rejects.toMatchObject({
      message,
      context: { code: 'k8s_parameter_invalid', itemIndex: 0 },
    });
  });

  it('takes a name of 63 characters', async () => {
    const { credential } = test();
    const parameters = { ...FIELDS, name: 'x'.repeat(63) };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'x'.repeat(63) }]);
  });

  it('names the field the server refuses', async () => {
    const { credential } = test();
    const labels = { label: [{ key: 'team', value: 'not a label value!' }] };
    await expect(execute({ credential, parameters: { ...FIELDS, options: { labels } } })).rejects.toMatchObject({
      httpCode: '422',
      message: expect.stringContaining('labels'),
      context: { code: 'k8s_invalid' },
    });
  });
});

describe('Job: Create from a manifest', () => {
  const yaml = (name: string, more = ''): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}${more}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1
          args: ["12:30", yes, 0644]
`;

  it('creates the job as it is written, read as kubectl reads it', async () => {
    const { credential } = test();
    const manifest = yaml('from-yaml').replace('yes, 0644', '"yes", "0644"');
    expect(await outputOf({ credential, parameters: { ...MANIFEST, manifest } })).toMatchObject([
      { name: 'from-yaml' },
    ]);
    expect(await specOf('from-yaml')).toMatchObject({
      template: { spec: { containers: [{ args: ['12:30', 'yes', '0644'] }] } },
    });
  });

  it('takes JSON', async () => {
    const { credential } = test();
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox:1' }] } } };
    const manifest = JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'json-' }, spec });
    const [job] = await outputOf({ credential, parameters: { ...MANIFEST, manifest } });
    expect(job?.name).toMatch(/^json-\w{5}$/);
  });

  it('takes the namespace that is chosen when it is the same', async () => {
    const { credential, namespace } = test();
    const manifest = yaml('same-place', `\n  namespace: ${namespace}`).replace('yes, 0644', '"1"');
    const parameters = { ...MANIFEST, manifest, namespace: named(namespace) };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'same-place', namespace }]);
  });

  it('names the field whose type is wrong, as kubectl does', async () => {
    const { credential } = test();
    await expect(execute({ credential, parameters: { ...MANIFEST, manifest: yaml('typed') } })).rejects.toMatchObject({
      httpCode: '400',
      context: { itemIndex: 0 },
    });
  });

  it('refuses a field that does not exist instead of dropping it', async () => {
    const { credential } = test();
    const manifest = yaml('typo').replace('backoffLimit', 'backofLimit').replace('yes, 0644', '"1"');
    await expect(execute({ credential, parameters: { ...MANIFEST, manifest } })).rejects.toMatchObject({
      httpCode: '400',
      message: expect.stringContaining('backofLimit'),
    });
  });

  it.each([
    ['nothing', '  ', "'Manifest' is empty"],
    ['only a comment', '# nothing', "'Manifest' is empty"],
    ['two documents', `${yaml('a')}---\n${yaml('b')}`, "'Manifest' holds several documents; give one for each item"],
    ['a list', '- 1', "'Manifest' is not an object"],
    ['another kind', yaml('a').replace('Job', 'Pod'), "'Manifest' must be of kind Job"],
    ['another version', yaml('a').replace('batch/v1', 'batch/v1beta1'), "'Manifest' must have apiVersion batch/v1"],
    ['no metadata', 'apiVersion: batch/v1\nkind: Job\nspec: {}', "'Manifest' has no metadata"],
    ['no spec', 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}', "'Manifest' has no spec"],
    ['no name', yaml('""'), "'Manifest' has neither metadata.name nor metadata.generateName"],
    ['a long name', yaml('x'.repeat(64)), "'Manifest' has a metadata.name longer than 63 characters"],
    [
      'another namespace',
      yaml('a', '\n  namespace: kube-system'),
      "The namespace in 'Manifest' is not the one chosen in 'Namespace'",
    ],
    [
      'a namespace that is no text',
      yaml('a', '\n  namespace: 1'),
      "The namespace in 'Manifest' is not the one chosen in 'Namespace'",
    ],
  ])('refuses %s', async (_what, manifest, message) => {
    const { credential } = test();
    await expect(execute({ credential, parameters: { ...MANIFEST, manifest } })).rejects.toMatchObject({
      message,
      context: { code: 'k8s_parameter_invalid', itemIndex: 0, details: { parameter: 'manifest' } },
    });
  });
});
