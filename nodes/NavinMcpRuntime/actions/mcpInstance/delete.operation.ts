import type { KubeClient } from '../../../../core/kube';
import { deleteInstance, instanceOf, isStillThere, mcpServers } from '../../../../core/mcp';
import { NavinError } from '../../../../core/errors';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, waitFields, waitUntil } from '../../../shared/wait';
import { auditDone, denied } from '../audited';
import { CHANGE_OPTIONS, instanceFields } from '../fields';
import { DELETE_RIGHTS } from '../rights';
import { runtimeErrors } from '../runtimeErrors';

const WAITING = { wait: [true] } as const;

export const description = defineOperation({
  name: 'Delete',
  value: 'delete',
  action: 'Delete MCP instance',
  description: 'Delete a managed MCP instance; its temporary credentials are revoked by the lifecycle controller',
  rightsGroup: 'mcpRuntimeChanges',
  rights: DELETE_RIGHTS,
  properties: [
    ...instanceFields(),
    {
      displayName: 'Wait Until Gone',
      name: 'wait',
      type: 'boolean',
      default: false,
      description: 'Whether to wait until ToolHive has cleaned up and the instance is gone',
    },
    ...waitFields(120, WAITING),
    CHANGE_OPTIONS,
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await runtimeErrors(async () => {
    const { namespace, name, options, onFailure, timeoutSeconds } = parameters;
    const { dryRun = false, uid = '', intervalSeconds = DEFAULT_INTERVAL_SECONDS } = options;
    const ref = { namespace, name, uid: uid.trim() || undefined };
    const resource = await mcpServers(client);
    const { object, refusal } = await deleteInstance(client, resource, ref, { dryRun });
    if (refusal !== undefined) throw denied(context, 'mcp_runtime.instance.destroy', ref, refusal);
    const deleted = { deleted: !dryRun, ...instanceOf(object, context.clock.now()), ...(dryRun ? { dryRun } : {}) };
    if (dryRun) return deleted;
    auditDone(context, 'mcp_runtime.instance.destroy', ref);
    if (!parameters.wait) return deleted;
    const look = async () => await isStillThere(client, resource, object);
    const { done, seconds } = await waitUntil(look, (there) => !there, context, { timeoutSeconds, intervalSeconds });
    if (!done && onFailure === 'error') throw notGone(name, timeoutSeconds);
    return { ...deleted, gone: done, waitedSeconds: seconds };
  });
}

function notGone(name: string, seconds: number): NavinError {
  return new NavinError(
    'k8s_wait_failed',
    `The MCP instance ${name} is deleted but not gone after ${String(seconds)} s`,
    {
      hint: "Its finalizer is removed by the ToolHive operator: see with 'Get Status' whether that is ready",
      details: { name },
    },
  );
}
