import { pause, type Api } from '../../cluster/api';
import { eventually, type ApiAnswer, type ServerObject } from '../../cluster';
import type { Member } from './members';

/** Kinds that components of the stories have, by plural. */
export const KINDS = {
  deployments: { root: '/apis/apps/v1', kind: 'Deployment' },
  statefulsets: { root: '/apis/apps/v1', kind: 'StatefulSet' },
  configmaps: { root: '/api/v1', kind: 'ConfigMap' },
  services: { root: '/api/v1', kind: 'Service' },
  serviceaccounts: { root: '/api/v1', kind: 'ServiceAccount' },
  poddisruptionbudgets: { root: '/apis/policy/v1', kind: 'PodDisruptionBudget' },
  horizontalpodautoscalers: { root: '/apis/autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
} as const;
export type Plural = keyof typeof KINDS;
const PLURALS = Object.keys(KINDS) as readonly Plural[];

/** An object that is there, and where. */
export interface Live {
  readonly plural: Plural;
  readonly path: string;
  readonly object: ServerObject;
}

const MAX_TRIES = 50;
const PAUSE_MS = 200;
const RUNS_MS = 240_000;

interface Reference {
  readonly uid: string;
  readonly controller?: boolean;
}

/** What a test looks at and writes, straight to the API server, in the namespaces of a story. */
export class StoryCluster {
  constructor(
    readonly api: Api,
    readonly namespaces: readonly string[],
    readonly leaseNamespace: string,
  ) {}

  namespaceOf({ place }: Member): string {
    return this.namespaces[place] ?? '';
  }

  pathOf(member: Member): string {
    return `/apis/platform.navin.ai/v1alpha1/namespaces/${this.namespaceOf(member)}/managedcomponents/${member.name}`;
  }

  path(namespace: string, plural: Plural, name = ''): string {
    return `${KINDS[plural].root}/namespaces/${namespace}/${plural}${name === '' ? '' : `/${name}`}`;
  }

  get leasePath(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.leaseNamespace}/leases/navin-operator`;
  }

  /** Waits until the API server gives all kinds from its memory: that takes a moment once it has been started. */
  async served(): Promise<void> {
    const paths = this.namespaces.flatMap((namespace) => [
      `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents`,
      ...PLURALS.map((plural) => this.path(namespace, plural)),
    ]);
    const isServed = async (path: string): Promise<boolean> => (await this.api.request('GET', path)).status === 200;
    await eventually(async () => (await Promise.all(paths.map(isServed))).every(Boolean), 'all kinds to be served');
  }

  /** Waits until new Pods get a node and run: the scheduler comes back late, and no operator can do anything about that. */
  async runsPods(): Promise<void> {
    const path = `/api/v1/namespaces/${this.leaseNamespace}/pods`;
    const spec = { containers: [{ name: 'canary', image: 'nginx' }] };
    const { metadata } = await this.api.create(path, { metadata: { generateName: 'canary-' }, spec });
    const isRunning = async (): Promise<boolean> => {
      const pod = await this.find(`${path}/${metadata.name}`);
      return (pod?.status as { readonly phase?: string } | undefined)?.phase === 'Running';
    };
    await eventually(isRunning, 'a Pod to run', RUNS_MS);
    await this.change('DELETE', `${path}/${metadata.name}`);
  }

  /** As often as the API server asks for it. */
  async request(method: string, path: string, options: object = {}): Promise<ApiAnswer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.api.request(method, path, options);
      if (answer.status !== 429 || tries >= MAX_TRIES) return answer;
      await pause(PAUSE_MS);
    }
  }

  /** An object; undefined when it is not there. */
  async find(path: string): Promise<ServerObject | undefined> {
    const { status, body, text } = await this.request('GET', path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 300)}`);
    return body as ServerObject;
  }

  /** Everything that an owner controls. */
  async ownedBy(namespace: string, uid: string): Promise<readonly Live[]> {
    const lists = await Promise.all(PLURALS.map((plural) => this.list(namespace, plural)));
    return lists.flat().filter(({ object }) => controllerOf(object) === uid);
  }

  async list(namespace: string, plural: Plural): Promise<readonly Live[]> {
    const path = this.path(namespace, plural);
    const items = await this.api.items(path);
    return items.map((object) => ({ plural, path: `${path}/${object.metadata.name}`, object }));
  }

  /**
   * A change that somebody makes beside the operator.
   *
   * @returns what became of it; undefined when the object is not there, or is another by now
   */
  async change(
    method: 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    contentType = 'application/merge-patch+json',
  ): Promise<ServerObject | undefined> {
    const options = body === undefined ? {} : { body, ...(method === 'PATCH' ? { contentType } : {}) };
    const answer = await this.request(method, path, options);
    if (answer.status < 300) return answer.body as ServerObject;
    const isAnother = answer.status === 422 && answer.text.includes('metadata.uid');
    if ([404, 409].includes(answer.status) || isAnother) return undefined;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
}

/** The controller of an object, by uid. */
export function controllerOf({ metadata }: ServerObject): string | undefined {
  const owners = Array.isArray(metadata.ownerReferences) ? (metadata.ownerReferences as readonly Reference[]) : [];
  return owners.find(({ controller }) => controller === true)?.uid;
}
