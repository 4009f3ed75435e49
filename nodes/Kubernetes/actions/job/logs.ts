import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { listAt, textAt } from '../../../shared/json';

/** The most a log of one container may hold, in bytes. */
const LIMIT_BYTES = 262_144;
/** The most pods of a Job that are looked through for the newest. */
const MAX_LISTED = 5_000;

/** The end of the log of one container, or the code of what kept it from being read. */
export type ContainerLog = { readonly pod: string; readonly container: string } & (
  { readonly logs: string; readonly truncated: boolean } | { readonly notRead: string }
);

/** The logs of a Job's newest pods; `logsNotRead` when not even the pods could be listed. */
export interface JobLogs {
  readonly logs: readonly ContainerLog[];
  readonly logsNotRead?: string;
}

/** Reads the logs of a Job's pods, newest first. What cannot be read is said; the outcome of the Job matters more. */
export async function readJobLogs(
  client: KubeClient,
  job: KubeObject,
  { maxPods, tailLines }: { readonly maxPods: number; readonly tailLines: number },
): Promise<JobLogs> {
  const pods = await attempt(async () => await newestPods(client, job, maxPods));
  if (pods.error !== undefined) return { logs: [], logsNotRead: pods.error.code };
  const logs: ContainerLog[] = [];
  for (const pod of pods.value) {
    for (const container of listAt(pod, 'spec', 'containers')) {
      logs.push(await readLog(client, pod, textAt(container, 'name') ?? '', tailLines));
    }
  }
  return { logs };
}

async function newestPods(client: KubeClient, job: KubeObject, maxPods: number): Promise<readonly KubeObject[]> {
  const { name, namespace, uid } = job.metadata;
  const pods: KubeObject[] = [];
  // The label without prefix is the one every version since 1.24 sets.
  const selector = { labelSelector: `job-name=${name ?? ''}`, maxItems: MAX_LISTED };
  for await (const page of client.pages(RESOURCES.pods, { ...(namespace ? { namespace } : {}), ...selector })) {
    pods.push(
      ...page.items.filter((pod) =>
        listAt(pod, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'uid') === uid),
      ),
    );
  }
  return pods.sort((left, right) => createdAt(right) - createdAt(left)).slice(0, maxPods);
}

function createdAt(pod: KubeObject): number {
  return Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
}

async function readLog(
  client: KubeClient,
  pod: KubeObject,
  container: string,
  tailLines: number,
): Promise<ContainerLog> {
  const { name = '', namespace = '' } = pod.metadata;
  const options = { container, tailLines, limitBytes: LIMIT_BYTES };
  const log = await attempt(async () => await client.logs({ namespace, name }, options));
  if (log.error !== undefined) return { pod: name, container, notRead: log.error.code };
  return { pod: name, container, logs: log.value.text, truncated: log.value.truncated };
}
