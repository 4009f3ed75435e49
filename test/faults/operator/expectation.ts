import type { ServerObject } from '../../cluster';
import type { Renderer } from '../../../operator/src/render';
import { required } from '../../components/watcher/arithmetic';
import { KINDS, type Live, type StoryCluster } from './cluster';
import { restartTime, SECRET, specOf, type Member, type Wish } from './members';

/** What is to be there for a wish, reckoned from the chart and the specification and not by the operator's code. */
interface Expected {
  /** `Deployment/web` */
  readonly name: string;
  readonly fields: Fields;
  readonly workload?: { readonly least: number; readonly most: number };
}

type Fields = Readonly<Record<string, unknown>>;

/** Renders the chart of a member for a wish. */
export type RenderedFor = (member: Member, wish: Wish) => Promise<readonly ServerObject[]>;

/** By helm itself, with the values that the spec means. */
export function renderedBy(
  renderer: Pick<Renderer, 'render'>,
  cluster: StoryCluster,
  capabilities: Parameters<Renderer['render']>[0]['capabilities'],
): RenderedFor {
  return async (member, wish) => {
    const { values } = specOf(member, wish) as { readonly values: Fields };
    const { documents } = await renderer.render({
      source: { chart: { path: member.chart } },
      values: { ...values, ...(member.chart === 'web' ? { existingSecret: SECRET.name } : {}) },
      name: member.name,
      namespace: cluster.namespaceOf(member),
      capabilities,
    });
    return documents as readonly ServerObject[];
  };
}

/** What is not as a wish asks for, in words; empty: all is. */
export async function differences(
  cluster: StoryCluster,
  member: Member,
  { wish, uid, rendered }: { readonly wish: Wish; readonly uid: string; readonly rendered: readonly ServerObject[] },
): Promise<readonly string[]> {
  const live = await cluster.ownedBy(cluster.namespaceOf(member), uid);
  const expected = expectedOf(member, wish, rendered);
  const names = new Map(live.map((each) => [nameOf(each), each]));
  const extra = [...names.keys()].filter((name) => !expected.some((each) => each.name === name));
  const wrong = expected.flatMap((each) => {
    const found = names.get(each.name);
    if (found === undefined) return [`${each.name} is not there`];
    const label = { metadata: { labels: { 'platform.navin.ai/component': member.name } } };
    return [each.fields, label]
      .flatMap((fields) => missing(fields, found.object, each.name))
      .concat(workloadProblems(each, found.object));
  });
  const component = await cluster.find(cluster.pathOf(member));
  return [
    ...extra.map((name) => `doubled: ${name} is there and nobody asks for it`),
    ...wrong,
    ...statusProblems(component, expected, wish),
  ].map((problem) => `${member.name}: ${problem}`);
}

function expectedOf(member: Member, wish: Wish, rendered: readonly ServerObject[]): readonly Expected[] {
  const { scale, pdb, isStopped } = wish;
  const { target } = member;
  const all = rendered.map((object): Expected => {
    const kind = String(object.kind);
    const name = `${kind}/${object.metadata.name}`;
    const { apiVersion, kind: word, ...content } = object;
    void [apiVersion, word];
    if (kind !== 'Deployment' && kind !== 'StatefulSet') return { name, fields: content };
    const isTarget = kind === target.kind && object.metadata.name === target.name;
    const { replicas = 1, strategy, updateStrategy, ...spec } = object.spec as Fields & { readonly replicas?: number };
    void [strategy, updateStrategy];
    const own = { least: replicas, most: replicas };
    const wanted = !isTarget ? own : typeof scale === 'number' ? { least: scale, most: scale } : scale;
    const workload = isStopped ? { least: 0, most: 0 } : wanted;
    const fields = { ...content, spec: { ...spec, template: restarted(spec.template as Fields, wish) } };
    const budgeted = pdb === undefined || kind !== 'Deployment' ? {} : rolling(pdb, wanted.least);
    return { name, fields: { ...fields, spec: { ...fields.spec, ...budgeted } }, workload };
  });
  const workloads = all.filter(({ workload }) => workload !== undefined);
  const budgets = workloads.map(({ name, fields }): Expected => {
    const [kind = '', workload = ''] = name.split('/');
    const { selector } = fields.spec as Fields;
    return { name: `PodDisruptionBudget/${workload}-${kind.toLowerCase()}`, fields: { spec: { ...pdb, selector } } };
  });
  const autoscaler: readonly Expected[] =
    typeof scale === 'number'
      ? []
      : [
          {
            name: `HorizontalPodAutoscaler/${target.name}`,
            fields: { spec: { minReplicas: scale.least, maxReplicas: scale.most, scaleTargetRef: { ...target } } },
          },
        ];
  return [...all, ...(pdb === undefined ? [] : budgets), ...autoscaler];
}

