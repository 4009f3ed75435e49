import { COMPONENT_API_VERSION, COMPONENT_GROUP, COMPONENT_KIND } from '../../../core/components';
import { isNavinError } from '../../../core/errors';
import { RESOURCES, type AccessAttributes, type KubeClient } from '../../../core/kube';
import type { Logger } from '../telemetry';
import type { ProgramOptions } from './options';

/** What a self-check works with. */
export interface SelfCheckMeans {
  readonly client: Pick<KubeClient, 'resourceFor' | 'reviewAccess'>;
  readonly options: Pick<ProgramOptions, 'namespaces' | 'lease'>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Namespaces that are asked about at once. */
const AT_ONCE = 4;
const CRD = 'operator/config/crd/platform.navin.ai_managedcomponents.yaml';

/**
 * Says in the log what an administrator has forgotten: the definition of ManagedComponent, or the rights without which
 * nothing begins. Nothing ends because of it: both may come later, and the operator goes on by itself then.
 */
export async function selfCheck({ client, options, log, signal }: SelfCheckMeans): Promise<void> {
  try {
    await checkDefinition(client, log, signal);
    const waiting = [...options.namespaces.map(componentRights), leaseRights(options.lease)];
    const worker = async (): Promise<void> => {
      for (let rights = waiting.shift(); rights !== undefined && !signal.aborted; rights = waiting.shift()) {
        await checkRights(client, rights, log, signal);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'It could not be checked whether everything is set up.');
  }
}

async function checkDefinition(client: SelfCheckMeans['client'], log: Logger, signal: AbortSignal): Promise<void> {
  try {
    await client.resourceFor(COMPONENT_API_VERSION, COMPONENT_KIND, signal);
  } catch (error) {
    if (!isNavinError(error) || error.code !== 'k8s_not_found') throw error;
    log.error({ crd: CRD }, 'The cluster does not know ManagedComponents: install the CustomResourceDefinition.');
  }
}

/** Rights in one namespace. */
interface Rights {
  readonly namespace: string;
  readonly needed: readonly AccessAttributes[];
}

function componentRights(namespace: string): Rights {
  const resource = { group: COMPONENT_GROUP, resource: 'managedcomponents', namespace };
  return { namespace, needed: ['list', 'watch'].map((verb) => ({ verb, ...resource })) };
}

function leaseRights({ namespace, name }: ProgramOptions['lease']): Rights {
  const resource = { group: RESOURCES.leases.group, resource: RESOURCES.leases.plural, namespace };
  const named = ['get', 'update'].map((verb) => ({ verb, ...resource, name }));
  return { namespace, needed: [...named, { verb: 'create', ...resource }] };
}

async function checkRights(
  client: SelfCheckMeans['client'],
  { namespace, needed }: Rights,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const missing: string[] = [];
  for (const right of needed) {
    const { allowed } = await client.reviewAccess(right, signal);
    if (!allowed) missing.push(`${right.verb} ${right.resource}.${right.group}`);
  }
  if (missing.length === 0) return;
  log.warn({ namespace, missing }, 'Rights are missing: see operator/config/rbac.');
}
