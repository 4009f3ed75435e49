import {
  containerNames,
  defaultContainer,
  type KubeClient,
  type KubeObject,
  type LogOptions,
  MAX_LOG_BYTES,
  RESOURCES,
} from '../../../../core/kube';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, FileItem, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, waitUntil } from '../../../shared/wait';
import { followAll, type Log, type LogTarget, readAll, readFiles } from './logs';

export const description = defineOperation({
  name: 'Get Logs',
  value: 'getLogs',
  action: 'Get pod logs',
  description: 'Read or follow the logs of one pod or of all pods that match a selector',
  rightsGroup: 'read',
  rights: [
    { verb: 'get', group: '', resource: 'pods' },
    { verb: 'list', group: '', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
  ],
  properties: [
    namespaceLocator(),
    {
      displayName: 'Select By',
      name: 'select',
      type: 'options',
      default: 'name',
      description: 'How to say which pods are meant',
      options: [
        { name: 'Label Selector', value: 'selector', description: 'All pods of the namespace that match' },
        { name: 'Name', value: 'name', description: 'One pod' },
      ],
    },
    { ...nameLocator('pod'), displayOptions: { show: { select: ['name'] } } },
    {
      displayName: 'Label Selector',
      name: 'labelSelector',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. app=web,tier!=cache',
      displayOptions: { show: { select: ['selector'] } },
      description: 'Only pods whose labels match',
    },
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
        {
          name: 'File',
          value: 'file',
          description: 'One item with a file for each container, byte for byte: n8n keeps files outside of its memory',
        },
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
          displayName: 'Follow',
          name: 'follow',
          type: 'boolean',
          default: false,
          description: 'Whether to go on reading until the container ends or the time to follow is over',
        },
        {
          displayName: 'Follow Seconds',
          name: 'followSeconds',
          type: 'number',
          default: 60,
          typeOptions: { minValue: 1, maxValue: 86400, numberPrecision: 0 },
          description:
            'How long to follow at most, in seconds; pods and containers that have not started are waited for',
        },
        {
          displayName: 'Limit KiB',
          name: 'limitKiB',
          type: 'number',
          default: 1024,
          typeOptions: { minValue: 1, maxValue: 65536, numberPrecision: 0 },
          description:
            'The most to read of a container, in KiB; all that are read together have 65536 at most, in equal parts',
        },
        {
          displayName: 'Max Pods',
          name: 'maxPods',
          type: 'number',
          default: 10,
          typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
          description: 'How many of the pods that match to read',
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

/**
 * `truncated` says that the size limit cut a log, `problem` why a container of several has none or why following one broke
 * off, `ended` whether a log that was followed came to its end before the time was over, `gap` that the node rotated lines
 * away while the connection was broken. Where lines are items, the last one of a log says it.
 */
export async function run(
  client: KubeClient,
  parameters: Parameters,
  context: OperationContext,
): Promise<readonly object[]> {
  const { options, output } = parameters;
  const { pods, seconds } = await chosenPods(client, parameters, context);
  const targets = pods.flatMap((pod) => targetsOf(pod, parameters));
  const read = options.follow === true ? followAll : output === 'file' ? readFiles : readAll;
  const logs = await read(client, targets, logOptions(parameters, targets.length), { ...context, seconds });
  return logs.flatMap((log) => itemsOf(log, parameters));
}

function itemsOf(
  { pod, container, text, file, truncated, ...marks }: Log,
  { namespace, options, output }: Parameters,
): readonly object[] {
  const about = { pod, namespace, container };
  if (text === '' && marks.problem !== undefined) return [{ ...about, ...marks }];
  if (output === 'file') {
    const { data, release } = file ?? { data: Buffer.from(text) };
    const name = `${pod}_${container}.log`;
    return [new FileItem({ ...about, truncated, ...marks }, { name, mimeType: 'text/plain', data, release })];
  }
  if (output === 'text') return [{ ...about, logs: text, truncated, ...marks }];
  const lines = linesOf(text);
  const last = { ...(truncated ? { truncated } : {}), ...marks };
  return lines.map((line, index) => ({
    ...about,
    ...lineFields(line, options.timestamps === true),
    ...(index === lines.length - 1 ? last : {}),
  }));
}

/** The pods to read, and how many seconds there are left to follow them: the first that match are waited for. */
async function chosenPods(
  client: KubeClient,
  { namespace, select, name, labelSelector, options }: Parameters,
  context: OperationContext,
): Promise<{ readonly pods: readonly KubeObject[]; readonly seconds: number }> {
  const { follow, followSeconds = 60, maxPods: most = 10 } = options;
  if (select === 'name')
    return { pods: [await client.get(RESOURCES.pods, { namespace, name })], seconds: followSeconds };
  const look = async () =>
    await client.list(RESOURCES.pods, { namespace, labelSelector: labelSelector.trim(), limit: most });
  const { last: page, seconds } = await waitUntil(look, ({ items }) => items.length > 0, context, {
    timeoutSeconds: follow === true ? followSeconds : 0,
    intervalSeconds: DEFAULT_INTERVAL_SECONDS,
  });
  if (page.items.length === 0) context.note('No pod matches the label selector');
  if (page.continue !== undefined) context.note(`More than ${String(most)} pods match: the others were not read`);
  return { pods: page.items, seconds: followSeconds - seconds };
}

/** The containers to read of a pod: the wanted one, all of them, or the default one. */
function targetsOf(pod: KubeObject, { namespace, select, container, options }: Parameters): readonly LogTarget[] {
  const target = { namespace, pod: pod.metadata.name ?? '' };
  if (options.allContainers !== true) {
    // One pod, one container: what it lacks is an error. Of several, the others are still read.
    const chosen = defaultContainer(pod, container === '' ? undefined : container);
    return [{ ...target, container: chosen, alone: select === 'name' }];
  }
  const { initContainers, containers, ephemeralContainers } = containerNames(pod);
  return [...initContainers, ...containers, ...ephemeralContainers].map((each) => ({
    ...target,
    container: each,
    alone: false,
  }));
}

/** What one log may have, all together may have. */
function logOptions({ tailLines, options }: Parameters, logs: number): LogOptions & { readonly limitBytes: number } {
  const { previous, sinceSeconds, sinceTime, timestamps, limitKiB = 1_024 } = options;
  return {
    limitBytes: Math.min(limitKiB * 1_024, Math.floor(MAX_LOG_BYTES / Math.max(1, logs))),
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
