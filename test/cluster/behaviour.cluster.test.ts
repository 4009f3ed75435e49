import { describe, expect, it, jest } from '@jest/globals';
import { dump } from 'js-yaml';
import { BEHAVIOUR_LABEL, type PodBehaviour } from './kwok';
import { sharedCluster } from './jest';

jest.setTimeout(120_000);

interface Deployment {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
  };
}
interface Job {
  readonly status?: {
    readonly succeeded?: number;
    readonly failed?: number;
    readonly active?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}
interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}
interface ContainerStatus {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: { readonly waiting?: { readonly reason: string }; readonly terminated?: Terminated };
  readonly lastState?: { readonly terminated?: Terminated };
}
interface Terminated {
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

const cluster = sharedCluster();

function template(image: string, behaviour: PodBehaviour | undefined, restartPolicy: string): object {
  const labels = { app: 'x', ...(behaviour === undefined ? {} : { [BEHAVIOUR_LABEL]: behaviour }) };
  return { metadata: { labels }, spec: { restartPolicy, containers: [{ name: 'main', image }] } };
}

async function createDeployment(namespace: string, image: string, behaviour?: PodBehaviour): Promise<string> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster().api.create(path, {
    metadata: { name: 'x' },
    spec: { replicas: 3, selector: { matchLabels: { app: 'x' } }, template: template(image, behaviour, 'Always') },
  });
  return `${path}/x`;
}

async function createJob(
  namespace: string,
  behaviour?: PodBehaviour,
  restartPolicy: 'Never' | 'OnFailure' = 'Never',
): Promise<string> {
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  await cluster().api.create(path, {
    metadata: { name: 'x' },
    spec: { backoffLimit: 0, template: template('busybox', behaviour, restartPolicy) },
  });
  return `${path}/x`;
}

async function createPod(namespace: string, behaviour: PodBehaviour, annotations = {}): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const pod = template('busybox', behaviour, 'Always') as { metadata: object };
  await cluster().api.create(path, { ...pod, metadata: { ...pod.metadata, name: 'x', annotations } });
  return `${path}/x`;
}

const hasCondition = (job: Job | undefined, type: string): boolean =>
  job?.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
const waitsFor = (pod: Pod | undefined, reason: string): boolean =>
  pod?.status?.containerStatuses?.[0]?.state.waiting?.reason === reason;

describe('Deployments', () => {
  it('come up, and roll to a new image', async () => {
    const path = await createDeployment(await cluster().freshNamespace('roll'), 'nginx:1');
    await cluster().api.until<Deployment>(path, (deployment) => deployment?.status?.availableReplicas === 3);
    const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }];
    const { metadata } = await cluster().api.patch<Deployment>(path, image, 'application/json-patch+json');
    const done = await cluster().api.until<Deployment>(
      path,
      (deployment) =>
        deployment?.status?.observedGeneration === metadata.generation &&
        deployment.status.updatedReplicas === 3 &&
        deployment.status.availableReplicas === 3 &&
        deployment.status.unavailableReplicas === undefined,
    );
    expect(metadata.generation).toBe(2);
    expect(done?.status).toMatchObject({ replicas: 3, readyReplicas: 3 });
  });

  it('hang when the new image cannot be pulled, and the old Pods stay', async () => {
    const namespace = await cluster().freshNamespace('hang');
    const path = await createDeployment(namespace, 'nginx:1');
    await cluster().api.until<Deployment>(path, (deployment) => deployment?.status?.availableReplicas === 3);
    const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:image-pull-error' }];
    await cluster().api.patch(path, image, 'application/json-patch+json');
    await cluster().api.until<{ items: readonly Pod[] }>(`/api/v1/namespaces/${namespace}/pods`, (list) =>
      (list?.items ?? []).some((pod) => waitsFor(pod, 'ImagePullBackOff')),
    );
    const { status } = await cluster().api.get<Deployment>(path);
    expect(status).toMatchObject({ updatedReplicas: 1, availableReplicas: 3, unavailableReplicas: 1 });
  });
});

