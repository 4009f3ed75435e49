import { dump, loadAll } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramPaths } from './sources';

/** How a simulated Pod behaves. */
export type PodBehaviour =
  /** Ready at once, Jobs complete at once. */
  | 'fast'
  /** Ready at once, and gone half a second after its deletion: what StatefulSets need to be replaced in order. */
  | 'steady'
  /** Each step (created, initialised, ready, completed, deleted) takes 1 to 6 seconds. */
  | 'slow'
  /** Runs a second, then fails: Jobs fail, Deployments crash in a loop. */
  | 'failing'
  /** ErrImagePull, then ImagePullBackOff. */
  | 'image-pull-error'
  /** Runs but is never Ready. */
  | 'never-ready'
  /** Ready at once; a Job's Pod never completes. */
  | 'endless';

/** Label of a Pod that chooses its behaviour. */
export const BEHAVIOUR_LABEL = 'navin.test/behaviour';

/** Which stages make which behaviour. Those of a name starting with `/` are our own, the others kwok's. */
const POD_STAGES: readonly { readonly file: string; readonly behaviours: readonly PodBehaviour[] }[] = [
  { file: 'stage/pod/fast/pod-ready.yaml', behaviours: ['fast', 'steady', 'failing', 'endless'] },
  { file: 'stage/pod/fast/pod-complete.yaml', behaviours: ['fast'] },
  {
    file: 'stage/pod/fast/pod-delete.yaml',
    behaviours: ['fast', 'failing', 'image-pull-error', 'never-ready', 'endless'],
  },
  { file: 'stage/pod/general/pod-create.yaml', behaviours: ['slow'] },
  { file: 'stage/pod/general/pod-init-container-running.yaml', behaviours: ['slow'] },
  { file: 'stage/pod/general/pod-init-container-completed.yaml', behaviours: ['slow'] },
  { file: 'stage/pod/general/pod-ready.yaml', behaviours: ['slow'] },
  { file: 'stage/pod/general/pod-complete.yaml', behaviours: ['slow'] },
  { file: 'stage/pod/general/pod-delete.yaml', behaviours: ['slow'] },
  { file: '/pod-failing.yaml', behaviours: ['failing'] },
  { file: '/pod-image-pull-error.yaml', behaviours: ['image-pull-error'] },
  { file: '/pod-never-ready.yaml', behaviours: ['never-ready'] },
  { file: '/pod-steady.yaml', behaviours: ['steady'] },
];
const NODE_STAGES = [
  'stage/node/fast/node-initialize.yaml',
  'stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
];

/** What kwok's configuration is made of. */
export interface KwokSettings {
  /** Behaviour of Pods that choose none. */
  readonly podBehaviour: PodBehaviour;
  /** Whether `exec` runs the command as a local process. */
  readonly exec: boolean;
  /** File that answers for Pods without logs of their own. */
  readonly logFile: string;
}

interface Stage {
  metadata: { name: string };
  spec: { selector: { matchExpressions: object[] } };
}

/**
 * kwok's configuration: the stages of nodes and Pods, and exec.
 *
 * A Pod chooses its behaviour by the label `navin.test/behaviour`, else by an image whose tag is a behaviour
 * (`nginx:image-pull-error`), so that a new image can make a rollout fail as in real life.
 */
export function kwokConfig({ kwokFiles }: Pick<ProgramPaths, 'kwokFiles'>, settings: KwokSettings): string {
  const documents: object[] = NODE_STAGES.flatMap((file) => readStages(join(kwokFiles, file)));
  for (const { file, behaviours } of POD_STAGES) {
    const path = file.startsWith('/') ? join(__dirname, 'stages', file) : join(kwokFiles, file);
    for (const stage of readStages(path)) documents.push(restricted(stage, behaviours, settings.podBehaviour));
  }
  documents.push(kwokObject('ClusterLogs', { logs: [{ logsFile: settings.logFile }] }));
  if (settings.exec) documents.push(kwokObject('ClusterExec', { execs: [{ local: LOCAL_EXEC }] }));
  return documents.map((document) => dump(document)).join('---\n');
}

const LOCAL_EXEC = { workDir: '/', envs: [{ name: 'PATH', value: '/usr/local/bin:/usr/bin:/bin' }] };

function kwokObject(kind: string, spec: object): object {
  return { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind, metadata: { name: 'all' }, spec };
}

function readStages(file: string): Stage[] {
  return loadAll(readFileSync(file, 'utf8')) as Stage[];
}

function restricted(stage: Stage, behaviours: readonly PodBehaviour[], fallback: PodBehaviour): Stage {
  const tags = 'steady|slow|failing|image-pull-error|never-ready|endless';
  const byImage = `([.spec.containers[].image | capture(":(?<tag>${tags})$").tag] | first)`;
  const key = `(.metadata.labels["${BEHAVIOUR_LABEL}"] // ${byImage} // "${fallback}")`;
  return {
    ...stage,
    metadata: { name: `${behaviours[0] ?? ''}-${stage.metadata.name}` },
    spec: {
      ...stage.spec,
      selector: {
        matchExpressions: [...stage.spec.selector.matchExpressions, { key, operator: 'In', values: behaviours }],
      },
    },
  };
}
