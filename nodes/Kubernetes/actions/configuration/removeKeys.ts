import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { KINDS } from '../../../shared/kinds';
import { parameterInvalid } from '../../../shared/parameters';
import { checkedKey } from './entries';
import { refuseImmutable } from './setKeys';
import { type ConfigurationKind, keysOf, patchOf } from './stored';

/** The parameter of Remove Keys after its name. */
export const REMOVED_KEYS_FIELD = {
  displayName: 'Keys',
  name: 'keys',
  type: 'string',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Key' },
  default: [],
  placeholder: 'e.g. color',
  description: 'The keys to remove; all others stay',
} as const;

interface Parameters {
  readonly namespace: string;
  readonly name: string;
  readonly keys: readonly string[];
}

/** Removes keys by a merge patch; those that are not there are said and do no harm. */
export async function removeKeys(
  client: KubeClient,
  kind: ConfigurationKind,
  { namespace, name, keys }: Parameters,
): Promise<object> {
  const wanted = [...new Set(keys.map(checkedKey))];
  if (wanted.length === 0) throw parameterInvalid('keys', 'Keys', 'has no key');
  const resource = RESOURCES[KINDS[kind].plural];
  const object = await client.get(resource, { namespace, name });
  const present = keysOf(kind, object);
  const removed = wanted.filter((key) => present.includes(key));
  const notThere = wanted.filter((key) => !present.includes(key));
  if (removed.length > 0) refuseImmutable(kind, object);
  const body = patchOf(kind, new Map(), removed);
  const after =
    removed.length === 0 ? object : await client.patch(resource, { namespace, name }, { type: 'merge', body });
  return { name, namespace, removed, missing: notThere, keys: keysOf(kind, after) };
}
