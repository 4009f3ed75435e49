import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../../test/cluster';
import { kubeconfigOf, requestToken } from '../../../../test/cluster/access';
import { MANAGED_NAMESPACE, OPERATOR, OPERATOR_NAMESPACE } from '../names';

const CONFIG = join(__dirname, '../../../config');

/** Who is asked about: a user and the groups the API server puts it into. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The operator as an administrator installs it: the files of operator/config, edited where they say so. */
export class Installation {
  private constructor(
    private readonly cluster: Cluster,
    /** The operator's own. */
    readonly own: string,
    /** The one it manages. */
    readonly managed: string,
  ) {}

  /** In namespaces that nobody else uses. */
  static async begin(cluster: Cluster): Promise<Installation> {
    const managed = await cluster.freshNamespace('managed');
    return new Installation(cluster, managed.replace('managed', 'system'), managed);
  }

  /** A file of operator/config with the namespaces of this installation. */
  text(path: string): string {
    return readFileSync(join(CONFIG, path), 'utf8')
      .replaceAll(OPERATOR_NAMESPACE, this.own)
      .replaceAll(`namespace: ${MANAGED_NAMESPACE}`, `namespace: ${this.managed}`)
      .replaceAll(`--namespaces=${MANAGED_NAMESPACE}`, `--namespaces=${this.managed}`);
  }

  /** Applies files, one after the other. */
  async apply(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.cluster.apply(this.text(path));
  }

  /** The operator's ServiceAccount. */
  get operator(): Subject {
    return {
      user: `system:serviceaccount:${this.own}:${OPERATOR}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${this.own}`, 'system:authenticated'],
    };
  }

  /** A token of it. */
  token(): Promise<string> {
    return requestToken(this.cluster.api, this.own, OPERATOR);
  }

  /** What it speaks to the API server with. */
  async kubeconfig(): Promise<string> {
    return kubeconfigOf(this.cluster.facts, { token: await this.token() }, this.managed);
  }

  async remove(): Promise<void> {
    for (const namespace of [this.own, this.managed]) await this.cluster.api.delete(`/api/v1/namespaces/${namespace}`);
  }
}
