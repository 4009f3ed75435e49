import type { Logger } from 'n8n-workflow';
import { isNavinError } from '../../core/errors';
import type { KubeClient } from '../../core/kube';
import { type CheckedSettings, type ClusterPort, kubeClusterPort } from '../../core/trigger';
import type { Connections } from '../shared/connection';
import { requireWatchRights } from './watchRights';

/**
 * The cluster of a trigger that runs for months: before it is identified (at the start, after faults, and now and then)
 * the credential is read anew, because tokens are exchanged, and the rights are asked for until they were once there.
 */
export class LiveCluster implements ClusterPort {
  private port: ClusterPort;
  private mayWatch = false;
  private warned = false;

  constructor(
    private client: KubeClient,
    private readonly connections: Connections,
    private readonly settings: CheckedSettings,
    private readonly logger: Logger,
  ) {
    this.port = kubeClusterPort(client, settings);
  }

  /** Where it is: `https://host:port`. */
  get server(): string {
    return this.client.target.server;
  }

  async identity(signal: AbortSignal): ReturnType<ClusterPort['identity']> {
    await this.renew();
    const mark = await this.port.identity(signal);
    if (!this.mayWatch) {
      await requireWatchRights(this.client, this.settings);
      this.mayWatch = true;
    }
    return mark;
  }

  newest(...args: Parameters<ClusterPort['newest']>): ReturnType<ClusterPort['newest']> {
    return this.port.newest(...args);
  }

  pages(...args: Parameters<ClusterPort['pages']>): ReturnType<ClusterPort['pages']> {
    return this.port.pages(...args);
  }

  watch(...args: Parameters<ClusterPort['watch']>): ReturnType<ClusterPort['watch']> {
    return this.port.watch(...args);
  }

  read(...args: Parameters<ClusterPort['read']>): ReturnType<ClusterPort['read']> {
    return this.port.read(...args);
  }

  private async renew(): Promise<void> {
    const client = await this.connections.open().catch((error: unknown) => {
      if (isNavinError(error)) return Promise.reject(error);
      // n8n cannot evaluate expressions of a credential at any time: the one of the activation has to do.
      if (!this.warned)
        this.logger.warn('Kubernetes Trigger: the credential cannot be read anew; it is used as it was.');
      this.warned = true;
      return this.client;
    });
    if (client === this.client) return;
    this.client = client;
    this.mayWatch = false;
    this.port = kubeClusterPort(client, this.settings);
  }
}
