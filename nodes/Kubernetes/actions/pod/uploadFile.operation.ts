import type { KubeClient } from '../../../../core/kube';
import { tarOf } from '../../../../core/tar';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { BoundedText, COMMAND_RIGHTS, containerFor, exitCode } from './command';
import { COPY_TIMEOUT_OPTION, tarFailed } from './copy';
import { parseFilePath } from './filePath';

export const description = defineOperation({
  name: 'Upload File',
  value: 'uploadFile',
  action: 'Upload file to pod',
  description: 'Write one small file into a container; its image must have sh, head and tar',
  rightsGroup: 'exec',
  rights: COMMAND_RIGHTS,
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    containerLocator("The container to write to; the pod's default container when none is chosen"),
    {
      displayName: 'Input Data Field Name',
      name: 'inputField',
      type: 'string',
      required: true,
      default: 'data',
      hint: 'The name of the input field that holds the file',
      description: 'The name of the input field that holds the file to write, at most 31 MiB',
    },
    {
      displayName: 'Path',
      name: 'path',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. /etc/app/config.json or /etc/app/',
      description:
        'The absolute path of the file in the container, in a folder that exists; with a slash at its end the file keeps its own name. A file that is there is replaced.',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Mode',
          name: 'mode',
          type: 'string',
          default: '0644',
          placeholder: 'e.g. 0755',
          description: 'Who may do what with the file, in octal digits as chmod takes them',
        },
        COPY_TIMEOUT_OPTION,
      ],
    },
  ],
});

const MAX_BYTES = 31 * 1_024 * 1_024;

/**
 * tar reads on to the end of its input, which clusters before Kubernetes 1.30 cannot tell: head ends it after the bytes of
 * the archive. Path and size are arguments of the script and never part of it.
 */
const SCRIPT = 'head -c "$1" | tar -xmof - -C "$2"';

export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { inputField, path, options } = parameters;
  const file = await context.readFile(inputField, MAX_BYTES);
  const { folder, name } = parseFilePath(path, file.name ?? '');
  const mode = modeOf(options.mode ?? '0644');
  const target = await containerFor(client, parameters);
  const archive = tarOf({ name, data: file.data, mode, modified: Math.floor(context.clock.now() / 1_000) });
  const stderr = new BoundedText(4_096);
  const code = await exitCode(
    client,
    target,
    {
      command: ['sh', '-c', SCRIPT, 'sh', String(archive.length), folder],
      stdin: archive,
      stdout: () => undefined,
      stderr: stderr.take,
      timeoutMs: (options.timeoutSeconds ?? 60) * 1_000,
    },
    context,
  );
  if (code !== 0) throw tarFailed('written', code, stderr.text);
  return {
    pod: target.name,
    namespace: target.namespace,
    container: target.container,
    path: `${folder === '/' ? '' : folder}/${name}`,
    bytes: file.data.length,
    mode: mode.toString(8).padStart(4, '0'),
  };
}

function modeOf(text: string): number {
  if (/^0?[0-7]{3}$/.test(text.trim())) return Number.parseInt(text, 8);
  throw parameterInvalid('mode', 'Options > Mode', 'must be three octal digits like 0644');
}
