import type { Clock } from '../../../core/clock';
import { isNotFound, type KubeClient } from '../../../core/kube';
import { capabilitiesOf, type Capabilities } from '../render';

/** What the cluster serves is asked again so late, in ms. */
const CAPABILITIES_MS = 300_000;
const SCALED_OBJECTS_MS = 20_000;

/** What is the same for all components of a cluster: its version, and what it serves. */
export class ClusterFacts {
  private known: { readonly at: number; readonly capabilities: Promise<Capabilities> } | undefined;
  private scaledObjects: { readonly at: number; readonly served: Promise<boolean> } | undefined;

  constructor(
    private readonly client: Pick<KubeClient, 'version' | 'resources' | 'resourceFor'>,
    private readonly clock: Clock,
  ) {}

  /** What charts are told about the cluster. @throws NavinError of discovery */
  async capabilities(): Promise<Capabilities> {
    const now = this.clock.monotonic();
    if (this.known === undefined || now - this.known.at >= CAPABILITIES_MS) {
      const known = { at: now, capabilities: this.discover() };
      this.known = known;
      known.capabilities.catch(() => {
        if (this.known === known) this.known = undefined;
      });
    }
    return this.known.capabilities;
  }

  /** Whether the cluster serves KEDA's ScaledObjects. @throws NavinError of discovery */
  async servesScaledObjects(): Promise<boolean> {
    const now = this.clock.monotonic();
    if (this.scaledObjects === undefined || now - this.scaledObjects.at >= SCALED_OBJECTS_MS) {
      const known = { at: now, served: this.findScaledObjects() };
      this.scaledObjects = known;
      known.served.catch(() => {
        if (this.scaledObjects === known) this.scaledObjects = undefined;
      });
    }
    return this.scaledObjects.served;
  }

  private async discover(): Promise<Capabilities> {
    const [version, resources] = await Promise.all([this.client.version(), this.client.resources()]);
    return capabilitiesOf(version, resources);
  }

  private async findScaledObjects(): Promise<boolean> {
    try {
      await this.client.resourceFor('keda.sh/v1alpha1', 'ScaledObject');
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
