import { type JsonValue, NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { waitFields } from '../../../shared/wait';
import { BoundedText, COMMAND_RIGHTS, containerFor, exitCode } from './command';

export const description = defineOperation({
  name: 'Execute Command',
  value: 'execute',
  action: 'Execute command in pod',
  description: 'Run a program or shell script in a container and return its output and exit code',
  rightsGroup: 'exec',
  rights: COMMAND_RIGHTS,
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    containerLocator("The container to run it in; the pod's default container when none is chosen"),
    {
      displayName: 'Run',
      name: 'run',
      type: 'options',
      default: 'script',
      description: 'What to run',
      options: [
        { name: 'Program', value: 'program', description: 'A program with its arguments, without a shell' },
        { name: 'Shell Script', value: 'script', description: 'A text for sh -c; the image must have a shell' },
      ],
    },
    {
      displayName: 'Script',
      name: 'script',
      type: 'string',
      required: true,
      default: '',
      typeOptions: { rows: 4 },
      displayOptions: { show: { run: ['script'] } },
      placeholder: 'e.g. df -h /data',
      description: 'The script, run by sh. Put values from outside into arguments of a program instead.',
    },
    {
      displayName: 'Program and Arguments',
      name: 'command',
      type: 'string',
      default: [],
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Argument' },
      displayOptions: { show: { run: ['program'] } },
      placeholder: 'e.g. /bin/df',
      description: 'The program, then each of its arguments',
    },
    ...waitFields(60),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Input',
          name: 'stdin',
          type: 'string',
          default: '',
          typeOptions: { rows: 4 },
          description: 'What the command reads from its standard input, which ends after it',
        },
        {
          displayName: 'Limit KiB',
          name: 'limitKiB',
          type: 'number',
          default: 1024,
          typeOptions: { minValue: 1, maxValue: 16384, numberPrecision: 0 },
          description: 'The most to keep of each of the two outputs, in KiB; the command goes on',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** `truncated` says that the size limit cut an output; `exitCode` is null when the command did not end in time. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { timeoutSeconds, onFailure, options } = parameters;
  const target = await containerFor(client, parameters);
  const limit = (options.limitKiB ?? 1_024) * 1_024;
  const [stdout, stderr] = [new BoundedText(limit), new BoundedText(limit)];
  const ended = await attempt(
    async () =>
      await exitCode(
        client,
        target,
        {
          command: parameters.run === 'script' ? ['sh', '-c', parameters.script] : parameters.command,
          stdin: options.stdin === undefined ? undefined : Buffer.from(options.stdin),
          stdout: stdout.take,
          stderr: stderr.take,
          timeoutMs: timeoutSeconds * 1_000,
        },
        context,
      ),
  );
  const state = {
    pod: target.name,
    namespace: target.namespace,
    container: target.container,
    exitCode: ended.error === undefined ? ended.value : null,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    timedOut: ended.error?.details.timedOut === true,
  };
  if (ended.error !== undefined) {
    if (state.timedOut && onFailure === 'output') return state;
    throw state.timedOut ? withOutput(ended.error, state) : ended.error;
  }
  if (ended.value === 0 || onFailure === 'output') return state;
  throw withOutput(
    new NavinError('k8s_command_failed', `The command ended with exit code ${String(ended.value)}`, {
      hint: "Its output is in the details. With 'On Failure' set to 'Return the State' the workflow can decide.",
    }),
    state,
  );
}

/** So much of each output goes into an error: its end, where the reason is. */
const SHOWN_CHARACTERS = 4_096;

function withOutput({ code, message, hint, details }: NavinError, state: { stdout: string; stderr: string }): Error {
  const shown = {
    ...state,
    stdout: state.stdout.slice(-SHOWN_CHARACTERS),
    stderr: state.stderr.slice(-SHOWN_CHARACTERS),
  };
  return new NavinError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...details, ...(shown as Readonly<Record<string, JsonValue>>) },
  });
}
