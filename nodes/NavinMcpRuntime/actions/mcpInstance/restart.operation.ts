import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { instanceOf, isRestarted, isRestartOver, mcpServers, requestRestart, seeRestart } from '../../../../core/mcp';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, waitFields, waitUntil } from '../../../shared/wait';
import { auditDone, denied } from '../audited';
import { CHANGE_OPTIONS, instanceFields } from '../fields';
import { RESTART_RIGHTS } from '../rights';
import { runtimeErrors } from '../runtimeErrors';

export const description = defineOperation({
  name: 'Restart',
  value: 'restart',
  action: 'Restart MCP instance',
  description: 'Replace the pods of a managed MCP instance one after another, by the ToolHive operator',
  rightsGroup: 'mcpRuntimeChanges',
  rights: RESTART_RIGHTS,
  properties: [
    ...instanceFields(),
    {
      displayName: 'Wait Until Confirmed',
      name: 'wait',
      type: 'boolean',
      default: true,
      description: 'Whether to wait until ToolHive has taken the restart up and the pods are replaced',
    },
    ...waitFields(120, { wait: [true] }),
    CHANGE_OPTIONS,
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await runtimeErrors(async () => {
    const { namespace, name, options, wait } = parameters;
    const { dryRun = false, uid = '', intervalSeconds = DEFAULT_INTERVAL_SECONDS } = options;
    const ref = { namespace, name, uid: uid.trim() || undefined };
    const resource = await mcpServers(client);
    const now = () => context.clock.now();
    const asked = await requestRestart(client, resource, ref, now, { dryRun });
    if (asked.refusal !== undefined) throw denied(context, 'mcp_runtime.instance.restart', ref, asked.refusal);
    if (dryRun) return { ...instanceOf(asked.object, now()), restartedAt: asked.time, confirmed: false, dryRun };
    auditDone(context, 'mcp_runtime.instance.restart', ref);
    const look = async () => await seeRestart(client, resource, asked);
    const { last, seconds } = await waitUntil(
      look,
      ({ state, deployment }) => isRestartOver(state, deployment),
      context,
      {
        timeoutSeconds: wait ? parameters.timeoutSeconds : 0,
        intervalSeconds,
      },
    );
    const result = {
      ...instanceOf(last.object, now()),
      restartedAt: asked.time,
      confirmed: isRestarted(last.state),
      ...last.state,
    };
    if (!wait) return result;
    // Without the right to see the rollout, `confirmed` stays false: that is no failure of the restart.
    const isSeen = !(last.state.processed && last.deployment === 'unreadable');
    if (!result.confirmed && isSeen && parameters.onFailure === 'error') throw notConfirmed(result, seconds);
    return { ...result, waitedSeconds: seconds };
  });
}

function notConfirmed(
  result: {
    readonly namespace: string;
    readonly name: string;
    readonly message: string;
    readonly restartedAt: string;
    readonly processed: boolean;
    readonly rollout: string;
  },
  seconds: number,
): NavinError {
  const { namespace, name, message, restartedAt, processed, rollout } = result;
  return new NavinError(
    'k8s_wait_failed',
    `The restart of the MCP instance ${name} is not confirmed after ${String(seconds)} s: ${message}`,
    {
      hint: "It stays asked for. See with 'Get Status' whether the ToolHive operator is ready. With 'On Failure' set to 'Return the State' the workflow can decide.",
      details: { namespace, name, restartedAt, processed, rollout },
    },
  );
}
