import { isNavinError } from '../../errors';
import type { ApiResource, KubeClient, KubeObject } from '../../kube';
import { decide } from '../decide/decide';
import { configurationOf } from '../decide/inputs';
import type { Action, Answer, Decision, Observed } from '../decide/types';
import { COMPONENT_FINALIZER, OPERATOR_MANAGER, REPLICAS_MANAGER } from '../names';
import { keyOf, refOf, type Ref } from '../objects';
import type { ManagedComponent } from '../resource/component';
import type { Chart } from './modelCluster';

/** The least that carries decisions out on a real API server: it looks at everything afresh in each pass. */
export class RealOperator {
  readonly log: string[] = [];
  private answers = new Map<string, Answer>();

  constructor(
    private readonly client: KubeClient,
    private readonly components: ApiResource,
    private readonly name: string,
    private readonly chart: Chart,
  ) {}

  /** The operator is restarted: it remembers nothing. */
  restart(): void {
    this.answers = new Map();
  }

  async component(): Promise<ManagedComponent> {
    return (await this.client.get(this.components, { name: this.name })) as ManagedComponent;
  }

  /** What is decided for what is there now. */
  async look(): Promise<Decision & { readonly component: ManagedComponent }> {
    const component = await this.component();
    const { spec, status } = component;
    const documents = this.chart(spec);
    const chart = { name: 'web', version: '1.0.0' };
    const desired = { rendering: 'done', configuration: configurationOf(spec), chart, documents } as const;
    const live = new Map<string, KubeObject | 'absent'>();
    let refs: readonly Ref[] = [...(status?.inventory ?? []), ...documents.map(refOf)];
    for (;;) {
      for (const ref of refs) live.set(keyOf(ref), await this.read(ref));
      const observed: Observed = {
        ...{ component, live, answers: this.answers, secrets: new Map<string, boolean>() },
        ...{ servesScaledObjects: false, pullSecrets: [] },
      };
      const decision = decide(observed, desired, Date.now());
      refs = decision.actions.flatMap((action) => (action.type === 'observe' ? action.refs : []));
      if (refs.length === 0) return { ...decision, component };
    }
  }

  /** One pass; how many actions it had. */
  async pass(): Promise<number> {
    const { component, status, actions } = await this.look();
    let current: KubeObject = component;
    if (JSON.stringify(component.status ?? {}) !== JSON.stringify(status)) {
      const ref = { name: this.name, subresource: 'status' };
      current = await this.client.replace(this.components, ref, { ...component, status });
    }
    for (const action of actions) await this.execute(action, current);
    return actions.length;
  }

  private async read(ref: Ref): Promise<KubeObject | 'absent'> {
    try {
      const found = await this.client.get(await this.resource(ref), { name: ref.name });
      return found;
    } catch (error) {
      if (isNavinError(error) && error.code === 'k8s_not_found') return 'absent';
      throw error;
    }
  }

  private async execute(action: Action, component: KubeObject): Promise<void> {
    switch (action.type) {
      case 'addFinalizer':
        await this.finalizers(component, [COMPONENT_FINALIZER]);
        return;
      case 'removeFinalizer':
        await this.finalizers(component, []);
        return;
      case 'apply':
        for (const { ref, body, digest, expects } of action.objects) {
          const meant = { ...body, metadata: { ...body.metadata, ...expects } };
          const applied = await this.apply(ref, meant, OPERATOR_MANAGER, false);
          this.log.push(`apply ${ref.kind}/${ref.name}`);
          this.answers.set(keyOf(ref), { digest, applied });
        }
        return;
      case 'setReplicas': {
        const { ref, expects, replicas, force } = action;
        const body = { metadata: { name: ref.name, ...expects }, spec: { replicas } };
        await this.apply(ref, body, REPLICAS_MANAGER, force);
        this.log.push(`replicas ${ref.name} ${replicas}`);
        return;
      }
      case 'delete':
        await this.client.delete(
          await this.resource(action.ref),
          { name: action.ref.name },
          { preconditions: { uid: action.uid }, propagationPolicy: 'Foreground' },
        );
        this.log.push(`delete ${action.ref.kind}/${action.ref.name}`);
        return;
      case 'render':
      case 'observe':
      case 'checkSecrets':
    }
  }

  private async apply(ref: Ref, body: KubeObject, manager: string, force: boolean): Promise<KubeObject> {
    const resource = await this.resource(ref);
    const typed = { ...body, apiVersion: [ref.group, ref.version].filter(Boolean).join('/'), kind: ref.kind };
    return this.client.patch(
      resource,
      { name: ref.name },
      { type: 'apply', body: typed, force },
      { fieldManager: manager },
    );
  }

  private async finalizers(component: KubeObject, finalizers: readonly string[]): Promise<void> {
    const { resourceVersion } = component.metadata;
    const body = { metadata: { resourceVersion, finalizers } };
    await this.client.patch(this.components, { name: this.name }, { type: 'merge', body });
  }

  private resource({ group, version, kind }: Ref): Promise<ApiResource> {
    return this.client.resourceFor([group, version].filter(Boolean).join('/'), kind);
  }
}
