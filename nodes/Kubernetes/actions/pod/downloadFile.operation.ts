import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { FileReader } from '../../../../core/tar';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, FileItem, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { BoundedText, COMMAND_RIGHTS, containerFor, exitCode } from './command';
import { parseFilePath } from './filePath';
import { COPY_TIMEOUT_OPTION, tarFailed } from './copy';

export const description = defineOperation({
  name: 'Download File',
  value: 'downloadFile',
  action: 'Download file from pod',
  description: 'Read one small file out of a container; its image must have tar',
  rightsGroup: 'exec',
  rights: COMMAND_RIGHTS,
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    containerLocator("The container to read from; the pod's default container when none is chosen"),
    {
      displayName: 'Path',
      name: 'path',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. /var/lib/app/report.csv',
      description: 'The absolute path of the file in the container',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Limit MiB',
          name: 'limitMiB',
          type: 'number',
          default: 16,
          typeOptions: { minValue: 1, maxValue: 32, numberPrecision: 0 },
          description: 'The largest file to read, in MiB; a larger one is an error',
        },
        {
          displayName: 'Put Output File in Field',
          name: 'outputField',
          type: 'string',
          default: 'data',
          description: 'The name of the output field that holds the file',
        },
        COPY_TIMEOUT_OPTION,
      ],
    },
  ],
});

/** The file alone is taken, by its bytes: no name or path of the archive counts. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { path, options } = parameters;
  const { folder, name } = parseFilePath(path);
  const target = await containerFor(client, parameters);
  const reader = new FileReader((options.limitMiB ?? 16) * 1_024 * 1_024);
  const stderr = new BoundedText(4_096);
  const code = await exitCode(
    client,
    target,
    {
      command: ['tar', '-chf', '-', '-C', folder, '--', name],
      stdout: (bytes) => {
        reader.push(bytes);
      },
      stderr: stderr.take,
      timeoutMs: (options.timeoutSeconds ?? 60) * 1_000,
    },
    context,
  );
  const file = reader.file();
  if (code !== 0) throw tarFailed('read', code, stderr.text);
  if (file === undefined) throw new NavinError('k8s_response_invalid', 'The answer of tar ended before the file did');
  const json = {
    pod: target.name,
    namespace: target.namespace,
    container: target.container,
    path: `${folder === '/' ? '' : folder}/${name}`,
    bytes: file.data.length,
    mode: file.mode.toString(8).padStart(4, '0'),
    modifiedAt: new Date(file.modified * 1_000).toISOString(),
  };
  const { outputField = 'data' } = options;
  return new FileItem(json, { name, data: file.data, ...(outputField === '' ? {} : { field: outputField }) });
}
