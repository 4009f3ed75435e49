import type { ApiResource, KubeClient, KubeObject } from '../../../core/kube';
import { attempt } from '../../shared/attempt';
import { defined } from '../../shared/json';
import { inParallel } from '../../shared/parallel';
import { parameterInvalid } from '../../shared/parameters';
import {
  DEFAULT_MAX_OBJECTS,
  MAX_OBJECTS_OPTION,
  selectionFields,
  selectObjects,
  type Selectors,
} from '../../shared/selection';
import { wholeObject } from '../../shared/wholeObject';
import { DRY_RUN_OPTION, FIELD_MANAGER_OPTION, writeOptions } from '../../shared/write';
import { AT_ONCE } from './documents';
import { resultsOfEach } from './partlyDone';

/** What of the metadata is changed. */
export type MetadataField = 'labels' | 'annotations';

/** The parameters of setting and removing labels or annotations, after the kind and the namespace. */
/* @__NO_SIDE_EFFECTS__ */
export function metadataFields(title: 'Label' | 'Annotation', example: string) {
  return [
    ...selectionFields(),
    {
      displayName: `Set ${title}s`,
      name: 'set',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: `Add ${title}`,
      default: {},
      description: `The ${title.toLowerCase()}s to set; others stay as they are`,
      options: [
        {
          displayName: title,
          name: 'entry',
          values: [
            {
              displayName: 'Key',
              name: 'key',
              type: 'string',
              required: true,
              default: '',
              placeholder: example,
              description: `The key of the ${title.toLowerCase()}, with its prefix where it has one`,
            },
            {
              displayName: 'Value',
              name: 'value',
              type: 'string',
              default: '',
              description: 'The value, a text; it may be empty',
            },
          ],
        },
      ],
    },
    {
      displayName: `Remove ${title}s`,
      name: 'remove',
      type: 'string',
      typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Key' },
      default: [],
      placeholder: example,
      description: `The keys of ${title.toLowerCase()}s to remove; one that is not there is fine`,
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [DRY_RUN_OPTION, FIELD_MANAGER_OPTION, MAX_OBJECTS_OPTION],
    },
  ] as const;
}

/** Values of {@link metadataFields}. */
export interface MetadataParameters extends Selectors {
  readonly namespace: string;
  readonly select: 'name' | 'selector';
  readonly name: string;
  readonly set: { readonly entry: readonly { readonly key: string; readonly value: string }[] };
  readonly remove: readonly string[];
  readonly options: { readonly dryRun?: boolean; readonly fieldManager?: string; readonly maxObjects?: number };
}

/**
 * Sets and removes labels or annotations by a merge patch, which leaves all others alone and needs no read before. Objects
 * found by a selector are changed by uid, several at once.
 * @throws PartlyDone when some of several could not be changed; the others are
 */
export async function changeMetadata(
  client: KubeClient,
  resource: ApiResource,
  field: MetadataField,
  parameters: MetadataParameters,
): Promise<readonly object[]> {
  const { namespace, select, name, options } = parameters;
  const changes = changesOf(parameters);
  const write = writeOptions(options);
  const patch = async (ref: { namespace: string | undefined; name: string }, uid?: string): Promise<object> => {
    const metadata = { ...(uid === undefined ? {} : { uid }), [field]: changes };
    const changed = await client.patch(resource, ref, { type: 'merge', body: { metadata } }, write);
    return changedItem(changed, resource, field, options.dryRun);
  };
  if (select === 'name') return [await patch({ namespace, name })];
  const found = await selectObjects(client, resource, parameters, options.maxObjects ?? DEFAULT_MAX_OBJECTS);
  const outcomes = await inParallel(found, AT_ONCE, async ({ metadata }) => {
    const ref = { namespace: metadata.namespace, name: metadata.name ?? '' };
    return await attempt(async () => await patch(ref, metadata.uid));
  });
  return resultsOfEach(found, outcomes);
}

/** Null removes. */
function changesOf({ set, remove }: MetadataParameters): Readonly<Record<string, string | null>> {
  const removed = remove.map((key) => key.trim()).filter((key) => key !== '');
  const entries = set.entry.map(({ key, value }): [string, string] => [key.trim(), value]);
  if (entries.length + removed.length === 0)
    throw parameterInvalid('set', 'Set', 'and Remove are empty: nothing would change');
  const both = entries.find(([key]) => removed.includes(key));
  if (both !== undefined) throw parameterInvalid('remove', 'Remove', 'holds a key that is also set');
  return Object.fromEntries<string | null>([...removed.map((key): [string, null] => [key, null]), ...entries]);
}

function changedItem(
  object: KubeObject,
  resource: ApiResource,
  field: MetadataField,
  dryRun: boolean | undefined,
): object {
  const { apiVersion, kind, metadata } = wholeObject(object, resource) as KubeObject;
  const { name, namespace, uid, resourceVersion } = metadata;
  const about = { apiVersion, kind, name, namespace, uid, resourceVersion };
  return defined({ ...about, [field]: metadata[field] ?? {}, dryRun: dryRun === true ? true : undefined });
}
