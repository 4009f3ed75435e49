import type { KubeClient } from '../../kube';

type Applying = Pick<KubeClient, 'get' | 'patch' | 'resourceFor'>;

/** Reads and changes that went through a client, in order; `before` may do something before one of them. */
export class Spy implements Applying {
  readonly calls: string[] = [];
  before: (call: string) => Promise<unknown> | undefined = () => undefined;

  constructor(private readonly client: Applying) {}

  resourceFor: Applying['resourceFor'] = (...args) => this.client.resourceFor(...args);

  get: Applying['get'] = async (resource, ref, options) => {
    await this.note(`get ${ref.name}`);
    return this.client.get(resource, ref, options);
  };

  patch: Applying['patch'] = async (resource, ref, patch, options) => {
    await this.note(`${options?.dryRun === true ? 'try' : 'apply'} ${ref.name}`);
    return this.client.patch(resource, ref, patch, options);
  };

  private async note(call: string): Promise<void> {
    this.calls.push(call);
    await this.before(call);
  }
}
