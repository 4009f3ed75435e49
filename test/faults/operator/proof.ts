import { resolve } from 'node:path';
import { CertificateAuthority } from '../../certificates';
import type { OwnCluster } from '../../cluster';
import { seededRandom } from '../../../core/trigger/testing/random';
import { ChartStore } from '../../../operator/src/charts';
import { capabilitiesOf, findRenderPrograms, Renderer } from '../../../operator/src/render';
import { leaseRules, operatorRules } from '../../../operator/src/manifests/rights';
import { findHelm } from '../../helm';
import { installDefinition } from '../../../core/components/testing/definition';
import { systemClock } from '../../../core/clock';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { Dice } from '../dice';
import { FastClock } from '../proof/fastClock';
import { Trace } from '../proof/trace';
import { Upstream } from '../proxy';
import { StoryCluster } from './cluster';
import { Crew } from './crew';
import { renderedBy } from './expectation';
import { Lives } from './lives';
import { SECRET } from './members';
import { NEEDLES, Run, type Fault, type Problem } from './run';
import { describeStory, storyOf } from './story';

/** What to prove. */
export interface OperatorProofOptions {
  readonly cluster: OwnCluster;
  readonly steps: number;
  readonly seed: number;
  /** Told after each chapter. */
  readonly onProgress?: (done: number) => void;
  /** Told whatever happens, while it does. */
  readonly onNote?: (text: string) => void;
}

/** What a story came to. */
export interface OperatorProofResult {
  readonly seed: number;
  readonly steps: number;
  /** Specs and removals that the API server accepted. */
  readonly operations: number;
  /** Operators that there were, and how many of them were killed. */
  readonly operators: number;
  readonly kills: number;
  /** What operators asked for, leases and dry runs aside. */
  readonly changes: number;
  readonly problems: readonly Problem[];
  readonly faults: ReadonlyMap<string, number>;
  /** What happened, when something is wrong. */
  readonly story: string;
}

const CHARTS = resolve(__dirname, '../../../examples/charts');
/** How much faster than ours the time of operators goes: a lease of 15 s is over in less than three. */
const SPEED = 6;
const COUNTED: readonly Fault[] = [
  'lost',
  'doubled',
  'left',
  'foreign',
  'secret',
  'undercut',
  'untrue',
  'unlawful',
  'unfinished',
];

/** The cluster that this proof wants: its history is short. */
export const OPERATOR_PROOF_CLUSTER = { nodes: 2, compactionInterval: '2s' } as const;

/** The line that a proof ends with. */
export function operatorLine({
  seed,
  steps,
  operations,
  operators,
  kills,
  changes,
  problems,
}: OperatorProofResult): string {
  const counts = COUNTED.map((fault) => `${fault}=${problems.filter((each) => each.fault === fault).length}`);
  const what = `seed=${seed} steps=${steps} operations=${operations} operators=${operators} kills=${kills}`;
  return `${what} changes=${changes} ${counts.join(' ')}`;
}

/** The story of a seed as text. */
export function describeOperatorSeed(seed: number, steps: number): string {
  return describeStory(storyOf(seed, steps));
}

/** Lives through the story of a seed in a real cluster, and checks everything at the end of each chapter. */
export async function proveOperator(options: OperatorProofOptions): Promise<OperatorProofResult> {
  const { cluster: own, seed, onProgress } = options;
  const trace = new Trace(1);
  const note = (text: string): void => {
    trace.add(text);
    options.onNote?.(text);
  };
  const scene = await sceneOf(own, seed, note);
  const { run, crew, lives, upstream } = scene;
  let steps = 0;
  try {
    for (const chapter of storyOf(seed, options.steps)) {
      await run.chapter(chapter);
      steps += chapter.steps.length;
      onProgress?.(steps);
      // What follows from one mistake is not worth telling.
      if (run.problems.length > 0) break;
    }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    run.problems.push({ fault: 'unfinished', what });
  } finally {
    const explained = run.problems.length > 0 ? run.explain() : '';
    if (explained !== '') note(`what the watchers saw:\n${explained}`);
    await run.end();
    upstream.close();
  }
  return {
    ...{ seed, steps, operations: lives.operations, operators: crew.count, kills: crew.kills, changes: crew.changes },
    problems: run.problems,
    faults: crew.faults,
    story: run.problems.length > 0 ? trace.toString() : '',
  };
}

async function sceneOf(
  own: OwnCluster,
  seed: number,
  note: (text: string) => void,
): Promise<{ readonly run: Run; readonly crew: Crew; readonly lives: Lives; readonly upstream: Upstream }> {
  const client = clusterClient(own);
  await installDefinition(client);
  const capabilities = capabilitiesOf(await client.version(), await client.resources());
  client.close();
  const namespaces = [await own.freshNamespace('story'), await own.freshNamespace('story')];
  const leaseNamespace = await own.freshNamespace('operator');
  const cluster = new StoryCluster(own.api, namespaces, leaseNamespace);
  await cluster.served();
  const token = await accountOf(own, cluster);
  await furnish(cluster);
  const upstream = new Upstream(own.server, own.caPem);
  const renderer = new Renderer({
    charts: new ChartStore({
      chartsDir: CHARTS,
      registry: { fetch: () => Promise.reject(new Error('this operator has no registry')) },
    }),
    programs: await findRenderPrograms({ ...process.env, HELM_BIN: await findHelm() }),
    clock: systemClock,
  });
  const lives = new Lives(cluster, note);
  const needles = [...NEEDLES, token];
  const crew = new Crew(
    {
      ...{ upstream, token, renderer, namespaces, leaseNamespace, needles, note },
      authority: await CertificateAuthority.create({ name: 'fault-proxy' }),
      clock: new FastClock(SPEED),
      onMisdeed: (misdeed) => {
        run.misdeed(misdeed);
      },
      onChange: (change) => {
        run.play.changed(change);
      },
    },
    new Dice(seededRandom(seed + 1)),
  );
  const rendered = renderedBy(renderer, cluster, capabilities);
  const run: Run = new Run({ own, cluster, crew, lives, rendered, needles, note });
  return { run, crew, lives, upstream };
}

/** A ServiceAccount with the rights of the operator and no other. */
async function accountOf(own: OwnCluster, { namespaces, leaseNamespace }: StoryCluster): Promise<string> {
  const rules = leaseRules('navin-operator');
  const account = await own.serviceAccount({ namespace: leaseNamespace, rules });
  const subjects = [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }];
  for (const namespace of namespaces) {
    const scope = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const metadata = { name: 'navin-operator' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name };
    await own.api.create(`${scope}/roles`, { metadata, rules: operatorRules() });
    await own.api.create(`${scope}/rolebindings`, { metadata, subjects, roleRef });
  }
  return account.token;
}

/** The Secret that charts use, and volumes for the claims of sets. */
async function furnish({ api, namespaces }: StoryCluster): Promise<void> {
  for (const namespace of namespaces) {
    const stringData = { [SECRET.key]: SECRET.content };
    await api.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: SECRET.name }, stringData });
  }
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/nowhere' } };
  for (let at = 0; at < 8; at += 1) {
    await api.create('/api/v1/persistentvolumes', { metadata: { generateName: 'story-' }, spec });
  }
}
