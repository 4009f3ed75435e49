import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import type { ApiResource } from '../../core/kube';
import type { TriggerOwner, TriggerRegistry } from '../../core/trigger';

/** The one key of ours in the static data of a workflow. */
const KEY = 'navinKubernetesTriggers';

type Context = Pick<ITriggerFunctions, 'getWorkflowStaticData'>;

/**
 * What is stored with the workflow: the states of all its triggers in one object, by the id of the node, which survives
 * a new name. n8n writes it out some time after it was changed; anybody can have changed it (a Code node, an import).
 */
export class TriggerMemory {
  constructor(
    private readonly context: Context,
    private readonly owner: TriggerOwner,
    private readonly registry: TriggerRegistry,
  ) {}

  /** What is stored for this trigger: anything. */
  get state(): unknown {
    return this.stored()[this.owner.nodeId];
  }

  /** The resource a name meant when it was looked up last: a cluster that is down cannot be asked. */
  resourceOf(name: string): ApiResource | undefined {
    const found = this.stored()[this.resourceKey];
    if (typeof found !== 'object' || found === null || !('name' in found) || found.name !== name) return undefined;
    return 'resource' in found && isResource(found.resource) ? found.resource : undefined;
  }

  /** Puts the states of all triggers of the workflow where n8n saves them. */
  keep(): void {
    const remembered = this.stored()[this.resourceKey];
    this.write(remembered);
  }

  /** Remembers what a name means. */
  keepResource(name: string, resource: ApiResource): void {
    this.write({ name, resource });
  }

  private get resourceKey(): string {
    return `${this.owner.nodeId}/resource`;
  }

  private write(resource: unknown): void {
    const data = this.context.getWorkflowStaticData('global');
    const states = this.registry.compose(this.owner.workflowId, data[KEY]);
    // n8n notices a change only when a key of the uppermost level is assigned.
    data[KEY] = { ...states, ...(resource === undefined ? {} : { [this.resourceKey]: resource }) } as IDataObject;
  }

  private stored(): Readonly<Record<string, unknown>> {
    const found = this.context.getWorkflowStaticData('global')[KEY];
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as IDataObject) : {};
  }
}

function isResource(value: unknown): value is ApiResource {
  if (typeof value !== 'object' || value === null) return false;
  const { group, version, plural, singular, kind, namespaced, verbs, shortNames, subresources } =
    value as Partial<ApiResource>;
  const names = [version, plural, singular, kind];
  return (
    typeof namespaced === 'boolean' &&
    isName(group, true) &&
    names.every((name) => isName(name, false)) &&
    [verbs, shortNames, subresources].every((list) => Array.isArray(list) && list.every((each) => isName(each, true)))
  );
}

/** It becomes part of a path. */
function isName(value: unknown, mayBeEmpty: boolean): boolean {
  return typeof value === 'string' && value.length <= 253 && (mayBeEmpty ? /^[\w.-]*$/ : /^[\w.-]+$/).test(value);
}
