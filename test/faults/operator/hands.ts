import type { Live, StoryCluster } from './cluster';
import type { Member } from './members';
import type { Hand } from './story';

/** What hands have done to a component. */
export interface Marks {
  /** Objects of which somebody holds fields that the operator applies. */
  readonly edited: Set<string>;
  /** Objects of others that have the names of its own, by path: their uids. */
  readonly foreign: Map<string, string>;
  /** How often somebody changed a pod template. */
  rollouts: number;
}

/** Lays hands on the objects of a component. */
export async function layHands(
  cluster: StoryCluster,
  { act, pick }: Hand,
  { member, uid, marks }: { readonly member: Member; readonly uid: string; readonly marks: Marks },
): Promise<void> {
  const namespace = cluster.namespaceOf(member);
  const owned = await cluster.ownedBy(namespace, uid);
  const workloads = owned.filter(isWorkload);
  const plain = owned.filter((live) => !isWorkload(live));
  const content = plain.filter(({ plural }) => plural === 'configmaps' || plural === 'services');
  const chosen = (among: readonly Live[]): Live | undefined => among[pick % Math.max(among.length, 1)];
  switch (act) {
    case 'edit': {
      const live = chosen(content);
      if (live === undefined) return;
      const change = live.plural === 'configmaps' ? { data: { 'index.html': `by hand ${pick}` } } : ports(pick);
      if (await cluster.change('PATCH', `${live.path}?fieldManager=kubectl-edit`, change)) marks.edited.add(live.path);
      return;
    }
    case 'annotate': {
      const live = chosen(owned);
      if (live) await cluster.change('PATCH', live.path, { metadata: { annotations: { note: String(pick) } } });
      return;
    }
    case 'unlabel': {
      const live = chosen(owned);
      const labels = { 'platform.navin.ai/component': null };
      if (live) await cluster.change('PATCH', live.path, { metadata: { labels } });
      return;
    }
    case 'roll-out': {
      const live = chosen(workloads);
      if (live === undefined) return;
      const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(1e12 + pick * 1000).toISOString() };
      const done = await cluster.change('PATCH', live.path, { spec: { template: { metadata: { annotations } } } });
      if (done) marks.rollouts += 1;
      return;
    }
    case 'scale': {
      const live = chosen(workloads);
      if (live)
        await cluster.change('PATCH', `${live.path}/scale?fieldManager=kubectl`, { spec: { replicas: pick % 6 } });
      return;
    }
    case 'delete': {
      const live = chosen(plain);
      if (live) await cluster.change('DELETE', live.path);
      return;
    }
    case 'delete-workload': {
      const live = chosen(workloads);
      if (live) await cluster.change('DELETE', `${live.path}?propagationPolicy=Background`);
      return;
    }
    case 'delete-pod': {
      const path = `/api/v1/namespaces/${namespace}/pods`;
      const pods = await cluster.api.items(`${path}?labelSelector=app.kubernetes.io%2Finstance%3D${member.name}`);
      const pod = pods[pick % Math.max(pods.length, 1)];
      if (pod) await cluster.change('DELETE', `${path}/${pod.metadata.name}`);
      return;
    }
    case 'replace': {
      const live = chosen(content);
      if (live === undefined) return;
      await cluster.change('DELETE', live.path);
      await take(cluster, live, marks);
    }
  }
}

/** Somebody makes an object of this name, unless the operator is faster. */
async function take(cluster: StoryCluster, { plural, path, object }: Live, { foreign }: Marks): Promise<void> {
  const { name } = object.metadata;
  const body = {
    metadata: { name, labels: { whose: 'somebody-else' } },
    ...(plural === 'configmaps' ? { data: { whose: 'not the operator' } } : { spec: { ports: [{ port: 9 }] } }),
  };
  const made = await cluster.change('POST', path.slice(0, path.lastIndexOf('/')), body);
  if (made !== undefined) foreign.set(path, made.metadata.uid);
}

function ports(pick: number): object {
  return { spec: { ports: [{ name: 'by-hand', port: 1000 + pick, protocol: 'TCP', targetPort: 80 }] } };
}

function isWorkload({ plural }: Live): boolean {
  return plural === 'deployments' || plural === 'statefulsets';
}
