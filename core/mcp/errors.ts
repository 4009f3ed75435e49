import { NavinError, isNavinError } from '../errors';
import { resourceName } from '../kube';
import { RUNTIME_NAMESPACE } from './names';

/**
 * There is no such instance; or there is one that is not managed, which is answered by the same words, so that nobody finds
 * out by this what else is in the cluster.
 */
export function instanceNotFound({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): NavinError {
  return new NavinError(
    'mcp_runtime_instance_not_found',
    'There is no managed MCP instance of this name in this namespace',
    {
      hint: "List the managed instances with 'Get Many': only those can be restarted and deleted.",
      details: { namespace, name },
    },
  );
}

/** A ManagedComponent of ToolHive is there already. */
export function alreadyInstalled(component: string): NavinError {
  return new NavinError(
    'mcp_runtime_installed',
    `ToolHive is installed already: ${component} is there as ManagedComponent`,
    {
      hint: "See with 'Get Status' how it is. To install it anew, remove the components of ToolHive first.",
      details: { namespace: RUNTIME_NAMESPACE, component },
    },
  );
}

/** The cluster serves no MCPServer. */
export function runtimeNotServed(): NavinError {
  return new NavinError(
    'k8s_unsupported',
    'The cluster serves no MCPServer: the definitions of ToolHive are not installed',
    {
      hint: "Install ToolHive by the deployment of the platform; 'Get Status' says when it is there.",
      details: { resource: 'mcpservers.toolhive.stacklok.dev' },
    },
  );
}

/** A right is missing that the runtime needs; hint and details are those of the refused request. */
class RuntimeForbidden extends NavinError {
  readonly httpStatus: number;

  constructor(refused: NavinError, verb: string, resource: string) {
    super('mcp_runtime_forbidden', `The MCP runtime needs the right "${verb}" on ${resource}: ${refused.message}`, {
      ...(refused.hint === undefined ? {} : { hint: refused.hint }),
      details: refused.details,
      cause: refused,
    });
    this.httpStatus = 403;
  }
}

/** An error as the runtime tells it: a missing right has a code of its own, all else stays what it is. */
export function runtimeError(error: unknown): unknown {
  if (!isNavinError(error) || error.code !== 'k8s_forbidden') return error;
  const { verb, group, resource, subresource } = error.details;
  if (typeof verb !== 'string' || typeof resource !== 'string') return error;
  const plural = resourceName({ resource, ...(typeof subresource === 'string' ? { subresource } : {}) });
  return new RuntimeForbidden(error, verb, typeof group === 'string' && group !== '' ? `${plural}.${group}` : plural);
}
