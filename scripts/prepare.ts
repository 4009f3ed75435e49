import { findPrograms } from '../test/cluster';
import type { BuildProgress } from '../test/cluster';
import { installN8n } from '../test/e2e/n8n';
import { findHelm } from '../test/helm';
import { findRegistry } from '../test/registry';
import { ProgressDisplay, type TaskProgress } from './progress';

/** What a command needs beside the dependencies; all come from a cache outside the work tree after the first time. */
export interface Needs {
  /** The programs of the disposable cluster (built with Go). */
  readonly cluster?: boolean;
  /** n8n (from the npm registry). */
  readonly n8n?: boolean;
  /** A registry for charts (built with Go). */
  readonly registry?: boolean;
  /** helm, which charts are rendered with (from the npm registry). */
  readonly helm?: boolean;
}

/** Makes what is needed and shows how far it is. Interrupted, it goes on where it was at the next start. */
export async function prepare(needs: Needs): Promise<void> {
  const display = new ProgressDisplay();
  const report = (progress: TaskProgress): void => {
    display.report(progress);
  };
  try {
    await Promise.all([
      needs.cluster === true
        ? findPrograms({
            onProgress: (progress) => {
              report(buildTask(progress));
            },
          })
        : undefined,
      needs.n8n === true ? installN8n({ onProgress: report }) : undefined,
      needs.registry === true
        ? findRegistry({
            onProgress: (progress) => {
              report(buildTask(progress));
            },
          })
        : undefined,
      needs.helm === true ? findHelm({ onProgress: report }) : undefined,
    ]);
  } finally {
    display.stop();
  }
}

/** A build as a task: its share is guessed from the time it usually takes, and stays below 1 until it is done. */
export function buildTask({ program, state, elapsedSeconds, estimatedSeconds }: BuildProgress): TaskProgress {
  if (state === 'done') return { task: `build ${program}`, fraction: 1 };
  if (estimatedSeconds === 0) return { task: `wait for ${program}`, fraction: 0 };
  return {
    task: `build ${program}`,
    fraction: Math.min(0.99, elapsedSeconds / estimatedSeconds),
    secondsLeft: estimatedSeconds - elapsedSeconds,
  };
}
