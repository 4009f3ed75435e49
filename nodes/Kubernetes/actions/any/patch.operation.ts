import { holdsSecrets, isRecord, type JsonPatchOperation, type KubeClient, type Patch } from '../../../../core/kube';
import { SIMPLIFY_FIELD } from '../../../shared/fields';
import { kindLocator, namespaceLocator, objectLocator } from '../../../shared/locators';
import { parseManifest } from '../../../shared/manifest';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { holdsMask, isMask } from '../../../shared/secretValues';
import {
  DRY_RUN_OPTION,
  FIELD_MANAGER_OPTION,
  UNKNOWN_FIELDS_OPTION,
  writeOptions,
  writtenObject,
} from '../../../shared/write';
import { isCronJob, refuseCronJob } from '../cronjob/checks';

export const description = defineOperation({
  name: 'Patch',
  value: 'patch',
  action: 'Patch any resource',
  description: 'Change some fields of one object of any kind',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'patch' }],
  properties: [
    kindLocator(),
    namespaceLocator(),
    objectLocator(),
    {
      displayName: 'Patch Type',
      name: 'patchType',
      type: 'options',
      default: 'merge',
      description: 'How the patch is read',
      options: [
        {
          name: 'JSON Patch',
          value: 'json',
          description: 'A list of operations: add, remove, replace, test, … (RFC 6902)',
        },
        {
          name: 'Merge',
          value: 'merge',
          description: 'The fields to set; null removes, lists are replaced whole (RFC 7386)',
        },
        {
          name: 'Strategic Merge',
          value: 'strategic',
          description: 'The same, but lists are merged by key; built-in kinds only',
        },
      ],
    },
    {
      displayName: 'Patch',
      name: 'patch',
      type: 'string',
      required: true,
      typeOptions: { rows: 6 },
      default: '',
      placeholder: 'e.g. {"spec": {"replicas": 3}}',
      description: 'The patch as JSON or YAML; metadata.resourceVersion in it is a precondition',
    },
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        DRY_RUN_OPTION,
        FIELD_MANAGER_OPTION,
        UNKNOWN_FIELDS_OPTION,
        {
          displayName: 'Subresource',
          name: 'subresource',
          type: 'string',
          default: '',
          placeholder: 'e.g. status',
          description: 'The part of the object to patch, for example status or scale; it is a right of its own',
        },
      ],
    },
  ],
});

/** Sent once: a broken connection ends in k8s_outcome_unknown. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { kind, namespace, name, patchType, simplify, options } = parameters;
  const resource = await client.resource(kind);
  const patch = patchOf(patchType, parseManifest(parameters.patch, 'patch', 'Patch'));
  if (holdsSecrets(resource) && masks(patch)) {
    throw parameterInvalid('patch', 'Patch', 'holds masked values, which would be lost', 'Leave them out of the patch');
  }
  if (isCronJob(resource)) refuseCronJob(partOf(patch), 'patch', 'Patch');
  const subresource = options.subresource?.trim() ?? '';
  const ref = { namespace, name, ...(subresource === '' ? {} : { subresource }) };
  const patched = await client.patch(resource, ref, patch, writeOptions(options));
  return writtenObject(patched, resource, { simplify, dryRun: options.dryRun });
}

function patchOf(type: 'json' | 'merge' | 'strategic', body: unknown): Patch {
  if (type === 'json') return { type, body: operationsOf(body) };
  if (!isRecord(body)) throw parameterInvalid('patch', 'Patch', 'must be an object with the fields to set');
  return { type, body };
}

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

function operationsOf(body: unknown): readonly JsonPatchOperation[] {
  if (!Array.isArray(body)) throw parameterInvalid('patch', 'Patch', 'must be a list of operations');
  return (body as readonly unknown[]).map((entry, index) => {
    if (!isRecord(entry) || !OPERATIONS.has(entry.op) || typeof entry.path !== 'string') {
      const what = `needs an op (${[...OPERATIONS].join(', ')}) and a path in its operation ${String(index + 1)}`;
      throw parameterInvalid('patch', 'Patch', what);
    }
    return entry as unknown as JsonPatchOperation;
  });
}

/** What of the object a patch sets, as far as it can be read off it. */
function partOf(patch: Patch): unknown {
  if (patch.type !== 'json') return patch.body;
  const set = patch.body.filter(({ op }) => op === 'add' || op === 'replace');
  const fields = set.flatMap(({ path, value }) => {
    if (path === '/spec') return isRecord(value) ? Object.entries(value) : [];
    return path.startsWith('/spec/') ? [[path.slice('/spec/'.length), value] as const] : [];
  });
  return { spec: Object.fromEntries(fields) };
}

function masks(patch: Patch): boolean {
  if (patch.type !== 'json') return holdsMask(patch.body as Readonly<Record<string, unknown>>);
  return patch.body.some(({ value }) => isMask(value) || (isRecord(value) && Object.values(value).some(isMask)));
}
