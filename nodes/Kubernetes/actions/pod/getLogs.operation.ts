import { defaultContainer, type KubeClient, type LogOptions, type LogText, RESOURCES } from '../../../../core/kube';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Get Logs',
  value: 'getLogs',
  action: 'Get pod logs',
  description: 'Read the log of one container of a pod, or of all of them',
  rightsGroup: 'read',
  rights: [
    { verb: 'get', group: '', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
  ],
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    containerLocator("The container to read; the pod's default container when none is chosen"),
    {
      displayName: 'Tail Lines',
      name: 'tailLines',
      type: 'number',
      default: 100,
      typeOptions: { minValue: -1, maxValue: 1000000, numberPrecision: 0 },
      description: 'How many lines to read, counted from the end; -1 for all of them',
    },
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'text',
      description: 'What becomes an item',
      options: [
        { name: 'Lines', value: 'lines', description: 'One item for each line' },
        { name: 'Text', value: 'text', description: 'One item for each container' },
      ],
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'All Containers',
          name: 'allContainers',
          type: 'boolean',
          default: false,
          description: 'Whether to read every container of the pod, init containers included',
        },
        {
          displayName: 'Limit KiB',
          name: 'limitKiB',
          type: 'number',
          default: 1024,
          typeOptions: { minValue: 1, maxValue: 16384, numberPrecision: 0 },
          description: 'The most to read of a container, in KiB',
        },
        {
          displayName: 'Previous',
          name: 'previous',
          type: 'boolean',
          default: false,
          description: 'Whether to read the container that ran before the last restart',
        },
        {
          displayName: 'Since Seconds',
          name: 'sinceSeconds',
          type: 'number',
          default: 3600,
          typeOptions: { minValue: 1, numberPrecision: 0 },
          description: 'Only lines of the last seconds',
        },
        {
          displayName: 'Since Time',
          name: 'sinceTime',
          type: 'dateTime',
          default: '',
          description: 'Only lines after this time',
        },
        {
          displayName: 'Timestamps',
          name: 'timestamps',
          type: 'boolean',
          default: false,
          description: 'Whether to begin each line with the time it was written',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** `truncated` says that the size limit cut a log, `problem` why a container of several has none. */
export async function run(client: KubeClient, parameters: Parameters): Promise<readonly object[]> {
  const { namespace, name, options, output } = parameters;
  const logs = options.allContainers === true ? await readAll(client, parameters) : [await readOne(client, parameters)];
  return logs.flatMap(({ container, text, truncated, problem }) => {
    const about = { pod: name, namespace, container };
    if (problem !== undefined) return [{ ...about, problem }];
    if (output === 'text') return [{ ...about, logs: text, truncated }];
    return linesOf(text).map((line) => ({ ...about, ...lineFields(line, options.timestamps === true) }));
  });
}

interface Log extends LogText {
  readonly container: string;
  readonly problem?: string;
}

async function readAll(client: KubeClient, parameters: Parameters): Promise<readonly Log[]> {
  const { namespace, name } = parameters;
  return await client.allLogs({ namespace, name }, logOptions(parameters));
}

/** The Pod is read first, to say which container it was, and which there are when there is no such one. */
async function readOne(client: KubeClient, parameters: Parameters): Promise<Log> {
  const { namespace, name, container: wanted } = parameters;
  const pod = await client.get(RESOURCES.pods, { namespace, name });
  const container = defaultContainer(pod, wanted === '' ? undefined : wanted);
  return { container, ...(await client.logs({ namespace, name }, { ...logOptions(parameters), container })) };
}

function logOptions({ tailLines, options }: Parameters): LogOptions {
  const { previous, sinceSeconds, sinceTime, timestamps, limitKiB = 1_024 } = options;
  return {
    limitBytes: limitKiB * 1_024,
    tailLines: tailLines < 0 ? undefined : tailLines,
    previous,
    timestamps,
    sinceSeconds,
    sinceTime: sinceTime === '' ? undefined : sinceTime,
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line with its time apart, where the API server puts one before it. */
function lineFields(line: string, timestamps: boolean): object {
  const space = line.indexOf(' ');
  if (!timestamps || space < 0) return { line };
  return { time: line.slice(0, space), line: line.slice(space + 1) };
}