/** A rolling update may end what the budget leaves, and begins one Pod more first. */
function rolling(pdb: NonNullable<Wish['pdb']>, replicas: number): Fields {
  const maxUnavailable = Math.max(0, replicas - required(pdb, replicas));
  return { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable } } };
}

function restarted(template: Fields, { restart }: Wish): Fields {
  const at = restartTime(restart);
  if (at === undefined) return template;
  const metadata = template.metadata as Fields;
  const annotations = { ...(metadata.annotations as Fields | undefined), 'platform.navin.ai/restarted-at': at };
  return { ...template, metadata: { ...metadata, annotations } };
}

function nameOf({ plural, object }: Live): string {
  return `${KINDS[plural].kind}/${object.metadata.name}`;
}

/** What of some fields an object does not have; what the API server adds is fine. */
function missing(fields: unknown, object: unknown, path: string): readonly string[] {
  if (Array.isArray(fields)) {
    const items = Array.isArray(object) ? (object as readonly unknown[]) : [];
    if (items.length !== fields.length) return [`${path} has ${items.length} items and not ${fields.length}`];
    return fields.flatMap((field, at) => missing(field, items[at], `${path}[${at}]`));
  }
  if (typeof fields === 'object' && fields !== null) {
    const has = typeof object === 'object' && object !== null ? (object as Fields) : {};
    return Object.entries(fields).flatMap(([name, value]) => missing(value, has[name], `${path}.${name}`));
  }
  // An empty text and nothing are the same to the API server.
  if (fields === object || (fields === '' && object === undefined)) return [];
  return [`${path} is ${JSON.stringify(object)} and not ${JSON.stringify(fields)}`];
}

function workloadProblems({ name, workload }: Expected, object: ServerObject): readonly string[] {
  if (workload === undefined) return [];
  const { replicas = 1 } = object.spec as { readonly replicas?: number };
  const status = (object.status ?? {}) as Readonly<Record<string, number | undefined>>;
  const problems: string[] = [];
  if (replicas < workload.least || replicas > workload.most) {
    problems.push(`${name} has ${replicas} replicas and not ${workload.least} to ${workload.most}`);
  }
  for (const field of ['availableReplicas', 'updatedReplicas', 'readyReplicas'] as const) {
    const count = status[field] ?? 0;
    if (count !== replicas) problems.push(`${name} has ${count} ${field} of ${replicas}`);
  }
  return problems;
}

interface Status {
  readonly observedGeneration?: number;
  readonly state?: string;
  readonly health?: string;
  readonly operationState?: string;
  readonly securityState?: string;
  readonly converged?: boolean;
  readonly inventory?: readonly { readonly kind: string; readonly name: string }[];
}

function statusProblems(
  component: ServerObject | undefined,
  expected: readonly Expected[],
  { isStopped }: Wish,
): readonly string[] {
  if (component === undefined) return ['is not there'];
  const { inventory = [], ...status } = (component.status ?? {}) as Status;
  const wanted: Status = {
    ...(component.metadata.generation === undefined ? {} : { observedGeneration: component.metadata.generation }),
    ...{ state: isStopped ? 'stopped' : 'started', health: 'ok', operationState: 'succeeded' },
    ...{ securityState: 'compliant', converged: true },
  };
  const listed = inventory.map(({ kind, name }) => `${kind}/${name}`).sort();
  const names = expected.map(({ name }) => name).sort();
  const differ = listed.join() !== names.join();
  return [
    ...missing(wanted, status, 'status'),
    ...(differ ? [`status.inventory is ${listed.join(', ')} and not ${names.join(', ')}`] : []),
  ];
}
