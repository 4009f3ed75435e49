import { COMPONENT_LABEL, COMPONENTS, visible, type ManagedComponent } from '../../../core/components';
import type { Clock } from '../../../core/clock';
import { Informer, kubeSource, type Source } from '../../../core/controller';
import { RESOURCES, type ApiResource, type KubeClient, type KubeObject } from '../../../core/kube';
import type { OperatorEvents } from './events';

/** What the cluster is watched with. */
export interface WatchesOptions {
  readonly client: KubeClient;
  readonly namespaces: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly events: OperatorEvents;
  /** Something of a component has changed. @param gone the `group/kind/name` of an object that is there no more */
  readonly onChange: (component: string, gone: string | undefined) => void;
}

/** Kinds that tell how components are doing: each change of them is heard. */
const WATCHED = [
  RESOURCES.deployments,
  RESOURCES.statefulsets,
  RESOURCES.horizontalpodautoscalers,
  RESOURCES.poddisruptionbudgets,
];
/** Nothing was heard for so long, not even bookmarks: a watch may be broken, in ms. */
const SILENT_MS = 240_000;

/** Components, and the objects that tell how they are doing, in some namespaces. */
export class Watches {
  readonly components: Informer;
  /** By `group/kind`. */
  readonly objects: ReadonlyMap<string, Informer>;

  constructor(private readonly options: WatchesOptions) {
    const { client } = options;
    this.components = this.informer(COMPONENTS, kubeSource(client, COMPONENTS), ({ metadata }) => metadata.name);
    this.objects = new Map(
      WATCHED.map((resource) => {
        const source = kubeSource(client, resource, { labelSelector: COMPONENT_LABEL, managedFields: true });
        const componentOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[COMPONENT_LABEL];
        return [`${resource.group}/${resource.kind}`, this.informer(resource, withVisible(source), componentOf)];
      }),
    );
  }

  start(): void {
    for (const informer of this.all()) informer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((informer) => informer.stop()));
  }

  /** Components as they are known now. */
  list(): readonly ManagedComponent[] {
    return this.components.list() as readonly ManagedComponent[];
  }

  /** Whether everything was listed in a namespace. */
  hasSynced(namespace: string): boolean {
    return this.all().every((informer) => informer.hasSynced(namespace));
  }

  /** What has not been listed yet, or was not heard of for long: `deployments in apps`. */
  missing(): readonly string[] {
    const kinds = [COMPONENTS, ...WATCHED];
    return this.all().flatMap((informer, index) =>
      informer
        .health()
        .filter(({ synced, silentMs }) => !synced || silentMs > SILENT_MS)
        .map(({ scope }) => `${kinds[index]?.plural ?? ''} in ${scope}`),
    );
  }

  private informer(
    { plural, group, kind }: ApiResource,
    source: Source,
    componentOf: (object: KubeObject) => string | undefined,
  ): Informer {
    const { clock, random, namespaces, onChange, events } = this.options;
    return new Informer({
      ...{ source, clock, random, scopes: namespaces },
      onChange: (before, after) => {
        const object = after ?? before;
        const name = object && componentOf(object);
        if (name === undefined) return;
        const gone = after === undefined ? `${group}/${kind}/${object?.metadata.name ?? ''}` : undefined;
        onChange(keyOf({ ...object?.metadata, name }), gone);
      },
      onFault: ({ scope, error, pauseMs }) => events.onWatchFault?.({ kind: plural, namespace: scope, error, pauseMs }),
    });
  }

  private all(): readonly Informer[] {
    return [this.components, ...this.objects.values()];
  }
}

/** `namespace/name` of a component. */
export function keyOf({ namespace = '', name = '' }: KubeObject['metadata']): string {
  return `${namespace}/${name}`;
}

/** Objects as they are remembered. */
function withVisible(source: Source): Source {
  return {
    async *pages(scope, signal) {
      for await (const page of source.pages(scope, signal)) yield { ...page, items: page.items.map(visible) };
    },
    async *watch(scope, version, seconds, signal) {
      for await (const { type, object } of source.watch(scope, version, seconds, signal)) {
        yield { type, object: type === 'BOOKMARK' ? object : visible(object) };
      }
    },
  };
}
