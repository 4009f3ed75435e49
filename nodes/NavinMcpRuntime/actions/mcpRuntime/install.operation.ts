import type { KubeClient } from '../../../../core/kube';
import {
  auditLine,
  installRuntime,
  isDecided,
  managedComponents,
  readRuntimeComponents,
  RUNTIME_COMPONENTS,
  RUNTIME_NAMESPACE,
  RUNTIME_OPERATOR,
  type RuntimeComponent,
  runtimeComponent,
  TOOLHIVE_VERSION,
} from '../../../../core/mcp';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitUntil } from '../../../shared/wait';
import { DRY_RUN_OPTION } from '../../../shared/write';
import { INSTALL_RIGHTS } from '../rights';
import { runtimeErrors } from '../runtimeErrors';

export const description = defineOperation({
  name: 'Install',
  value: 'install',
  action: 'Install MCP runtime',
  description: 'Write the two ManagedComponents of ToolHive, pinned by digest, and see what their operator says',
  rightsGroup: 'mcpRuntimeChanges',
  rights: INSTALL_RIGHTS,
  properties: [
    {
      displayName: 'Wait for Answer',
      name: 'wait',
      type: 'boolean',
      default: true,
      description: 'Whether to wait until the Navin Platform Operator has run or refused both components',
    },
    {
      displayName: 'Timeout',
      name: 'timeoutSeconds',
      type: 'number',
      default: 60,
      typeOptions: { minValue: 1, maxValue: 86400, numberPrecision: 0 },
      description: 'Seconds to wait at most; what is seen then is the result',
      displayOptions: { show: { wait: [true] } },
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [DRY_RUN_OPTION, INTERVAL_OPTION],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Why ToolHive does not run by this today, and who runs it. */
const LIMIT =
  'The Navin Platform Operator renders namespaced kinds only. It refuses the CustomResourceDefinitions and cluster roles of ToolHive (non_compliant, ForbiddenKind): the deployment of the platform installs them.';

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await runtimeErrors(async () => {
    const { wait, timeoutSeconds, options } = parameters;
    const { dryRun = false, intervalSeconds = DEFAULT_INTERVAL_SECONDS } = options;
    const written = await installRuntime(client, { dryRun });
    const whole = { namespace: RUNTIME_NAMESPACE, version: TOOLHIVE_VERSION };
    if (dryRun) {
      return {
        ...whole,
        written: false,
        converged: false,
        refused: false,
        limit: LIMIT,
        components: written.map(runtimeComponent),
        dryRun,
      };
    }
    context.log(
      'info',
      auditLine('mcp_runtime.install', undefined, { namespace: RUNTIME_NAMESPACE, name: RUNTIME_OPERATOR }),
    );
    const look = async () => await seen(client);
    const { last, seconds } = await waitUntil(look, isAnswered, context, {
      timeoutSeconds: wait ? timeoutSeconds : 0,
      intervalSeconds,
    });
    const refused = last.some(({ securityState }) => securityState === 'non_compliant');
    const converged = last.length === RUNTIME_COMPONENTS.length && last.every((component) => component.converged);
    if (!converged) context.note(LIMIT);
    return {
      ...whole,
      written: true,
      converged,
      refused,
      ...(converged ? {} : { limit: LIMIT }),
      components: last,
      ...(wait ? { waitedSeconds: seconds, timedOut: !isAnswered(last) } : {}),
    };
  });
}

async function seen(client: KubeClient): Promise<readonly RuntimeComponent[]> {
  const resource = await managedComponents(client);
  const found = resource === undefined ? [] : await readRuntimeComponents(client, resource);
  return found.map(runtimeComponent);
}

function isAnswered(components: readonly RuntimeComponent[]): boolean {
  return components.length === RUNTIME_COMPONENTS.length && components.every(isDecided);
}