describe('Jobs', () => {
  it('complete', async () => {
    const path = await createJob(await cluster().freshNamespace('complete'));
    const job = await cluster().api.until<Job>(path, (object) => hasCondition(object, 'Complete'));
    expect(job?.status?.succeeded).toBe(1);
  });

  it.each(['Never', 'OnFailure'] as const)('fail, with restartPolicy %s', async (restartPolicy) => {
    const path = await createJob(await cluster().freshNamespace('fail'), 'failing', restartPolicy);
    const job = await cluster().api.until<Job>(path, (object) => hasCondition(object, 'Failed'));
    expect(job?.status?.failed).toBe(1);
    expect(job?.status?.conditions?.find(({ type }) => type === 'Failed')?.reason).toBe('BackoffLimitExceeded');
  });

  it('go on for ever when they are told to', async () => {
    const namespace = await cluster().freshNamespace('endless');
    const path = await createJob(namespace, 'endless');
    await cluster().api.until<Job & { status?: { ready?: number } }>(path, (job) => job?.status?.ready === 1);
    const { status } = await cluster().api.get<Job>(path);
    expect(status).toMatchObject({ active: 1, ready: 1 });
  });
});

describe('Pods', () => {
  it('crash in a loop: restarts count up, the last end is told', async () => {
    const path = await createPod(await cluster().freshNamespace('crash'), 'failing', {
      'navin.test/exit-code': '137',
      'navin.test/reason': 'OOMKilled',
    });
    const pod = await cluster().api.until<Pod>(
      path,
      (object) => waitsFor(object, 'CrashLoopBackOff') && object?.status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(pod?.status?.phase).toBe('Running');
    expect(pod?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('False');
    expect(pod?.status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'OOMKilled',
    });
  });

  it('stay Pending when their image cannot be pulled, with Events that say so', async () => {
    const namespace = await cluster().freshNamespace('pull');
    const path = await createPod(namespace, 'image-pull-error');
    const pod = await cluster().api.until<Pod>(path, (object) => waitsFor(object, 'ImagePullBackOff'));
    expect(pod?.status?.phase).toBe('Pending');
    await cluster().api.until<{ items: readonly { reason: string }[] }>(
      `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=x,type=Warning`,
      (events) => events?.items.some(({ reason }) => reason === 'BackOff') ?? false,
    );
  });

  it('run without ever being ready', async () => {
    const path = await createPod(await cluster().freshNamespace('unready'), 'never-ready');
    const pod = await cluster().api.until<Pod>(path, (object) => object?.status?.phase === 'Running');
    expect(pod?.status?.containerStatuses?.[0]?.ready).toBe(false);
  });

  it('take their time when they are slow', async () => {
    const path = await createPod(await cluster().freshNamespace('slow'), 'slow');
    const creating = await cluster().api.until<Pod>(path, (pod) => waitsFor(pod, 'ContainerCreating'));
    expect(creating?.status?.phase).toBe('Pending');
    const running = await cluster().api.until<Pod>(path, (pod) => pod?.status?.phase === 'Running');
    expect(running?.status?.containerStatuses?.[0]?.ready).toBe(true);
    await cluster().api.delete(path);
    expect((await cluster().request('GET', path)).status).toBe(200);
    await cluster().api.until(path, (pod) => pod === undefined);
  });
});

describe('PodDisruptionBudgets', () => {
  it('count: the first eviction passes, the second is refused', async () => {
    const namespace = await cluster().freshNamespace('budget');
    const path = await createDeployment(namespace, 'nginx:1', 'slow');
    const policy = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x', namespace } };
    await cluster().apply(dump({ ...policy, spec: { minAvailable: 2, selector: { matchLabels: { app: 'x' } } } }));
    await cluster().api.until<Deployment>(path, (deployment) => deployment?.status?.availableReplicas === 3);
    await cluster().api.until<{ status?: { disruptionsAllowed?: number } }>(
      `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/x`,
      (budget) => budget?.status?.disruptionsAllowed === 1,
    );
    const pods = await cluster().api.items(`/api/v1/namespaces/${namespace}/pods`);
    const evict = async (index: number): Promise<unknown> => {
      const name = pods[index]?.metadata.name ?? '';
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      const answer = await cluster().request('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, { body });
      return answer.status;
    };
    expect([await evict(0), await evict(1)]).toEqual([201, 429]);
  });
});
