import type { Cluster } from '../cluster';
import type { ServerObject } from '../cluster/api';

const PREFIX = 'mcpserver.toolhive.stacklok.dev';
const RESTARTED_AT = `${PREFIX}/restarted-at`;
const LAST_PROCESSED = `${PREFIX}/last-processed-restart`;
const FINALIZER = `${PREFIX}/finalizer`;

/** The ways it may act. */
export type Habit = 'restarts' | 'forgets the pods';

/**
 * Plays the ToolHive operator, which cannot run here (its image is on a registry): what of it a restart and a deletion can
 * see. It compares times, marks the template of the Deployment with its own clock in seconds, and answers by the annotation,
 * also where there is no Deployment. Source: ToolHive v0.44 `mcpserver_controller.go`, `handleRestartAnnotation`,
 * `performRollingRestart`.
 */
export class ToolHiveDouble {
  private readonly ending = new AbortController();
  private readonly playing: Promise<void>;
  /** Its clock, which takes a second for each restart: within one, a second restart would be none. */
  private time = Date.now();

  private constructor(
    private readonly cluster: Cluster,
    private readonly path: string,
    from: string,
    private readonly habit: Habit,
  ) {
    this.playing = this.play(from);
  }

  static async start(cluster: Cluster, version: string, namespace: string, habit: Habit): Promise<ToolHiveDouble> {
    const path = `/apis/toolhive.stacklok.dev/${version}/namespaces/${namespace}/mcpservers`;
    const { metadata } = await cluster.api.get(path);
    return new ToolHiveDouble(cluster, path, metadata.resourceVersion, habit);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.playing;
  }

  private async play(from: string): Promise<void> {
    try {
      for await (const line of this.cluster.api.lines(
        `${this.path}?watch=1&resourceVersion=${from}`,
        this.ending.signal,
      )) {
        const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: ServerObject };
        if (type === 'ADDED' || type === 'MODIFIED') await this.reconcile(object);
      }
    } catch (error) {
      if (!this.ending.signal.aborted) throw error;
    }
  }

  private async reconcile({ metadata }: ServerObject): Promise<void> {
    const { name, namespace = '', annotations = {}, deletionTimestamp, finalizers = [] } = metadata;
    const object = `${this.path}/${name}`;
    if (deletionTimestamp !== undefined) {
      const left = (finalizers as readonly string[]).filter((finalizer) => finalizer !== FINALIZER);
      await this.cluster.api.patch(object, { metadata: { finalizers: left } });
      return;
    }
    const asked = annotations[RESTARTED_AT];
    if (asked === undefined || Number.isNaN(Date.parse(asked))) return;
    if (Date.parse(asked) <= Date.parse(annotations[LAST_PROCESSED] ?? '1970-01-01T00:00:00Z')) return;
    const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
    const { status } = await this.cluster.request('GET', deployment);
    if (status === 200 && this.habit === 'restarts') {
      const mark = new Date((this.time += 1_000)).toISOString().replace(/\.\d+Z$/, 'Z');
      const template = { metadata: { annotations: { [RESTARTED_AT]: mark } } };
      await this.cluster.api.patch(deployment, { spec: { template } });
    }
    await this.cluster.api.patch(object, { metadata: { annotations: { [LAST_PROCESSED]: asked } } });
  }
}
